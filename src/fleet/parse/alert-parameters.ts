import { type AlertParameter, type AlertType, alertKind, alertTypes } from "../../domain/alert-types.ts";
import { isParameter, maxAxles, maxSensorNameLength } from "../../domain/alerts/parameters.ts";
import type { Json } from "../../domain/fleet.ts";

interface ParametersRead {
  readonly parameters: Readonly<Record<string, Json>>;
  /** What is wrong, with what was expected. */
  readonly problems: readonly { readonly name: string; readonly expected: string }[];
}

/** The names of all parameters of all rules. Others are unknown fields. */
export const knownParameters: Readonly<Record<string, null>> = Object.fromEntries(
  alertTypes.flatMap((type) => Object.keys(alertKind(type).parameters).map((name) => [name, null])),
);

/** Reads the parameters of a rule of this type, in a fixed order; the rest is left out. */
export function readAlertParameters(alertType: AlertType, raw: Readonly<Record<string, unknown>>): ParametersRead {
  const parameters: Record<string, Json> = {};
  const problems: { name: string; expected: string }[] = [];
  for (const [name, kind] of Object.entries(alertKind(alertType).parameters)) {
    const given = Object.hasOwn(raw, name) ? raw[name] : null;
    if (given === null) continue;
    const value = typeof given === "string" ? given.trim() : given;
    if (isParameter(kind, value) && isText(value)) parameters[name] = value as Json;
    else problems.push({ name, expected: expectedOf(kind) });
  }
  return { parameters, problems };
}

/** A name that holds control characters is no name of a sensor. */
function isText(value: unknown): boolean {
  return typeof value !== "string" || (value.isWellFormed() && !/\p{Cc}/u.test(value));
}

function expectedOf(kind: AlertParameter): string {
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
