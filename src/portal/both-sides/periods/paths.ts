import { type Address, type QueryValues, to } from "../address.ts";
import { dayAt } from "./days.ts";
import type { Period } from "./period.ts";

/** Where playback shows a moment of a vehicle. Pure. */
export function momentPath(deviceId: string, at: number | string, zone: string): string {
  const moment = new Date(at);
  return `/map/${deviceId}?day=${dayAt(+moment, zone)}&at=${encodeURIComponent(moment.toISOString())}`;
}

/** The days and vehicles that a page is about. */
export interface Chosen {
  readonly period: Period;
  readonly tags: readonly string[];
  readonly vehicles: readonly string[];
}

/** A report of the same days and vehicles. Pure. */
export function reportPath(
  kind: string,
  { period, tags, vehicles }: Chosen,
  parameters: Readonly<Record<string, string>> = {},
): string {
  const days = period.name === "days" ? { from: period.from, to: period.to } : { period: period.name };
  const query = new URLSearchParams(days);
  for (const tag of tags) query.append("tag", tag);
  for (const id of vehicles) query.append("vehicle", id);
  for (const [name, value] of Object.entries(parameters)) query.set(name, value);
  return `/reports/${kind}?${query}`;
}

/** What a fleet did in these days. */
export function fleetDaysAddress({ period, tags, vehicles }: Chosen, further: QueryValues): Address<"GET /fleet-days"> {
  return to("GET /fleet-days", { from: period.from, to: period.to, ...further, tag: tags, device_id: vehicles });
}

/** Who drove how much in these days. */
export function driverSumsAddress({ period, tags, vehicles }: Chosen): Address<"GET /driver-sums"> {
  return to("GET /driver-sums", { from: period.from, to: period.to, tag: tags, device_id: vehicles });
}
