import type { AlertType } from "../../domain/alert-types.ts";
import type { Reader } from "../../store/database.ts";
import { fleetDevicesOfAccount } from "../../store/fleet/device-writes.ts";
import { geofencesOfAccount } from "../../store/fleet/geofence-writes.ts";
import type { EffectWarning } from "./effect-types.ts";

/** A rule that is stored but cannot apply. */
export type RuleWarning =
  | {
      readonly kind: "no_fence" | "fences_not_assigned";
      readonly line: number;
      readonly of:
        | { readonly for: "device"; readonly id: string; readonly imei: string }
        | { readonly for: "tag"; readonly tag: string }
        | { readonly for: "all" };
      readonly alertType: AlertType;
      readonly geofenceIds: readonly string[];
    }
  | { readonly kind: "tag_not_used"; readonly line: number; readonly tag: string };

/** One mistake in a script that writes fleet files can cause a warning for every device. */
const maxWarnings = 20;
/** A rule may name thousands of fences. */
const maxFencesNamed = 3;

/** As `load` says it. */
export function ruleWarningWords(warnings: readonly RuleWarning[]): string[] {
  const lines = warnings.slice(0, maxWarnings).map((warning) => `line ${warning.line}: ${wordsOf(warning)}`);
  const others = warnings.length - lines.length;
  return others === 0 ? lines : [...lines, `and ${others} more alert rules that cannot apply`];
}

function wordsOf(warning: RuleWarning): string {
  if (warning.kind === "tag_not_used") {
    return `the rules of tag "${warning.tag}" cannot apply: no device has this tag`;
  }
  const { kind, of, alertType, geofenceIds } = warning;
  const isOfDevice = of.for === "device";
  const whose = isOfDevice ? `device ${of.id} (IMEI ${of.imei})` : of.for === "tag" ? `tag "${of.tag}"` : "all devices";
  const assigned = isOfDevice
    ? "the device is assigned to none of its geofences"
    : "none of the devices is assigned to one of its geofences";
  const why = kind === "no_fence" ? "it names no geofences" : `${assigned} (${listed(geofenceIds)})`;
  return `the ${alertType} rule of ${whose} cannot apply: ${why}`;
}

function listed(ids: readonly string[]): string {
  const some = ids.slice(0, maxFencesNamed);
  const others = ids.length - some.length;
  return others === 0 ? some.join(", ") : `${some.join(", ")} and ${others} more`;
}

export async function effectWarnings(
  reader: Reader,
  accountId: number,
  all: readonly RuleWarning[],
): Promise<readonly EffectWarning[]> {
  // The versions of one record are lines of their own, and may have the same rules.
  const distinct = new Map(all.map(({ line: _, ...warning }) => [JSON.stringify(warning), warning]));
  const shown = [...distinct.values()].slice(0, maxWarnings);
  const rules = shown.filter((warning) => warning.kind !== "tag_not_used");
  const devices = rules.flatMap(({ of }) => (of.for === "device" ? [of.id] : []));
  const fences = rules.flatMap(({ geofenceIds }) => geofenceIds.slice(0, maxFencesNamed));
  const nameOf = new Map(
    [
      ...(devices.length === 0 ? [] : await fleetDevicesOfAccount(reader, accountId, devices)),
      ...(fences.length === 0 ? [] : await geofencesOfAccount(reader, accountId, fences)),
    ].map(({ id, name }) => [id, name]),
  );
  const warnings = shown.map((warning): EffectWarning => {
    if (warning.kind === "tag_not_used") return warning;
    const { kind, of, alertType, geofenceIds } = warning;
    const fence_names = geofenceIds.slice(0, maxFencesNamed).map((id) => nameOf.get(id) ?? id);
    return {
      kind,
      rules_of: of.for === "device" ? of.id : of.for === "tag" ? `tag:${of.tag}` : "all",
      vehicle_name: of.for === "device" ? (nameOf.get(of.id) ?? of.imei) : null,
      alert_type: alertType,
      fence_names,
      more_fences: geofenceIds.length - fence_names.length,
    };
  });
  const more = distinct.size - warnings.length;
  return more === 0 ? warnings : [...warnings, { kind: "more", count: more }];
}
