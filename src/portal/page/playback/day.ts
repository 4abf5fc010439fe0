import type { Alert, Position, Trip } from "../../both-sides/contract/data.ts";
import { type DayWindow, dayAt, isDay } from "../../both-sides/periods/days.ts";
import type { Texts } from "../../both-sides/texts/texts.ts";

/** A day of one vehicle, as the list and the map show it. Pure. */

export interface Stop {
  readonly from: number;
  readonly to: number;
  readonly latitude: number;
  readonly longitude: number;
}

export function stopsBetween(trips: readonly Trip[]): Stop[] {
  return trips.flatMap((trip, index) => {
    const next = trips[index + 1];
    if (!next || trip.ended_at === null || trip.end === null) return [];
    const [from, to] = [Date.parse(trip.ended_at), Date.parse(next.started_at)];
    return to > from ? [{ from, to, ...trip.end }] : [];
  });
}

/** What happened, in the order in which it did. */
export type StoryEvent =
  | { readonly kind: "trip"; readonly at: number; readonly trip: Trip; readonly number: number }
  | { readonly kind: "stop"; readonly at: number; readonly stop: Stop }
  | { readonly kind: "alert"; readonly at: number; readonly alert: Alert };

export function storyOf(trips: readonly Trip[], stops: readonly Stop[], alerts: readonly Alert[]): StoryEvent[] {
  const events: StoryEvent[] = [
    ...trips.map((trip, index) => {
      return { kind: "trip", at: Date.parse(trip.started_at), trip, number: index + 1 } as const;
    }),
    ...stops.map((stop) => ({ kind: "stop", at: stop.from, stop }) as const),
    ...alerts.map((alert) => ({ kind: "alert", at: Date.parse(alert.occurred_at), alert }) as const),
  ];
  // What begins at the same moment stays in this order: a trip before its alerts.
  return events.sort((one, other) => one.at - other.at);
}

/** Many an alert is over at once: it is what happens for at least this long. */
const alertShownMs = 60_000;

/** What happens at that moment: of all that is not over, what began last. Null before the first trip and after the last. */
export function eventAt(events: readonly StoryEvent[], at: number): StoryEvent | null {
  return events.findLast((event) => event.at <= at && at < endOf(event)) ?? null;
}

function endOf(event: StoryEvent): number {
  switch (event.kind) {
    case "trip":
      return event.trip.ended_at === null ? Number.POSITIVE_INFINITY : Date.parse(event.trip.ended_at);
    case "stop":
      return event.stop.to;
    case "alert":
      return Math.max(event.at + alertShownMs, Date.parse(event.alert.ended_at ?? event.alert.occurred_at));
  }
}

/** From the first frame to the last, believed or not: slider and plot share it. The whole day if there is none. */
export function spanOf(
  frames: readonly Position[],
  window: DayWindow,
): { readonly begin: number; readonly end: number } {
  const [begin, end] = [frames[0], frames.at(-1)].map((frame) => Date.parse(frame?.recorded_at ?? ""));
  return { begin: begin || window.from, end: end || window.to };
}

/** Playing starts shortly before the first trip: until then there is nothing to see. */
const leadMs = 60_000;

export function playFrom(trips: readonly Trip[], begin: number): number {
  const [first] = trips;
  return first ? Math.max(begin, Date.parse(first.started_at) - leadMs) : begin;
}

/** The moment that an address asks for; null if it asks for none: an address can hold anything. */
export function momentOfAddress(text: string | null): number | null {
  const at = /^\d{4}-\d\d-\d\dT/.test(text ?? "") ? Date.parse(text ?? "") : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

interface DayQuery {
  readonly day: string | null;
  readonly moment: number | null;
  readonly isSearch: boolean;
}

/**
 * The day to show: that of the moment which is asked for. If something is to be found, the day that is named: the moment
 * is only for the case that there is nothing.
 */
export function dayToShow({ day, moment, isSearch }: DayQuery, zone: string): string | null {
  const named = day !== null && isDay(day) ? day : null;
  const ofMoment = moment === null ? null : dayAt(moment, zone);
  return isSearch ? (named ?? ofMoment) : (ofMoment ?? named);
}

/** A trip past midnight counts as a whole: the list shows trips, not the calendar. */
export function summarise(trips: readonly Trip[], frames: readonly Position[]) {
  const speeds = frames.flatMap(({ valid, speed_kmh }) => (valid && speed_kmh !== null ? [speed_kmh] : []));
  const sum = (value: (trip: Trip) => number) => trips.reduce((total, trip) => total + value(trip), 0);
  const drivenOnly = (value: number, trip: Trip) => (trip.is_carried ? 0 : value);
  return {
    distanceKm: sum(({ distance_km }) => distance_km),
    carriedKm: sum(({ carried_km }) => carried_km ?? 0),
    drivenCount: sum((trip) => drivenOnly(1, trip)),
    drivingS: sum((trip) => drivenOnly(trip.duration_s, trip)),
    idleS: sum((trip) => drivenOnly(trip.idle_s, trip)),
    maxSpeedKmh: speeds.length === 0 ? null : speeds.reduce((most, speed) => Math.max(most, speed)),
  };
}

/** The newest frame at that moment, or the first frame if the moment is before it. */
export function frameAt(frames: readonly Position[], at: number): Position | null {
  let low = 0;
  let high = frames.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Date.parse(frames[middle]?.recorded_at ?? "") <= at) low = middle + 1;
    else high = middle;
  }
  return frames[Math.max(0, low - 1)] ?? null;
}

/** Why a frame was rejected, in words for people who did not build the filter. */
export function rejectWords(reason: string | null, words: Texts["playback"]): string {
  const known: Readonly<Record<string, string>> = words.rejectReasons;
  return known[reason ?? ""] ?? words.notBelieved;
}
