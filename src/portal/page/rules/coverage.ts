import type { AlertType } from "../../../domain/alert-types.ts";
import type { DevicesById } from "../../both-sides/vehicles/devices.ts";
import type { RulesOfPage } from "./rules-api.ts";
import { tagOf } from "./scope-rules.ts";

/** For how many vehicles of a tag, or of all, the rules set for them count. */
export interface Coverage {
  readonly vehicles: number;
  readonly inForce: number;
  /** How many have rules of their own instead. */
  readonly own: number;
}

/** Once a rule of the type is set here. Null: the page is about one vehicle. */
export function coverageOf({ scope, shared }: RulesOfPage, type: AlertType, devices: DevicesById): Coverage | null {
  const tag = tagOf(scope.id);
  const isOfAll = scope.id === "all";
  if (tag === null && !isOfAll) return null;
  const meant = [...devices.values()].filter(({ tags }) => tag === null || tags.includes(tag));
  const ruled = new Set(shared.own.flatMap((one) => (one.alert_types.includes(type) ? [one.device_id] : [])));
  const ofTags = new Set(
    shared.data.flatMap(({ id, rules }) => {
      const name = tagOf(id);
      return name !== null && rules.some(({ alert_type }) => alert_type === type) ? [name] : [];
    }),
  );
  const own = meant.filter(({ device_id }) => ruled.has(device_id)).length;
  const byTag = isOfAll
    ? meant.filter(({ device_id, tags }) => !ruled.has(device_id) && tags.some((one) => ofTags.has(one))).length
    : 0;
  return { vehicles: meant.length, inForce: meant.length - own - byTag, own };
}
