import { withoutFences } from "../../domain/alerts/set-rules.ts";
import type { AlertRule, AlertSettings } from "../../domain/fleet.ts";
import type { Transaction } from "../../store/database.ts";
import { inEachAccount } from "../../store/each-account.ts";
import {
  type AlertSettingsVersionRow,
  alertSettingsVersions,
  saveAlertSettings,
} from "../../store/fleet/alert-settings.ts";
import type { DirectoryEntry } from "../../store/fleet/device-writes.ts";
import { removedGeofenceIds } from "../../store/fleet/geofence-list.ts";
import { type GeofenceRow, geofencesById } from "../../store/fleet/geofence-writes.ts";
import { forAll, type RuleVersionRow, ruleVersions, saveRuleVersions } from "../../store/fleet/rule-versions.ts";
import type { ChangedRecord } from "../consequences/changed-records.ts";
import type { Consequences } from "../consequences/consequences.ts";
import { noteRuleChanges } from "../consequences/note-rule-changes.ts";
import type { FleetFile, OnLine } from "../parse/fleet-file.ts";
import { doesNotFit } from "../parse/reference.ts";
import { newVersions } from "./history.ts";
import type { AccountNumbers, KnownDevices } from "./known.ts";
import { emptyTally, type Tally } from "./tally.ts";

/** A line with whom its rules are for. */
interface Placed extends OnLine<AlertSettings> {
  readonly accountId: number;
  /** Null: the rules are for a tag, or for all devices. */
  readonly entry: DirectoryEntry | null;
}

/**
 * The rules of devices, of tags and of whole accounts. Afterwards it finds the devices that are judged by other rules than
 * before, also because their tags changed.
 */
export async function applyAlertSettings(
  tx: Transaction,
  file: FleetFile,
  known: { readonly accounts: AccountNumbers; readonly devices: KnownDevices },
  now: number,
  consequences: Consequences,
): Promise<Tally> {
  const tally = emptyTally();
  const lines = file.alertSettings.map((line) => ({ ...line, ...placeOf(line, known) }));
  await refuseForeignFences(tx, lines);
  await applyOwnRules(tx, lines, now, { tally, consequences });
  await applySharedRules(tx, lines, now, { tally, consequences });
  await noteRuleChanges(tx, consequences);
  return tally;
}

interface Results {
  readonly tally: Tally;
  readonly consequences: Consequences;
}

async function applyOwnRules(tx: Transaction, lines: readonly Placed[], now: number, { tally, consequences }: Results) {
  const byDevice = Map.groupBy(lines, ({ entry }) => entry);
  byDevice.delete(null);
  const entries = [...byDevice.keys()].filter((entry) => entry !== null);
  const storedRows = await inEachAccount(entries, (accountId, own) =>
    alertSettingsVersions(
      tx,
      accountId,
      own.map(({ device }) => device),
    ),
  );
  const stored = Map.groupBy(storedRows, (row) => row.device);
  const toSave: AlertSettingsVersionRow[] = [];
  const removed = new Map<number, ReadonlySet<string>>();
  for (const { account_id } of entries) {
    if (!removed.has(account_id)) removed.set(account_id, await removedGeofenceIds(tx, account_id));
  }
  for (const [entry, own] of byDevice) {
    if (entry === null) continue;
    const { account_id, device } = entry;
    const before = stored.get(device) ?? [];
    const { versions, outcome } = versionsToSave(before, own, now, removed.get(account_id) ?? new Set());
    for (const version of versions) toSave.push({ account_id, device, ...version });
    if (versions.length > 0) {
      consequences.rules.ownChanged(account_id, device, before.map(parsed));
      consequences.changed.note(changedSettings(account_id, entry.id, own, outcome));
    }
    tally[outcome]++;
  }
  await saveAlertSettings(tx, toSave, now);
}

