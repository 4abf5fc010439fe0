import type { Vehicle } from "../fleet/roster.ts";
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

/** What the sensors of a vehicle report over a day. */
export class Sensors {
  readonly #vehicle: Vehicle;
  readonly #random: Random;
  readonly #doorOpensAt: number;
  #fuelAt = 0;
  #temperatureAt = 0;
  #tyresAt = 0;
  #cargoC: number;
  #warmth = 0;

  constructor({ vehicle, timeline: { day, beginsAt } }: DayOfTracker, random: Random) {
    this.#vehicle = vehicle;
    this.#random = random;
    this.#cargoC = vehicle.cargoTemperatureC ?? 0;
    const isOpen = vehicle.quirk === "door_open" && isSpecialDay(vehicle, day);
    this.#doorOpensAt = isOpen ? beginsAt + doorOpensMs : Number.POSITIVE_INFINITY;
  }

  read(moment: Moment): readonly CanonicalSensor[] | undefined {
    const { at, isDriving } = moment;
    const { hasFuelSensor, cargoTemperatureC, hasTyreSensors } = this.#vehicle;
    let sensors: CanonicalSensor[] | undefined;
    if (hasFuelSensor && (!isDriving || at - this.#fuelAt >= fuelEveryMs)) {
      this.#fuelAt = at;
      sensors = [this.#fuel(moment)];
    }
    if (cargoTemperatureC !== null && (!isDriving || at - this.#temperatureAt >= temperatureEveryMs)) {
      sensors ??= [];
      sensors.push(this.#cargo(at, cargoTemperatureC));
      this.#temperatureAt = at;
    }
    if (hasTyreSensors && at - this.#tyresAt >= tyresEveryMs) {
      sensors ??= [];
      this.#readTyres(moment, sensors);
      this.#tyresAt = at;
    }
    return sensors;
  }

  /** A float in a tank: it swings on the road. */
  #fuel({ fuelL, isDriving }: Moment): CanonicalSensor {
    const swing = this.#random.wobble() * (isDriving ? 0.5 : 0.12);
    const percent = (fuelL / this.#vehicle.kind.tankL) * 100 + swing;
    return { kind: "fuel", sensor: "tank_1", level_percent: Math.round(Math.max(0, percent) * 10) / 10 };
  }

  /** The cooler restores it by a quarter of the difference every five minutes. */
  #cargo(at: number, wantedC: number): CanonicalSensor {
    const isOpen = at >= this.#doorOpensAt && at < this.#doorOpensAt + doorOpenMs;
    const towards = isOpen ? wantedC + 14 : wantedC;
    const minutes = Math.min(60, (at - this.#temperatureAt) / minuteMs);
    this.#cargoC += (towards - this.#cargoC) * (1 - 0.944 ** minutes) + this.#random.wobble() * 0.15;
    return { kind: "temperature", sensor: "cargo", temperature_c: Math.round(this.#cargoC * 10) / 10 };
  }

  #readTyres({ at, isDriving }: Moment, sensors: CanonicalSensor[]): void {
    const minutes = Math.min(60, (at - this.#tyresAt) / minuteMs);
    this.#warmth += ((isDriving ? 1 : 0) - this.#warmth) * (1 - 0.96 ** minutes);
    for (const [axle, wheel] of tyres) {
      const isPunctured = axle === puncturedTyre.axle && wheel === puncturedTyre.wheel;
      const lostKpa = isPunctured ? lostPressureKpa(this.#vehicle, at) : 0;
      const kpa = nominalKpa + this.#warmth * 30 - lostKpa + this.#random.wobble() * 2;
      const celsius = 14 + this.#warmth * 24 + lostKpa / 25 + this.#random.wobble();
      sensors.push({
        kind: "tyre",
        axle,
        wheel,
        pressure_kpa: Math.round(kpa),
        temperature_c: Math.round(celsius),
      });
    }
  }
}
