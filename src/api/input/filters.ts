import { severities } from "../../domain/alert-types.ts";
import { deviceStatuses } from "../../domain/fleet.ts";
import { mileageGroups, mileagePeriods } from "../../store/facts/mileage-sums.ts";
import { type Parameter, query } from "./parameter.ts";

export const statusParameter = oneOf("status", deviceStatuses, "Only devices of this status.", "active");
/** Before 2.0 sums were rows of the report by days. They still are, for whoever asks so. */
export const period = deprecated(
  oneOf(
    "period",
    mileagePeriods,
    "Deprecated: `/reports/mileage/sums` has sums, and rows that this description knows. With it, or with `group_by`, rows are " +
      "sums, without pages. Default with `group_by`: `day`.",
    "month",
  ),
);
export const groupBy = deprecated(
  oneOf(
    "group_by",
    mileageGroups,
    "Deprecated: `/reports/mileage/sums` has sums, and rows that this description knows. Default with `period`: `device`.",
    "device",
  ),
);
export const severityParameter = oneOf("severity", severities, "Only alerts of this severity.", "warning");

export function oneOf<Value extends string>(
  name: string,
  values: readonly Value[],
  description: string,
  example: Value,
  usual?: Value,
): Parameter<Value> {
  const read = (text: string) => values.find((value) => value === text);
  const schema = { type: "string", enum: values, ...(usual !== undefined && { default: usual }) } as const;
  return { ...query, name, description, schema, example, expected: `one of ${values.join(", ")}`, read };
}

function deprecated<Value>(parameter: Parameter<Value>): Parameter<Value> {
  return { ...parameter, isDeprecated: true };
}

/** As JSON writes numbers. */
const numberPattern = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** Names and plates have at most this many characters, alert types far fewer. */
const maxTextLength = 200;

export const searchParameter: Parameter<string> = {
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

export const shortText = {
  ...query,
  schema: { type: "string", minLength: 1, maxLength: maxTextLength },
  expected: `1 to ${maxTextLength} characters`,
  read: readText,
} as const;

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

/** Any text that is short enough. A text that no record can have, such as a control character, finds nothing. */
function readText(text: string): string | undefined {
  // Counted as the description counts: by characters, not by UTF-16 halves.
  return text.length <= maxTextLength || [...text].length <= maxTextLength ? text : undefined;
}
