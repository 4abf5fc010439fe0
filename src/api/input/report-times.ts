import { dayMs, parseInstant } from "../../domain/time.ts";
import type { Parameter } from "./parameter.ts";
import { from, instantYears, to } from "./parameters.ts";

/** A moment, or a day whose beginning is meant: when that is depends on the time zone. */
export type ReportTime = { readonly at: number } | { readonly day: number };

const forms =
  "A date alone is the midnight with which that day starts in the account's time zone; a time without an offset is UTC. " +
  `\`24:00:00\` is the next midnight, a leap second (\`:60\`) the next minute. ${instantYears}`;

/** `from` and `to` of a report by days. */
export const reportFrom: Parameter<ReportTime> = {
  ...from,
  description:
    "Start of the window, included; earlier than `to`. Default: 24 hours before `to`, or the date before it if `to` is a " +
    `date. ${forms}`,
  read: readTime,
};

export const reportTo: Parameter<ReportTime> = {
  ...to,
  description: `End of the window, not included. Default: now. ${forms}`,
  read: readTime,
};

function readTime(text: string): ReportTime | undefined {
  const at = parseInstant(text);
  if (at === null) return undefined;
  return text.length === "YYYY-MM-DD".length ? { day: at / dayMs } : { at };
}
