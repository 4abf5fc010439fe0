import { severities } from "../../domain/alert-types.ts";
import { deviceStatuses } from "../../domain/fleet.ts";
import { sensorKinds } from "../../domain/frame.ts";
import { isUuid } from "../../domain/identifiers.ts";
import { dayMs, parseInstant } from "../../domain/time.ts";
import type { Parameter } from "./parameter.ts";

const query = { in: "query", required: false, emptyIsAbsent: false } as const;

export const defaultLimit = 100;
export const maxRows = 500;

export const limit: Parameter<number> = {
  ...query,
  name: "limit",
  description: "Rows per page.",
  schema: { type: "integer", minimum: 1, maximum: maxRows, default: defaultLimit },
  example: 100,
  expected: `a whole number from 1 to ${maxRows}`,
  read: (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : 0;
    return value >= 1 && value <= maxRows ? value : undefined;
  },
};

export const cursor: Parameter<string> = {
  ...query,
  name: "cursor",
  emptyIsAbsent: true,
  description:
    "The `next_cursor` of the page before. It carries the window and the filters of the first request, so they need not be " +
    "repeated; opaque, never built or parsed by the client. Empty: the first page. Anything else is 400, and so is a " +
    "parameter beside it that contradicts the first request.",
  schema: { type: "string" },
  example: "eyJ2IjoxfQ.c2lnbmF0dXJl",
  expected: "the next_cursor of an earlier answer of this endpoint",
  read: (text) => (text.length <= 4096 ? text : undefined),
};

export const deviceId: Parameter<string> = {
  ...query,
  name: "device_id",
  description:
    "Narrows to one device. Omitted: every device the key can see. A device the key cannot see is 404, same as an unknown one.",
  schema: { type: "string", format: "uuid" },
  example: "5b0c3a1e-7f42-4c7b-9d2a-0e6f4a8b1207",
  expected: "a UUID",
  read: (text) => (isUuid(text) ? text.toLowerCase() : undefined),
};

export const imei: Parameter<string> = {
  ...query,
  name: "imei",
  description:
    "Narrows to one device by its IMEI, as an alternative to `device_id`. An IMEI the key cannot see is 404, same as an " +
    "unknown one and as a text that is none. Given both, they must name the same device.",
  schema: { type: "string", minLength: 1 },
  example: "356307042441013",
  expected: "an IMEI",
  read: (text) => text,
};

/** A moment, or a day of a report whose beginning is meant: when that is depends on the time zone. */
export type WindowTime = number | { readonly day: number };

const timeForms =
  "`24:00:00` is the next midnight, a leap second (`:60`) the next minute. The year in UTC is from 0000 to 9999.";
const instantForms = `Without an offset the time is UTC; a date alone is its midnight. ${timeForms}`;
const reportForms =
  "A date alone is the midnight with which that day starts in the account's time zone; a time without an offset is UTC. " +
  timeForms;

const instantParameter = {
  ...query,
  schema: { type: "string", format: "date-time" },
  expected: "an ISO 8601 time such as 2026-05-01T08:00:00Z or 2026-05-01",
  read: (text: string) => parseInstant(text) ?? undefined,
} as const;

export const from: Parameter<number> = {
  ...instantParameter,
  name: "from",
  description: `Start of the window, included; earlier than \`to\`. Default: 24 hours before \`to\`. ${instantForms}`,
  example: "2026-03-17T00:00:00Z",
};

export const to: Parameter<number> = {
  ...instantParameter,
  name: "to",
  description: `End of the window, not included. Default: now. ${instantForms}`,
  example: "2026-03-18T00:00:00Z",
};

/** `from` and `to` of a report by days. */
export const reportFrom: Parameter<WindowTime> = {
  ...from,
  description:
    "Start of the window, included; earlier than `to`. Default: 24 hours before `to`, or the date before it if `to` is a " +
    `date. ${reportForms}`,
  read: readReportTime,
};

export const reportTo: Parameter<WindowTime> = {
  ...to,
  description: `End of the window, not included. Default: now. ${reportForms}`,
  read: readReportTime,
};

function readReportTime(text: string): WindowTime | undefined {
  const at = parseInstant(text);
  if (at === null) return undefined;
  return text.length === "YYYY-MM-DD".length ? { day: at / dayMs } : at;
}

export const status = oneOf("status", deviceStatuses, "Only devices of this status.", "active");
export const severity = oneOf("severity", severities, "Only alerts of this severity.", "warning");

function oneOf<Value extends string>(
  name: string,
  values: readonly Value[],
  description: string,
  example: Value,
): Parameter<Value> {
  const read = (text: string) => values.find((value) => value === text);
  const schema = { type: "string", enum: values } as const;
  return { ...query, name, description, schema, example, expected: `one of ${values.join(", ")}`, read };
}

/** Names and plates have at most this many characters, alert types far fewer. */
const maxTextLength = 200;

export const search: Parameter<string> = {
  ...query,
  name: "search",
  emptyIsAbsent: true,
  description: "Case-insensitive substring of name, IMEI or plate. Empty: as if left out.",
  schema: { type: "string", maxLength: maxTextLength },
  example: "sprinter",
  expected: `at most ${maxTextLength} characters`,
  read: readText,
};

const boolean = {
  ...query,
  expected: "true or false",
  read: (text: string) => (text === "true" ? true : text === "false" ? false : undefined),
} as const;

export const validOnly: Parameter<boolean> = {
  ...boolean,
  name: "valid_only",
  description: "Drops the frames that the quality filter rejected (no fix, implausible jumps).",
  schema: { type: "boolean", default: true },
  example: true,
};

export const acknowledged: Parameter<boolean> = {
  ...boolean,
  name: "acknowledged",
  description: "Only alerts that are acknowledged, or only those that are not. Omitted: both.",
  schema: { type: "string", enum: ["true", "false"] },
  example: "false",
};

export const alertType: Parameter<string> = {
  ...query,
  name: "alert_type",
  description:
    "Only alerts of exactly this type. It is not checked against a list: an unknown type gives an empty page.",
  schema: { type: "string", minLength: 1, maxLength: maxTextLength },
  example: "speeding",
  expected: `1 to ${maxTextLength} characters`,
  read: readText,
};

/** Any text that is short enough. A text that no record can have, such as a control character, finds nothing. */
function readText(text: string): string | undefined {
  // Counted as the description counts: by characters, not by UTF-16 halves.
  return text.length <= maxTextLength || [...text].length <= maxTextLength ? text : undefined;
}

/** Routes read their path parameters: one that does not fit names no record (404), never a wrong request. */
const path = { in: "path", required: true, emptyIsAbsent: false, expected: "", read: (text: string) => text } as const;

export const devicePath: Parameter<string> = {
  ...path,
  name: "device_id",
  description: "The device's UUID, or its IMEI.",
  schema: { type: "string" },
  example: "5b0c3a1e-7f42-4c7b-9d2a-0e6f4a8b1207",
};

export const userPath: Parameter<string> = {
  ...path,
  name: "user_id",
  description: "The sub-account's UUID.",
  schema: { type: "string" },
  example: "1e4d9c70-6a2b-4d53-b8f1-27c05ae3d961",
};

export const kindPath: Parameter<string> = {
  ...path,
  name: "kind",
  description: "The kind of sensor: `fuel`, `temperature` or `tyre`. Another kind is 404.",
  schema: { type: "string", enum: sensorKinds },
  example: "fuel",
};
