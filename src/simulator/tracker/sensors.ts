import type { CanonicalSensor } from "../messages.ts";
import { hourMs, minuteMs } from "../plan/calendar.ts";
import { isSpecialDay, lostPressureKpa } from "../plan/special-days.ts";
import type { Random } from "../random.ts";
import type { DayOfTracker, Moment } from "./moments.ts";

/** How often each kind is read while driving; whenever a frame is taken at a stop. */
const fuelEveryMs = 60_000;
const temperatureEveryMs = 120_000;
const tyresEveryMs = 240_000;

/** Axle, wheel: of a truck with twin wheels behind. */
const tyres: readonly (readonly [number, number])[] = [
  [1, 1],
  [1, 2],
  [2, 1],
  [2, 2],
  [2, 3],
  [2, 4],
];
export const nominalKpa = 850;
export const puncturedTyre = { axle: 2, wheel: 1 } as const;

/** The one time the reefer's door is left open, from the start of its day. */
const doorOpensMs = 6 * hourMs;
const doorOpenMs = 40 * minuteMs;

/** What the sensors of a vehicle report over a day; undefined: nothing is due at that moment. */
export function createSensors(
  { vehicle, timeline: { day, beginsAt } }: DayOfTracker,
  random: Random,
): (moment: Moment) => readonly CanonicalSensor[] | undefined {
  const { hasFuelSensor, cargoTemperatureC, hasTyreSensors } = vehicle;
  const isLeftOpen = vehicle.quirk === "door_open" && isSpecialDay(vehicle, day);
  const doorOpensAt = isLeftOpen ? beginsAt + doorOpensMs : Number.POSITIVE_INFINITY;
  let [fuelAt, temperatureAt, tyresAt] = [0, 0, 0];
  let cargoC = cargoTemperatureC ?? 0;
  let warmth = 0;

  /** A float in a tank: it swings on the road. */
  const fuel = ({ fuelL, isDriving }: Moment): CanonicalSensor => {
    const swing = random.wobble() * (isDriving ? 0.5 : 0.12);
    const percent = (fuelL / vehicle.kind.tankL) * 100 + swing;
    return { kind: "fuel", sensor: "tank_1", level_percent: Math.round(Math.max(0, percent) * 10) / 10 };
  };

  /** The cooler restores it by a quarter of the difference every five minutes. */
  const cargo = (at: number, wantedC: number): CanonicalSensor => {
    const isOpen = at >= doorOpensAt && at < doorOpensAt + doorOpenMs;
    const towards = isOpen ? wantedC + 14 : wantedC;
    const minutes = Math.min(60, (at - temperatureAt) / minuteMs);
    cargoC += (towards - cargoC) * (1 - 0.944 ** minutes) + random.wobble() * 0.15;
    return { kind: "temperature", sensor: "cargo", temperature_c: Math.round(cargoC * 10) / 10 };
  };

  const allTyres = ({ at, isDriving }: Moment): CanonicalSensor[] => {
    const minutes = Math.min(60, (at - tyresAt) / minuteMs);
    warmth += ((isDriving ? 1 : 0) - warmth) * (1 - 0.96 ** minutes);
    return tyres.map(([axle, wheel]) => {
      const isPunctured = axle === puncturedTyre.axle && wheel === puncturedTyre.wheel;
      const lostKpa = isPunctured ? lostPressureKpa(vehicle, at) : 0;
      const kpa = nominalKpa + warmth * 30 - lostKpa + random.wobble() * 2;
      const celsius = 14 + warmth * 24 + lostKpa / 25 + random.wobble();
      return { kind: "tyre", axle, wheel, pressure_kpa: Math.round(kpa), temperature_c: Math.round(celsius) };
    });
  };

  return (moment) => {
    const { at, isDriving } = moment;
    const sensors: CanonicalSensor[] = [];
    if (hasFuelSensor && (!isDriving || at - fuelAt >= fuelEveryMs)) {
      sensors.push(fuel(moment));
      fuelAt = at;
    }
    if (cargoTemperatureC !== null && (!isDriving || at - temperatureAt >= temperatureEveryMs)) {
      sensors.push(cargo(at, cargoTemperatureC));
      temperatureAt = at;
    }
    if (hasTyreSensors && at - tyresAt >= tyresEveryMs) {
      sensors.push(...allTyres(moment));
      tyresAt = at;
    }
    return sensors.length > 0 ? sensors : undefined;
  };
}
