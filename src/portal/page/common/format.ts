/** Numbers and times as people read them. Pure: the same arguments give the same words. */

export type Detail = "minute" | "second" | "date" | "time" | "clock";

const formats: Record<Detail, Intl.DateTimeFormatOptions> = {
  minute: { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" },
  second: { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit" },
  date: { day: "numeric", month: "short", year: "numeric" },
  time: { hour: "2-digit", minute: "2-digit" },
  clock: { hour: "2-digit", minute: "2-digit", second: "2-digit" },
};

/** Formatters are costly to make and needed in every row, so each is made once. */
const made = new Map<string, Intl.DateTimeFormat>();

export function formatTime(at: number, detail: Detail, timeZone: string): string {
  const name = `${detail} ${timeZone}`;
  let format = made.get(name);
  if (!format) {
    format = new Intl.DateTimeFormat("en-GB", { ...formats[detail], timeZone });
    made.set(name, format);
  }
  return format.format(at);
}

/** How long ago, in one unit: what matters is whether it is seconds or days. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86_400)} days ago`;
}

export function formatDuration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return `${hours} h ${String(minutes % 60).padStart(2, "0")} min`;
}

const numbers = [0, 1].map(
  (decimals) => new Intl.NumberFormat("en-GB", { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
);

export function formatNumber(value: number, decimals: 0 | 1 = 0): string {
  return (numbers[decimals] as Intl.NumberFormat).format(value);
}

export function formatKm(km: number): string {
  return `${formatNumber(km, km < 100 ? 1 : 0)} km`;
}

/** "Van 9" before "Van 10". One collator for all: `localeCompare` makes one for each comparison. */
export const inCountingOrder = new Intl.Collator("en", { numeric: true }).compare;

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `geofence_enter` as "Geofence enter". */
export function humanise(name: string): string {
  return capitalised(name.replaceAll("_", " "));
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

const points = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"] as const;

export function compassPoint(degrees: number): string {
  return points[Math.round(degrees / 45) % 8] ?? "N";
}
