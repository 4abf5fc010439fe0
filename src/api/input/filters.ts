import { severities } from "../../domain/alert-types.ts";
import { deviceStatuses } from "../../domain/fleet.ts";
import { choiceParameter, maxTextLength, type Parameter, query, readShortText, shortText } from "./parameter.ts";

export const statusParameter = choiceParameter("status", deviceStatuses, "Only devices of this status.", "active");
export const severityParameter = choiceParameter("severity", severities, "Only alerts of this severity.", "warning");

/** As JSON writes numbers. */
const numberPattern = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

export const searchParameter: Parameter<string> = {
  ...query,
  name: "search",
  emptyIsAbsent: true,
  description: "Case-insensitive substring of name, IMEI or plate. Empty: as if left out.",
  schema: { type: "string", maxLength: maxTextLength },
  example: "sprinter",
  expected: `at most ${maxTextLength} characters`,
  read: readShortText,
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

export const includeNames: Parameter<boolean> = {
  ...boolean,
  name: "include_names",
  description:
    "Adds names beside their ids: `device_name`, `plate`, `geofence_name`, `geofence_names`, `user_name`. Null: none, or not to be seen.",
  schema: { type: "boolean", default: false },
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
  ...shortText,
  name: "alert_type",
  description:
    "Only alerts of exactly this type. It is not checked against a list: an unknown type gives an empty page.",
  example: "speeding",
};

export const tag: Parameter<string> = {
  ...shortText,
  name: "tag",
  description: "Only devices that have exactly this tag now. An unknown tag gives an empty page.",
  example: "refrigerated",
};

export const minValue = bound("min_value", "Only alerts whose `value` is at least this.", 100);
export const maxValue = bound("max_value", "Only alerts whose `value` is at most this.", 130);

function bound(name: string, description: string, example: number): Parameter<number> {
  return {
    ...query,
    name,
    description: `${description} Alerts without a value are left out.`,
    schema: { type: "number" },
    example,
    expected: "a number",
    read: (text) => {
      const value = numberPattern.test(text) ? Number(text) : Number.NaN;
      return Number.isFinite(value) ? value : undefined;
    },
  };
}
