import type { Vehicle } from "../fleet/roster.ts";
import { hourMs, minuteMs } from "../plan/calendar.ts";
import { isSpecialDay, lastSignOfLifeMs, whereabouts } from "../plan/special-days.ts";
import { purposes, Random } from "../random.ts";
import type { DayOfTracker, Moment } from "./moments.ts";

export type Disturbance =
  | { readonly kind: "tunnel" }
  | { readonly kind: "cold_start"; readonly metres: number; readonly headingDeg: number; readonly satellites: number }
  | { readonly kind: "spike"; readonly metres: number; readonly headingDeg: number }
  | { readonly kind: "cached_position" };

/** A time without a network: frames recorded in it arrive when it is over. */
export interface Outage {
  readonly from: number;
  readonly until: number;
}

/** After this long without power, a receiver has to find its satellites again. */
const coldAfterMs = 3 * hourMs;
const coldStartChance = 0.3;
const spikesPerMovingFrame = 1 / 1_800;
const outageChance = 0.04;

export class DayFaults {
  readonly outage: Outage | null;
  readonly #random: Random;
  readonly #vehicle: Vehicle;
  readonly #cachedFrom: number;
  readonly #firstDayAt: number;
  #coldFrames = 0;
  #isCachedTurn = false;

  constructor({ seed, vehicle, timeline: { day, beginsAt }, firstDayAt }: DayOfTracker) {
    this.#vehicle = vehicle;
    this.#firstDayAt = firstDayAt;
    this.#random = new Random(seed, purposes.faults, vehicle.index, day);
    const isSpecial = isSpecialDay(vehicle, day);
    this.#cachedFrom = vehicle.quirk === "cached" && isSpecial ? beginsAt + 8 * hourMs : Number.POSITIVE_INFINITY;
    const random = this.#random;
    const hasOutage = random.chance(outageChance) || (vehicle.quirk === "buffers" && isSpecial);
    const from = beginsAt + random.between(6, 9.5) * hourMs;
    this.outage = hasOutage ? { from, until: from + random.between(50, 85) * minuteMs } : null;
  }

  /** Whether the tracker can send: not in an aeroplane's hold, and not once it is broken. */
  isSilentAt(at: number): boolean {
    if (this.#vehicle.quirk === "dies" && at >= this.#firstDayAt + lastSignOfLifeMs) return true;
    return whereabouts(this.#vehicle, at) === "away";
  }

  /** Must be called for every moment of the day, in order. */
  at(moment: Moment): Disturbance | null {
    const random = this.#random;
    if (moment.isInTunnel) return { kind: "tunnel" };
    if (moment.startedAfterMs > coldAfterMs && random.chance(coldStartChance)) {
      // Either it knows that it has too few satellites, for two frames; or it is wrong and does not know.
      const knows = random.chance(0.6);
      this.#coldFrames = knows ? 1 : 0;
      return this.#coldStart(knows);
    }
    if (this.#coldFrames > 0) {
      this.#coldFrames--;
      return this.#coldStart(true);
    }
    if (moment.at >= this.#cachedFrom && moment.at < this.#cachedFrom + 35 * minuteMs && moment.isDriving) {
      this.#isCachedTurn = !this.#isCachedTurn;
      if (this.#isCachedTurn) return { kind: "cached_position" };
    }
    if (moment.isDriving && moment.speedKmh > 15 && random.chance(spikesPerMovingFrame)) {
      return { kind: "spike", metres: random.between(2_500, 18_000), headingDeg: random.between(0, 360) };
    }
    return null;
  }

  #coldStart(knows: boolean): Disturbance {
    const random = this.#random;
    return {
      kind: "cold_start",
      metres: knows ? random.between(60, 400) : random.between(700, 3_000),
      headingDeg: random.between(0, 360),
      satellites: knows ? random.whole(2, 3) : random.whole(4, 5),
    };
  }
}
