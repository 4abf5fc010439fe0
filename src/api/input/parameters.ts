import { dayMs, parseInstant } from "../../domain/time/time.ts";
import { type Parameter, query, uuidParameter, wholeNumber } from "./parameter.ts";

export const defaultLimit = 100;
export const maxListRows = 500;

export const limit = wholeNumber({
  name: "limit",
  description: "Rows per page.",
  minimum: 1,
  maximum: maxListRows,
  default: defaultLimit,
  example: defaultLimit,
});

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

export const deviceId = uuidParameter(
  "device_id",
  "Narrows to one device. Omitted: every device the key can see. A device the key cannot see is 404, same as an unknown one.",
  "5b0c3a1e-7f42-4c7b-9d2a-0e6f4a8b1207",
);

export const imeiParameter: Parameter<string> = {
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

export const toTime: Parameter<number> = {
  ...instantParameter,
  name: "to",
  description: `End of the window, not included. Default: now. ${instantForms}`,
  example: "2026-03-18T00:00:00Z",
};

/** Required, but a cursor carries it. */
export const timeParameter: Parameter<number> = {
  ...instantParameter,
  name: "time",
  required: true,
  description: `The moment: positions that were recorded at or before it. A cursor carries it. ${instantForms}`,
  example: "2026-03-17T08:03:00Z",
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
  ...toTime,
  description: `End of the window, not included. Default: now. ${reportForms}`,
  read: readReportTime,
};

function readReportTime(text: string): WindowTime | undefined {
  const at = parseInstant(text);
  if (at === null) return undefined;
  return text.length === "YYYY-MM-DD".length ? { day: at / dayMs } : at;
}
