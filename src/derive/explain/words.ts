import { quantity } from "../../domain/text/text.ts";
import { dayMs, formatInstant } from "../../domain/time/time.ts";
import type { RejectReason } from "../../domain/verdict.ts";
import type { FactRow } from "../../store/facts/facts.ts";
import type { TracedFrame } from "./retrace.ts";

/** A heading, and short sentences below it. */
export interface ExplainedSection {
  readonly title: string;
  readonly lines: readonly string[];
}

/** A moment in UTC to the second. */
export function writtenInstant(at: number): string {
  return `${formatInstant(at).slice(0, 19).replace("T", " ")}Z`;
}

/** A moment without its date, if that is the date of another. */
export function near(at: number, other: number): string {
  const text = writtenInstant(at);
  return text.slice(0, 10) === writtenInstant(other).slice(0, 10) ? text.slice(11) : text;
}

export function span(from: number, to: number, other: number): string {
  return `${near(from, other)} to ${near(to, other)}`;
}

export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 600) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 180 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function length(metres: number): string {
  if (metres < 1000) return `${Math.round(metres)} m`;
  return `${(metres / 1000).toFixed(metres < 10_000 ? 2 : 1)} km`;
}

/** To the metre, so that sums can be followed. */
export function kilometres(mm: number): string {
  return `${(mm / 1e6).toFixed(3)} km`;
}

export function speed(kmh: number): string {
  return `${Math.round(kmh)} km/h`;
}

export function place({ latitude, longitude }: { readonly latitude: number; readonly longitude: number }): string {
  return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
}

function coordinates(latitudeE7: unknown, longitudeE7: unknown): string {
  return place({ latitude: Number(latitudeE7) / 1e7, longitude: Number(longitudeE7) / 1e7 });
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

/** What a stored row says, for the case that there is nothing else. */
export function rowLines({ kind, row }: FactRow): string[] {
  switch (kind) {
    case "trip": {
      const end =
        row.ended_at === null ? "in progress" : `ended ${writtenInstant(Number(row.ended_at))} (${row.end_reason})`;
      const from = coordinates(row.start_latitude_e7, row.start_longitude_e7);
      return [
        `Trip from ${writtenInstant(Number(row.started_at))} at ${from}, ${end}: ${kilometres(Number(row.distance_mm))}.`,
      ];
    }
    case "crossing": {
      const where = coordinates(row.latitude_e7, row.longitude_e7);
      return [
        `${row.event_type} of the fence ${row.geofence_id} at ${writtenInstant(Number(row.occurred_at))}, ${where}.`,
      ];
    }
    case "day": {
      const date = writtenInstant(Number(row.day) * dayMs).slice(0, 10);
      const by = `${kilometres(Number(row.distance_mm))} (${row.distance_source})`;
      const times = `${duration(Number(row.driving_ms))} driving, ${duration(Number(row.idle_ms))} idle`;
      return [`Mileage of ${date}: ${by}, ${quantity(Number(row.trip_count), "trip")}, ${times}.`];
    }
    case "alert":
    case "stop":
      return [];
  }
}

/** Those of a time that is not believed have no place in the order: they never come here. */
const reasons: Readonly<Partial<Record<RejectReason, string>>> = {
  no_fix: "no position",
  out_of_range: "coordinates that do not exist",
  zero_coordinates: "the coordinates 0, 0",
  approximate: "located by radio cells or Wi-Fi only",
  low_satellites: "too few satellites",
  low_precision: "too imprecise",
  implausible_jump: "farther away than a vehicle drives in the time",
  spike: "far from the frames before and after it, which are close together",
};

const maxTimes = 3;

/** Which of these frames were not believed and why, and whose speed was not. */
export function notBelieved(frames: readonly TracedFrame[], other: number): string[] {
  const rejected = Map.groupBy(frames, ({ sighting }) => sighting.verdict.rejectReason);
  const lines: string[] = [];
  for (const [reason, those] of rejected) {
    if (reason !== null) lines.push(`${counted(those, other)} not believed: ${reasons[reason] ?? ""} (${reason}).`);
  }
  const speeds = frames.filter(
    ({ sighting: { frame, verdict }, speedKmh }) => verdict.valid && frame.speed_kmh !== null && speedKmh === null,
  );
  if (speeds.length > 0) lines.push(`${counted(speeds, other)} with a speed that was not believed; the position was.`);
  return lines;
}

/** Which of these frames have the time of their receipt; nothing if none has. */
export function receiptTimes(frames: readonly TracedFrame[], other: number): ExplainedSection[] {
  const received = frames.filter(({ sighting }) => sighting.frame.time_source === "receipt");
  if (received.length === 0) return [];
  const line = `${counted(received, other)} with the time of the receipt: the message had none that can be read.`;
  return [{ title: "Times", lines: [line] }];
}

function counted(frames: readonly TracedFrame[], other: number): string {
  const times = frames.slice(0, maxTimes).map(({ sighting }) => near(sighting.frame.recordedAt, other));
  const more = frames.length > maxTimes ? ", …" : "";
  return `${quantity(frames.length, "frame")} (${times.join(", ")}${more})`;
}
