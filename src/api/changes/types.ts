import { type ChangeType, changeTypes, isChangeType } from "../../domain/changes/types.ts";
import type { Scope } from "../../domain/scopes.ts";
import { type Parameter, query } from "../input/parameter.ts";
import { insufficientScope } from "../refusals.ts";

const scopeOfType: Readonly<Record<ChangeType, Scope>> = {
  device: "devices:read",
  position: "positions:read",
  trip: "trips:read",
  stop: "trips:read",
  alert: "alerts:read",
  reading: "sensors:read",
  geofence: "geofences:read",
  geofence_event: "geofences:read",
  mileage: "reports:read",
  user: "users:read",
  alert_settings: "devices:read",
  driver: "devices:read",
};

const separator = ",";
const anyType = changeTypes.join("|");

/** Its value is the list in a fixed order: two requests for the same types have the same one. */
export const types: Parameter<string> = {
  ...query,
  name: "types",
  description:
    `Only changes of these records, separated by commas: ${changeTypes.map((type) => `\`${type}\``).join(", ")}. Omitted: ` +
    "all that the key's scopes grant. A type whose scope the key lacks is 403, which names all that are missing.",
  isCommaList: true,
  schema: { type: "string", pattern: `^(${anyType})(,(${anyType}))*$` },
  example: "trip,alert",
  expected: `a comma-separated list of ${changeTypes.join(", ")}`,
  read: (text) => {
    const named = text.split(separator);
    return named.every(isChangeType) ? changeTypes.filter((type) => named.includes(type)).join(separator) : undefined;
  },
};

/** The types of a list, or all that the scopes grant. A type without its scope is refused. */
export function wantedTypes(list: string | null, scopes: readonly Scope[]): ReadonlySet<ChangeType> {
  if (list === null) return new Set(changeTypes.filter((type) => scopes.includes(scopeOfType[type])));
  const wanted = list.split(separator).filter(isChangeType);
  const refused = wanted.filter((type) => !scopes.includes(scopeOfType[type]));
  if (refused.length > 0) {
    const missing = [...new Set(refused.map((type) => scopeOfType[type]))];
    throw insufficientScope(
      missing,
      { scopes },
      `the ${refused.length === 1 ? "type" : "types"} ${refused.join(", ")}`,
    );
  }
  return new Set(wanted);
}
