import type { Trip } from "../api/records.ts";
import type { Window } from "../common/periods/days.ts";

/** Where a vehicle stood: between two of its trips, or at an end of the period. */
export interface Stop {
  readonly deviceId: string;
  readonly place: { readonly latitude: number; readonly longitude: number };
  /** Within the period. */
  readonly from: number;
  readonly to: number;
  /** Whether it had stood before the period already. */
  readonly isFromBefore: boolean;
  /** Whether it stood longer than the period, or still does. */
  readonly goesOn: boolean;
}

interface Parked {
  readonly at: number;
  readonly place: Stop["place"];
}

/**
 * Finds stops in trips that come in the order of their starts. A vehicle that made no trip in the period is not listed: where it
 * stood is not known from trips. `now`: a stop is not longer than that.
 */
export class StopFinder {
  readonly #window: Window;
  readonly #now: number;
  /** Null: on a trip. */
  readonly #parked = new Map<string, Parked | null>();

  constructor(window: Window, now: number) {
    this.#window = window;
    this.#now = now;
  }

  /** The stops that these trips ended. */
  add(trips: readonly Trip[]): Stop[] {
    return trips.flatMap((trip) => {
      const startedAt = Date.parse(trip.started_at);
      const before = this.#parked.get(trip.device_id);
      const endedAt = trip.ended_at === null ? null : Date.parse(trip.ended_at);
      this.#parked.set(trip.device_id, endedAt === null || trip.end === null ? null : { at: endedAt, place: trip.end });
      if (before === null) return [];
      const parked = before ?? { at: Number.NEGATIVE_INFINITY, place: trip.start };
      return this.#stop(trip.device_id, parked, startedAt, false);
    });
  }

  /** The stops that go on after the last trip. */
  rest(): Stop[] {
    return [...this.#parked].flatMap(([deviceId, parked]) =>
      parked === null ? [] : this.#stop(deviceId, parked, Math.min(this.#window.to, this.#now), true),
    );
  }

  #stop(deviceId: string, { at, place }: Parked, until: number, goesOn: boolean): Stop[] {
    const from = Math.max(at, this.#window.from);
    const to = Math.min(until, this.#window.to);
    return to > from ? [{ deviceId, place, from, to, isFromBefore: at < this.#window.from, goesOn }] : [];
  }
}
