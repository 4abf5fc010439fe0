import type { Vehicle } from "../fleet/roster.ts";
import { purposes, Random } from "../random.ts";
import type { Region, StopPlace } from "../region/places.ts";
import { hourMs, minuteMs } from "./calendar.ts";
import { type Itinerary, metresOf, planDay, type Visit, type WorkingDays } from "./itinerary.ts";
import { isSpecialDay, theftLitres } from "./special-days.ts";

/** What a vehicle carries over from one day to the next. */
export interface DayState {
  readonly metresDriven: number;
  readonly fuelL: number;
}

export interface PlannedDay {
  readonly day: number;
  /** At its beginning. */
  readonly state: DayState;
  /** The node where the vehicle is then. */
  readonly standsAt: number;
  /** Null: the vehicle stays where it is. */
  readonly itinerary: Itinerary | null;
  readonly litresPerMetre: number;
}

/** Below this share of the tank, the driver looks for a station. */
const reservePart = 0.25;
/** With less, the station comes first. */
const enoughForADayPart = 0.45;
const fullPart = 0.94;

/**
 * Plans the days of one vehicle: the world's first day and later ones. Kilometres and litres follow from the plans alone,
 * microseconds each, once.
 */
export function createLedger(
  seed: number,
  vehicle: Vehicle,
  firstDay: number,
  region: Region,
  working: WorkingDays,
): (day: number) => PlannedDay {
  const { kind, index } = vehicle;
  const stations = region.places.filter((place) => place.kind === "station");
  const filled = new Random(seed, purposes.fleet, index, 2).between(0.5, 0.95);
  /** At the beginning of each day; the last one is of the day after those planned. */
  const states: DayState[] = [{ metresDriven: 0, fuelL: kind.tankL * filled }];

  const plan = (day: number, state: DayState): PlannedDay => {
    const heaviness = new Random(seed, purposes.tour, index, day, 1).between(0.93, 1.1);
    const litresPerMetre = (kind.litresPer100Km * heaviness) / 100_000;
    const itinerary = planDay(seed, vehicle, day, region, working);
    const planned = { day, state, standsAt: working.sleepsAt(vehicle, day), itinerary, litresPerMetre };
    const stolenL = stolenLitres(planned, vehicle);
    const leftL = state.fuelL - stolenL - (itinerary === null ? 0 : usedLitres(itinerary, litresPerMetre, kind));
    if (itinerary === null || leftL >= kind.tankL * reservePart) return planned;
    return { ...planned, itinerary: withStation(itinerary, state.fuelL - stolenL, litresPerMetre) };
  };

  /** The first or the last stop of the day is at the station that is least out of the way. */
  const withStation = (itinerary: Itinerary, fuelL: number, litresPerMetre: number): Itinerary => {
    const { from, to } = itinerary;
    const isFirst = fuelL < kind.tankL * enoughForADayPart;
    const before = isFirst ? from : (itinerary.visits.at(-1)?.node ?? from);
    const after = isFirst ? (itinerary.visits[0]?.node ?? to) : to;
    const detour = ({ node }: StopPlace) => region.routes.metres(before, node) + region.routes.metres(node, after);
    const station = stations.reduce((best, place) => (detour(place) < detour(best) ? place : best));
    const visitsBefore = isFirst ? [] : itinerary.visits;
    const metres = metresOf(from, visitsBefore, station.node, region);
    const usedL = usedLitres({ ...itinerary, visits: visitsBefore, metres }, litresPerMetre, kind);
    const refuelL = kind.tankL * fullPart - (fuelL - usedL);
    // Some 40 litres a minute, and the queue at the till.
    const stayMs = (4 + refuelL / 40) * minuteMs;
    const stop: Visit = { node: station.node, stayMs, keepsRunning: false, refuelL };
    const visits = isFirst ? [stop, ...itinerary.visits] : [...itinerary.visits, stop];
    return { ...itinerary, visits, metres: metresOf(from, visits, to, region) };
  };

  return (day) => {
    for (let last = states.length - 1; last < day - firstDay; last++) {
      states.push(stateAfter(plan(firstDay + last, states[last] as DayState), vehicle));
    }
    return plan(day, states[day - firstDay] as DayState);
  };
}

/** The litres stolen, if it is the day of the theft: never more than there are. */
export function stolenLitres({ day, state }: Pick<PlannedDay, "day" | "state">, vehicle: Vehicle): number {
  return vehicle.quirk === "theft" && isSpecialDay(vehicle, day) ? Math.min(theftLitres, state.fuelL - 15) : 0;
}

function usedLitres(itinerary: Itinerary, litresPerMetre: number, { idleLitresPerHour }: Vehicle["kind"]): number {
  const idleMs = itinerary.visits.reduce((sum, { keepsRunning, stayMs }) => sum + (keepsRunning ? stayMs : 0), 0);
  return itinerary.metres * litresPerMetre + (idleMs / hourMs) * idleLitresPerHour;
}

function stateAfter(planned: PlannedDay, vehicle: Vehicle): DayState {
  const { state, itinerary, litresPerMetre } = planned;
  const stolenL = stolenLitres(planned, vehicle);
  if (itinerary === null) return { metresDriven: state.metresDriven, fuelL: state.fuelL - stolenL };
  const refuelL = itinerary.visits.reduce((sum, visit) => sum + visit.refuelL, 0);
  const usedL = usedLitres(itinerary, litresPerMetre, vehicle.kind);
  return { metresDriven: state.metresDriven + itinerary.metres, fuelL: state.fuelL - stolenL - usedL + refuelL };
}
