import { dayMs, dayOf } from "../domain/time/time.ts";
import type { Crews } from "./fleet/crews.ts";
import type { Vehicle } from "./fleet/roster.ts";
import { createTimeline, type Timeline } from "./motion/timeline.ts";
import { dayBeginsAt } from "./plan/itinerary.ts";
import type { PlannedDay } from "./plan/ledger.ts";
import type { Region } from "./region/places.ts";
import { type DayMessages, sendDay } from "./tracker/day-messages.ts";
import type { DayOfTracker } from "./tracker/moments.ts";

/** What is sent, day by day. */
export interface DaysOfTracker {
  /** The day that contains a moment, but never before the first. */
  dayAt(at: number): number;
  beginsAt(day: number): number;
  endsAt(day: number): number;
  /** All of it arrives within the day. */
  sent(day: number): Pick<DayMessages, "messages">;
}

interface VehicleInWorld extends Pick<DayOfTracker, "seed" | "vehicle" | "imei" | "firstDayAt"> {
  readonly crewOf: Crews["crewOf"] | null;
  readonly plannedDay: (day: number) => PlannedDay;
  readonly region: Region;
}

/** The days of one vehicle, each made on demand. The last one is cached, since live frames come from it. */
export class SimulatedDays implements DaysOfTracker {
  readonly vehicle: Vehicle;
  readonly firstDayAt: number;
  readonly #about: VehicleInWorld;
  #cached: { readonly day: number; readonly sent: DayMessages } | null = null;

  constructor(about: VehicleInWorld) {
    this.vehicle = about.vehicle;
    this.firstDayAt = about.firstDayAt;
    this.#about = about;
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
    const { seed, plannedDay, region } = this.#about;
    return createTimeline(seed, this.vehicle, plannedDay(day), region);
  }

  /** All of it arrives within the day. */
  sent(day: number): DayMessages {
    if (this.#cached?.day === day) return this.#cached.sent;
    const { plannedDay, region, crewOf, ...about } = this.#about;
    const crew = crewOf?.(this.vehicle, day) ?? null;
    const { metresDriven } = plannedDay(day).state;
    const sent = sendDay({ ...about, crew, metresDriven, timeline: this.timeline(day), network: region.network });
    this.#cached = { day, sent };
    return sent;
  }
}
