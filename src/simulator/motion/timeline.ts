import { dayMs } from "../../domain/time/time.ts";
import type { Vehicle } from "../fleet/roster.ts";
import { hourMs, minuteMs } from "../plan/calendar.ts";
import { dayBeginsAt, type Visit } from "../plan/itinerary.ts";
import { type PlannedDay, stolenLitres } from "../plan/ledger.ts";
import { isSpecialDay, theftAtMs, theftLastsMs, towedAtMs } from "../plan/special-days.ts";
import { purposes, Random } from "../random.ts";
import type { Road } from "../region/network.ts";
import type { Region, StopPlace } from "../region/places.ts";
import { driveRoute } from "./drive-route.ts";
import type { MotionState } from "./motion.ts";

export interface Drive {
  readonly kind: "drive";
  readonly startsAt: number;
  readonly endsAt: number;
  readonly route: readonly Road[];
  readonly motion: MotionState;
  readonly isTowed: boolean;
  /** Driven since the day began, when it starts. */
  readonly metresBefore: number;
  readonly fuelL: number;
}

/** A vehicle at a stop. The engine is off from `offAt` until `onAt`; if it runs all the time, both are at the end. */
export interface Stay {
  readonly kind: "stay";
  readonly node: number;
  readonly from: number;
  readonly until: number;
  readonly offAt: number;
  readonly onAt: number;
  readonly metresBefore: number;
  /** When it begins. */
  readonly fuelL: number;
  /** Litres that come in or go out between two moments; the engine's own use is not in it. */
  readonly fuelChange: { readonly litres: number; readonly from: number; readonly until: number } | null;
  readonly idleLitresPerMs: number;
}

/** A vehicle's day: stays and drives by turns, without a gap, from its beginning to its end. */
export interface Timeline {
  readonly day: number;
  readonly beginsAt: number;
  readonly endsAt: number;
  readonly activities: readonly (Stay | Drive)[];
  readonly litresPerMetre: number;
}

/** A driver rests for 45 minutes before 4.5 hours at the wheel are over. */
const longestAtWheelMs = 4.5 * hourMs;
const breakMs = 45 * minuteMs;

export function createTimeline(seed: number, vehicle: Vehicle, planned: PlannedDay, region: Region): Timeline {
  const { day, itinerary, litresPerMetre } = planned;
  const beginsAt = dayBeginsAt(vehicle, day);
  const endsAt = beginsAt + dayMs;
  const random = new Random(seed, purposes.drive, vehicle.index, day);
  const isTowedToday = vehicle.quirk === "towed" && isSpecialDay(vehicle, day);
  const activities: (Stay | Drive)[] = [];
  let at = beginsAt;
  let node = planned.standsAt;
  let metres = 0;
  let { fuelL } = planned.state;
  let atWheelMs = 0;

  const motionOn = (route: readonly Road[]): MotionState => {
    const ofDrive = new Random(seed, purposes.drive, vehicle.index, Math.floor(at / 1000));
    return driveRoute(route, vehicle, at, region.network, ofDrive);
  };
  /** From starting the engine to driving off. */
  const startMs = () => random.between(8, 45) * 1000;

  const drive = (route: readonly Road[], motion: MotionState, isTowed: boolean) => {
    const startsAt = at;
    at += motion.seconds * 1000;
    activities.push({ kind: "drive", startsAt, endsAt: at, route, motion, isTowed, metresBefore: metres, fuelL });
    if (isTowed) return;
    metres += motion.metres;
    fuelL -= motion.metres * litresPerMetre;
  };

  /** The break is taken where the vehicle stands: its stay is longer by it, and the engine is off. */
  const rest = () => {
    atWheelMs = 0;
    const until = at + breakMs + random.between(0, 8) * minuteMs;
    const last = activities.at(-1);
    if (last?.kind !== "stay") return;
    activities[activities.length - 1] = { ...last, until, onAt: until - startMs() };
    at = until;
  };

  const driveTo = (to: number) => {
    const route = region.routes.between(node, to);
    if (route.length === 0) return;
    let motion = motionOn(route);
    if (atWheelMs + motion.seconds * 1000 > longestAtWheelMs && atWheelMs > 0) {
      rest();
      motion = motionOn(route);
    }
    atWheelMs += motion.seconds * 1000;
    drive(route, motion, false);
    node = to;
  };

  const stay = (until: number, keepsRunning: boolean, fuelChange: Stay["fuelChange"]) => {
    const from = at;
    const before = activities.at(-1);
    const wasOff = before === undefined || (before.kind === "drive" && before.isTowed);
    const offAt = keepsRunning ? until : wasOff ? from : from + random.between(4, 35) * 1000;
    const staysOff = until === endsAt || (isTowedToday && until === beginsAt + towedAtMs);
    const onAt = keepsRunning || staysOff ? until : until - startMs();
    const idleLitresPerMs = keepsRunning ? vehicle.kind.idleLitresPerHour / hourMs : 0;
    const times = { from, until, offAt, onAt: Math.max(onAt, offAt) };
    activities.push({ kind: "stay", node, ...times, metresBefore: metres, fuelL, fuelChange, idleLitresPerMs });
    fuelL += (fuelChange?.litres ?? 0) - idleLitresPerMs * (until - from);
    at = until;
  };

  const visit = ({ stayMs, keepsRunning, refuelL }: Visit) => {
    const until = at + stayMs;
    const filling = { litres: refuelL, from: at + minuteMs, until: until - 2 * minuteMs };
    stay(until, keepsRunning, refuelL > 0 ? filling : null);
  };

  /** Fuel is stolen in the first hour of a day. */
  const parkUntil = (until: number) => {
    const thief = { from: beginsAt + theftAtMs, until: beginsAt + theftAtMs + theftLastsMs };
    const litres = activities.length > 0 ? 0 : -stolenLitres(planned, vehicle);
    stay(until, false, litres < 0 ? { litres, ...thief } : null);
  };

  if (itinerary !== null) {
    parkUntil(itinerary.leavesAt);
    for (const stop of itinerary.visits) {
      driveTo(stop.node);
      visit(stop);
    }
    driveTo(itinerary.to);
  }
  if (isTowedToday) {
    parkUntil(beginsAt + towedAtMs);
    const pound = region.places.find(({ kind }) => kind === "pound") as StopPlace;
    const route = region.routes.between(node, pound.node);
    drive(route, motionOn(route), true);
    node = pound.node;
  }
  if (at >= endsAt) throw new Error(`vehicle ${vehicle.index} is still driving when day ${day} is over`);
  parkUntil(endsAt);
  return { day, beginsAt, endsAt, activities, litresPerMetre };
}
