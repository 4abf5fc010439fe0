import { type Severity, severities } from "../../domain/alert-types.ts";
import { type DeviceStatus, deviceStatuses } from "../../domain/fleet.ts";
import type { Parameter } from "./parameter.ts";

const query = { in: "query", required: false, emptyIsAbsent: false } as const;

/** Names and plates have at most this many characters, alert types far fewer. */
const maxTextLength = 200;

export const status: Parameter<DeviceStatus> = {
  ...query,
  name: "status",
  description: "Only devices of this status.",
  schema: { type: "string", enum: deviceStatuses },
  example: "active",
  expected: `one of ${deviceStatuses.join(", ")}`,
  read: (text) => deviceStatuses.find((candidate) => candidate === text),
};

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

const booleanRead = (text: string) => (text === "true" ? true : text === "false" ? false : undefined);

export const validOnly: Parameter<boolean> = {
  ...query,
  name: "valid_only",
  description: "Drops the frames that the quality filter rejected (no fix, implausible jumps).",
  schema: { type: "boolean", default: true },
  example: true,
  expected: "true or false",
  read: booleanRead,
};

export const acknowledged: Parameter<boolean> = {
  ...query,
  name: "acknowledged",
  description: "Only alerts that are acknowledged, or only those that are not. Omitted: both.",
  schema: { type: "string", enum: ["true", "false"] },
  example: "false",
  expected: "true or false",
  read: booleanRead,
};

export const severity: Parameter<Severity> = {
  ...query,
  name: "severity",
  description: "Only alerts of this severity.",
  schema: { type: "string", enum: severities },
  example: "warning",
  expected: `one of ${severities.join(", ")}`,
  read: (text) => severities.find((candidate) => candidate === text),
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
