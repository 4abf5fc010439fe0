import type { Vehicle } from "./fleet/roster.ts";
import { createTimeline, type Timeline } from "./motion/timeline.ts";
import { dayMs, dayOf } from "./plan/calendar.ts";
import { dayBeginsAt } from "./plan/itinerary.ts";
import type { Ledger } from "./plan/ledger.ts";
import type { Region } from "./region/places.ts";
import { type DayMessages, sendDay } from "./tracker/day-messages.ts";

/** The days of one vehicle, each made on demand. The last one is cached, since live frames come from it. */
export class VehicleDays {
  readonly vehicle: Vehicle;
  readonly region: Region;
  readonly firstDayAt: number;
  readonly #seed: number;
  readonly #imei: string;
  readonly #ledger: Ledger;
  #cached: { readonly day: number; readonly sent: DayMessages } | null = null;

  constructor(options: {
    readonly seed: number;
    readonly vehicle: Vehicle;
    readonly imei: string;
    readonly ledger: Ledger;
    readonly region: Region;
    readonly firstDayAt: number;
  }) {
    this.vehicle = options.vehicle;
    this.region = options.region;
    this.firstDayAt = options.firstDayAt;
    this.#seed = options.seed;
    this.#imei = options.imei;
    this.#ledger = options.ledger;
  }

  /** The day of the vehicle that contains a moment, but never before its first day. */
  dayAt(at: number): number {
    const shiftMs = dayBeginsAt(this.vehicle, 0);
    return Math.max(dayOf(at - shiftMs), dayOf(this.firstDayAt));
  }

  beginsAt(day: number): number {
    return dayBeginsAt(this.vehicle, day);
  }

  endsAt(day: number): number {
    return this.beginsAt(day) + dayMs;
  }

  timeline(day: number): Timeline {
    return createTimeline(this.#seed, this.vehicle, this.#ledger.day(day), this.region);
  }

  /** All of it arrives within the day. */
  sent(day: number): DayMessages {
    if (this.#cached?.day === day) return this.#cached.sent;
    const { metresDriven } = this.#ledger.day(day).state;
    const timeline = this.timeline(day);
    const sent = sendDay({
      seed: this.#seed,
      vehicle: this.vehicle,
      imei: this.#imei,
      timeline,
      metresDriven,
      network: this.region.network,
      firstDayAt: this.firstDayAt,
    });
    this.#cached = { day, sent };
    return sent;
  }
}
