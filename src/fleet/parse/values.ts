import { z } from "zod";
import { type AlertParameter, type AlertType, alertKind, alertTypes } from "../../domain/alert-types.ts";
import { isParameter, maxAxles, maxSensorNameLength } from "../../domain/alerts/parameters.ts";
import type { Json } from "../../domain/fleet.ts";
import { utc, zoneNamed } from "../../domain/time/time-zone.ts";
import { readTrackerClock } from "../../domain/time/tracker-clock.ts";
import { knownInTimes, readTimes } from "./times.ts";

/**
 * Lists and objects of which the size is checked before what is in them. A thousand wrong items are no more of a help than the
 * first few, and would take a second to describe.
 */

/** A list of at most so many items. Reading ends with the first `atOnce` of which some are wrong. */
export function boundedArray<Item extends z.ZodType>(item: Item, max: number, error: string, atOnce = 500) {
  const some = z.array(item);
  return z
    .array(z.unknown(), { error })
    .max(max, { error })
    .transform((items, context): z.output<Item>[] => {
      const read: z.output<Item>[] = [];
      for (let start = 0; start < items.length; start += atOnce) {
        const { data, error } = some.safeParse(items.slice(start, start + atOnce));
        for (const { path, ...issue } of error?.issues ?? []) {
          const [index, ...inside] = path;
          context.issues.push({
            ...issue,
            path: [start + Number(index), ...inside],
            input: items,
          } as z.core.$ZodRawIssue);
        }
        if (data === undefined) return z.NEVER;
        read.push(...data);
      }
      return read;
    });
}

/** An object of at most so many fields; anything else is left to the schema behind it. */
export function boundedFields(max: number, error: string) {
  const isBounded = (value: unknown) => typeof value !== "object" || value === null || Object.keys(value).length <= max;
  return z.unknown().refine(isBounded, { error }).optional();
}

const anyZone = 'an IANA time zone such as "Europe/Berlin"';

/** The name of an account's time zone as IANA spells it; the file may write it in any case. Left out or empty: UTC. */
export const timeZone = z
  .string({ error: anyZone })
  .trim()
  .nullish()
  .transform((name, context): string => {
    const zone = name ? zoneNamed(name) : utc;
    if (zone === null) context.addIssue({ code: "custom", message: expectedInsteadOf(name ?? ""), input: name });
    return zone?.name ?? z.NEVER;
  });

/** IANA has names for whole hours only, and their signs are the opposite: `Etc/GMT-2` is two hours ahead of UTC. */
function expectedInsteadOf(name: string): string {
  const [, sign, hours, minutes = "00"] = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$/i.exec(name) ?? [];
  if (sign === undefined || minutes !== "00") return anyZone;
  const fixed = Number(hours) === 0 ? utc.name : `Etc/GMT${sign === "+" ? "-" : "+"}${Number(hours)}`;
  return zoneNamed(fixed) === null ? anyZone : `${anyZone}, or "${fixed}" if its clocks never change`;
}

const anyClock =
  'a time zone such as "Europe/Berlin", or how far the tracker\'s clock is ahead of UTC such as "+08:00" or "-360s"';

/** In one spelling. Left out, empty or UTC: null. */
export const trackerClock = z
  .string({ error: anyClock })
  .trim()
  .nullish()
  .transform((text, context): string | null => {
    const clock = text ? readTrackerClock(text) : null;
    if (clock === undefined) context.addIssue({ code: "custom", message: anyClock, input: text });
    return clock?.text ?? null;
  });

interface ParametersRead {
  readonly parameters: Readonly<Record<string, Json>>;
  /** What is wrong, with what was expected. */
  readonly problems: readonly { readonly path: readonly PropertyKey[]; readonly expected: string }[];
}

/** The names of all parameters of all rules. Others are unknown fields. */
export const knownParameters = {
  ...Object.fromEntries(
    alertTypes.flatMap((type) => Object.keys(alertKind(type).parameters).map((name) => [name, null])),
  ),
  times: knownInTimes,
};

/** Reads the parameters of a rule of this type, in a fixed order; the rest is left out. */
export function readAlertParameters(alertType: AlertType, raw: Readonly<Record<string, unknown>>): ParametersRead {
  const parameters: Record<string, Json> = {};
  const problems: { path: readonly PropertyKey[]; expected: string }[] = [];
  for (const [name, kind] of Object.entries(alertKind(alertType).parameters)) {
    const given = Object.hasOwn(raw, name) ? raw[name] : null;
    if (given === null || kind.kind === "times") continue;
    const value = typeof given === "string" ? given.trim() : given;
    if (isParameter(kind, value) && isText(value)) parameters[name] = value as Json;
    else problems.push({ path: [name], expected: expectedOf(kind) });
  }
  const { times, problems: wrongTimes } = readTimes(Object.hasOwn(raw, "times") ? raw.times : null);
  if (times !== null) parameters.times = times;
  return { parameters, problems: [...problems, ...wrongTimes] };
}

/** A name that holds control characters is no name of a sensor. */
function isText(value: unknown): boolean {
  return typeof value !== "string" || (value.isWellFormed() && !/\p{Cc}/u.test(value));
}

function expectedOf(kind: Exclude<AlertParameter, { readonly kind: "times" }>): string {
  switch (kind.kind) {
    case "number":
      return `a number from ${kind.min} to ${kind.max}`;
    case "choice":
      return kind.values.join(" or ");
    case "sensor":
      return `the name of a sensor, text of 1 to ${maxSensorNameLength} characters, none of them a control character`;
    case "by_axle":
      return `a number from ${kind.min} to ${kind.max}, or an object with such a number for axles from "1" to "${maxAxles}"`;
  }
}