async function applySharedRules(
  tx: Transaction,
  lines: readonly Placed[],
  now: number,
  { tally, consequences }: Results,
) {
  const byAccount = Map.groupBy(
    lines.filter(({ entry }) => entry === null),
    ({ accountId }) => accountId,
  );
  for (const [accountId, own] of byAccount) {
    const stored = Map.groupBy(await ruleVersions(tx, accountId), ({ tag }) => tag);
    const removed = await removedGeofenceIds(tx, accountId);
    const toSave: RuleVersionRow[] = [];
    const byTag = Map.groupBy(own, ({ record: { scope } }) => (scope.for === "tag" ? scope.tag : forAll));
    for (const [tag, ofTag] of byTag) {
      const before = stored.get(tag) ?? [];
      const { versions, outcome } = versionsToSave(before, ofTag, now, removed);
      for (const version of versions) toSave.push({ account_id: accountId, tag, ...version, created_at: now });
      if (versions.length > 0) {
        consequences.rules.sharedChanged(accountId, tag, before.map(parsed));
        const id = tag === forAll ? "all" : `tag:${tag}`;
        consequences.changed.note(changedSettings(accountId, id, ofTag, outcome));
      }
      tally[outcome]++;
    }
    await saveRuleVersions(tx, toSave);
  }
}

/** For the revision of the record, and the audit log. */
function changedSettings(accountId: number, id: string, lines: readonly Placed[], outcome: keyof Tally): ChangedRecord {
  const fields = outcome === "added" ? null : ["rules"];
  return { type: "alert_settings", accountId, id, line: lines.at(-1)?.line ?? 0, fields };
}

interface StoredVersion {
  readonly valid_from: number;
  readonly rules_json: string;
}

function versionsToSave(
  stored: readonly StoredVersion[],
  lines: readonly OnLine<AlertSettings>[],
  now: number,
  removedFences: ReadonlySet<string>,
): { readonly versions: readonly StoredVersion[]; readonly outcome: keyof Tally } {
  // Rules may still name a fence that was removed. A line that leaves it out says the same.
  const present = (rules: string) => JSON.stringify(withoutFences(JSON.parse(rules) as AlertRule[], removedFences));
  const same = (one: string, other: string) =>
    one === other || (removedFences.size > 0 && present(one) === present(other));
  const { toSave, outcome } = newVersions(
    stored.map((row) => ({ validFrom: row.valid_from, content: row.rules_json })),
    lines.map(({ record }) => ({ content: JSON.stringify(record.rules), validFrom: record.validFrom })),
    now,
    same,
  );
  const versions = toSave.map(({ validFrom, content }) => ({ valid_from: validFrom, rules_json: content }));
  return { versions, outcome };
}

function parsed({ valid_from, rules_json }: StoredVersion) {
  return { validFrom: valid_from, content: JSON.parse(rules_json) as AlertRule[] };
}

function placeOf(
  { line, record: { scope } }: OnLine<AlertSettings>,
  { accounts, devices }: { readonly accounts: AccountNumbers; readonly devices: KnownDevices },
): Pick<Placed, "accountId" | "entry"> {
  if (scope.for !== "device") {
    const accountId = accounts.get(scope.accountId);
    if (accountId !== undefined) return { accountId, entry: null };
    const problem = `expected the id of an account that is in this file or stored, got "${scope.accountId}"`;
    throw doesNotFit(line, "account_id", problem);
  }
  const entry = devices.get(scope.deviceId);
  if (entry) return { accountId: entry.account_id, entry };
  const problem = `expected the id of a device that is in this file or stored, got "${scope.deviceId}"`;
  throw doesNotFit(line, "device_id", problem);
}

async function refuseForeignFences(tx: Transaction, lines: readonly Placed[]): Promise<void> {
  const named = lines.flatMap(({ record }) => record.rules.flatMap((rule) => rule.geofenceIds));
  const fences = new Map((await geofencesById(tx, named)).map((fence): [string, GeofenceRow] => [fence.id, fence]));
  for (const { line, record, accountId, entry } of lines) {
    for (const [ruleIndex, rule] of record.rules.entries()) {
      for (const [index, id] of rule.geofenceIds.entries()) {
        const fence = fences.get(id);
        if (fence?.account_id === accountId && fence.removed_at === null) continue;
        const whose = entry === null ? "the account" : "the device's account";
        const problem = `expected the id of a geofence of ${whose}, got "${id}"`;
        throw doesNotFit(line, `rules[${ruleIndex}].geofence_ids[${index}]`, problem);
      }
    }
  }
}
