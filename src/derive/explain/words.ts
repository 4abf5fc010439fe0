import { formatInstant } from "../../domain/time.ts";

/** A heading, and short sentences below it. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

/** A moment in UTC to the second. */
export function instant(at: number): string {
  return `${formatInstant(at).slice(0, 19).replace("T", " ")}Z`;
}

/** A moment without its date, if that is the date of another. */
export function near(at: number, other: number): string {
  const text = instant(at);
  return text.slice(0, 10) === instant(other).slice(0, 10) ? text.slice(11) : text;
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

export function coordinates(latitudeE7: unknown, longitudeE7: unknown): string {
  return place({ latitude: Number(latitudeE7) / 1e7, longitude: Number(longitudeE7) / 1e7 });
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
