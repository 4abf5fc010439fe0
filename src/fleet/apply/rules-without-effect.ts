import type { AlertRule } from "../../domain/fleet.ts";
import { inEachAccount } from "../../store/each-account.ts";
import { newestOwnRules } from "../../store/fleet/alert-settings.ts";
import { ruledDevices } from "../../store/fleet/device-rules.ts";
import { fencesOfDevices } from "../../store/fleet/geofence-writes.ts";
import { forAll, sharedRules } from "../../store/fleet/rule-versions.ts";
import type { RuleWarning } from "../consequences/rule-warnings.ts";
import { type AccountNumbers, type ApplyContext, type DirectoryById, numbersOf } from "./context.ts";

/**
 * Warns about rules that cannot apply: their devices are assigned to none of their fences, they are about crossings and name
 * no fence, or no device has their tag. Such a rule is no error: the assignment may be loaded later. This runs when
 * everything is stored, so the order of lines does not matter.
 */
export async function rulesWithoutEffect(
  context: ApplyContext,
  accounts: AccountNumbers,
  devices: DirectoryById,
): Promise<RuleWarning[]> {
  const warnings = [
    ...(await ownRulesWithoutEffect(context, devices)),
    ...(await sharedRulesWithoutEffect(context, accounts)),
  ];
  return warnings.sort((one, other) => one.line - other.line);
}

async function ownRulesWithoutEffect(
  { tx, file, consequences }: ApplyContext,
  devices: DirectoryById,
): Promise<RuleWarning[]> {
  const ofDevices = file.alertSettings.flatMap(({ line, record: { scope, rules } }) =>
    scope.for === "device" ? [{ line, deviceId: scope.deviceId, rules }] : [],
  );
  const settingsOfDevice = Map.groupBy(ofDevices, ({ deviceId }) => deviceId);
  const lineOfFence = new Map(file.geofences.map(({ line, record }) => [record.id, line]));
  const named = ofDevices.flatMap(({ deviceId }) => devices.get(deviceId) ?? []);
  // Further devices, whose fences this file changes.
  const others = lineOfFence.size > 0 ? [...consequences.derivedAgain] : [];
  const concerned = [...named, ...others.map(({ key }) => ({ account_id: key.accountId, device: key.device }))];
  return inEachAccount(concerned, async (accountId, own) => {
    const settings = await newestOwnRules(tx, accountId, numbersOf(own));
    const withFences = settings
      .map((row) => ({ ...row, rules: fencedRules(JSON.parse(row.rules_json)) }))
      .filter(({ rules }) => rules.length > 0);
    const assigned = Map.groupBy(await fencesOfDevices(tx, accountId, numbersOf(withFences)), ({ device }) => device);
    const warnings: RuleWarning[] = [];
    for (const { device, id, imei, rules, rules_json } of withFences) {
      const own = new Set(assigned.get(device)?.map(({ geofence_id }) => geofence_id));
      // The version in force may be a newer one in the store, not one of the file.
      const ownLine = settingsOfDevice.get(id)?.find((settings) => JSON.stringify(settings.rules) === rules_json)?.line;
      for (const { alertType, geofenceIds } of rules) {
        if (geofenceIds.some((fence) => own.has(fence))) continue;
        // Else the first line about one of these fences.
        const line = ownLine ?? geofenceIds.flatMap((id) => lineOfFence.get(id) ?? [])[0];
        if (line === undefined) continue;
        warnings.push({ kind: kindOf(geofenceIds), line, of: { for: "device", id, imei }, alertType, geofenceIds });
      }
    }
    return warnings;
  });
}

/** A rule for a tag or for all applies if it does for one device. */
async function sharedRulesWithoutEffect({ tx, file }: ApplyContext, accounts: AccountNumbers): Promise<RuleWarning[]> {
  const ofAccounts = file.alertSettings.flatMap(({ line, record: { scope, rules } }) =>
    scope.for === "device" ? [] : [{ line, scope, rules }],
  );
  const warnings: RuleWarning[] = [];
  for (const [id, lines] of Map.groupBy(ofAccounts, ({ scope }) => scope.accountId)) {
    const accountId = accounts.get(id);
    if (accountId === undefined) continue;
    const stored = await sharedRules(tx, accountId);
    const devices = (await ruledDevices(tx, accountId, null)).filter(({ removed_at }) => removed_at === null);
    for (const { line, scope, rules } of lines) {
      const tag = scope.for === "tag" ? scope.tag : forAll;
      const newest = (tag === forAll ? stored.all : stored.byTag.get(tag))?.at(-1)?.content;
      if (JSON.stringify(newest) !== JSON.stringify(rules)) continue;
      const concerned = devices.filter(
        (one) => tag === forAll || (JSON.parse(one.tags_json) as string[]).includes(tag),
      );
      if (concerned.length === 0 && tag !== forAll && rules.length > 0) {
        warnings.push({ kind: "tag_not_used", line, tag });
        continue;
      }
      const fenced = fencedRules(rules);
      const numbers = fenced.length === 0 ? [] : numbersOf(concerned);
      const assigned = new Set((await fencesOfDevices(tx, accountId, numbers)).map(({ geofence_id }) => geofence_id));
      for (const { alertType, geofenceIds } of fenced) {
        if (geofenceIds.some((fence) => assigned.has(fence))) continue;
        const of = tag === forAll ? ({ for: "all" } as const) : ({ for: "tag", tag } as const);
        warnings.push({ kind: kindOf(geofenceIds), line, of, alertType, geofenceIds });
      }
    }
  }
  return warnings;
}

/** The rules that depend on fences. One that switches crossings off is meant to have no effect. */
function fencedRules(rules: readonly AlertRule[]): AlertRule[] {
  return rules.filter(({ alertType, enabled, geofenceIds }) => {
    const isOfCrossings = alertType === "geofence_enter" || alertType === "geofence_exit";
    return isOfCrossings ? enabled : geofenceIds.length > 0;
  });
}

function kindOf(geofenceIds: readonly string[]): "no_fence" | "fences_not_assigned" {
  return geofenceIds.length === 0 ? "no_fence" : "fences_not_assigned";
}
