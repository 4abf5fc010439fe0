import { dayMs, formatInstant, parseInstant } from "../../domain/time/time.ts";
import type { Zone } from "../../domain/time/time-zone.ts";
import { from, timeParameter, toTime } from "../input/parameters.ts";
import type { RpcParams } from "./message.ts";
import type { Tool } from "./tools.ts";

/** Reports take days of the account's zone by themselves. */
const moments = [from, toTime, timeParameter];

/** Times without an offset are the fleet's own here: a model passes on what a person said. The API takes them as UTC. */
export function inFleetTime({ route }: Tool, given: RpcParams, zone: Zone): RpcParams {
  const changed: Record<string, string> = {};
  for (const parameter of route.parameters) {
    const { name, schema } = parameter;
    const said = given[name];
    if (schema.format !== "date-time" || typeof said !== "string") continue;
    const isDay = /^\d{4}-\d\d-\d\d$/.test(said);
    if (isDay && !moments.some((one) => one === parameter)) continue;
    const at = hasOffset(said) ? null : parseInstant(said);
    if (at === null) continue;
    const day = Math.floor(at / dayMs);
    const ms = isDay ? zone.startOf(day) : zone.momentOf(day, at - day * dayMs);
    changed[name] = formatInstant(ms);
  }
  return { ...given, ...changed };
}

function hasOffset(text: string): boolean {
  return /(?:z|[+-]\d\d(?::?\d\d)?| \d\d:\d\d)$/i.test(text.slice("YYYY-MM-DDTHH:MM".length));
}

/** As the clocks of the fleet show it, with their offset: `2026-05-01T10:00:00+02:00`. In UTC as the API writes it. */
export function fleetTime(ms: number, zone: Zone): string {
  if (zone.name === "UTC") return formatInstant(ms);
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone.name,
    hourCycle: "h23",
    ...{ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit" },
  } as const).formatToParts(ms);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  const local = `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}:${part("second")}`;
  const minutes = Math.round(((parseInstant(local) ?? ms) - Math.floor(ms / 1000) * 1000) / 60_000);
  const digits = (value: number) => String(value).padStart(2, "0");
  const offset = `${minutes < 0 ? "-" : "+"}${digits(Math.floor(Math.abs(minutes) / 60))}:${digits(Math.abs(minutes) % 60)}`;
  return local + offset;
}
