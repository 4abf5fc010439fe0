import { withoutFences } from "../../domain/alerts/set-rules.ts";
import type { AlertRule } from "../../domain/fleet.ts";
import type { Transaction } from "../../store/database.ts";
import {
  type AlertSettingsVersionRow,
  alertSettingsVersions,
  saveAlertSettings,
} from "../../store/fleet/alert-settings.ts";
import type { DirectoryEntry } from "../../store/fleet/device-writes.ts";
import { removedGeofenceIds } from "../../store/fleet/geofence-list.ts";
import { geofencesById } from "../../store/fleet/geofence-writes.ts";
import { forAll, type RuleVersionRow, ruleVersions, saveRuleVersions } from "../../store/fleet/rule-versions.ts";
import { noteRuleChanges } from "../consequences/note-rule-changes.ts";
import type { OnLine } from "../parse/fleet-file.ts";
import type { RecordOf } from "../parse/records.ts";
import { DoesNotFit } from "../parse/reference.ts";
import { noSuchAccount } from "./apply-accounts.ts";
import { type AccountNumbers, type ApplyContext, byId, type DirectoryById, emptyTally, type Tally } from "./context.ts";
import { newVersions } from "./history.ts";

const noRules = { rules_json: "[]", valid_from: Number.NEGATIVE_INFINITY };

interface PlacedLine extends OnLine<RecordOf<"alert_settings">> {
  readonly accountId: number;
  /** Null: the rules are for a tag, or for all devices. */
  readonly entry: DirectoryEntry | null;
}

/**
 * The rules of devices, of tags and of whole accounts. Afterwards it finds the devices that are judged by other rules than
 * before, also because their tags changed.
 */
export async function applyAlertSettings(
  { tx, file, now, consequences }: ApplyContext,
  accounts: AccountNumbers,
  devices: DirectoryById,
): Promise<Tally> {
  const tally = emptyTally();
  const lines = file.alertSettings.map((line) => ({ ...line, ...placeOf(line, accounts, devices) }));
  await refuseForeignFences(tx, lines);
  for (const [accountId, own] of Map.groupBy(lines, (line) => line.accountId)) {
    const removed = await removedGeofenceIds(tx, accountId);
    const entries = new Map(own.flatMap(({ entry }) => (entry === null ? [] : [[entry.device, entry] as const])));
    const stored = [
      ...(await alertSettingsVersions(tx, accountId, entries.keys())),
      ...(own.some(({ entry }) => entry === null) ? await ruleVersions(tx, accountId) : []),
    ];
    const storedOf = Map.groupBy(stored, (row) => ("device" in row ? row.device : row.tag));
    const ownRows: AlertSettingsVersionRow[] = [];
    const sharedRows: RuleVersionRow[] = [];
    for (const [of, together] of Map.groupBy(own, whose)) {
      const before = storedOf.get(of) ?? [];
      const { versions, outcome } = versionsToSave(before, together, now, removed);
      tally[outcome]++;
      if (versions.length === 0) continue;
      const rules = consequences.rules(accountId);
      if (typeof of === "number") {
        for (const version of versions) ownRows.push({ account_id: accountId, device: of, ...version });
        rules.own.set(of, before.map(parsed));
      } else {
        for (const version of versions) {
          sharedRows.push({ account_id: accountId, tag: of, ...version, created_at: now });
        }
        rules.shared.set(of, before.map(parsed));
      }
      const id = typeof of === "number" ? (entries.get(of)?.id ?? "") : of === forAll ? "all" : `tag:${of}`;
      const line = together.at(-1)?.line ?? 0;
      const fields = outcome === "added" ? null : ["rules"];
      const newest = (rows: readonly { readonly rules_json: string; readonly valid_from: number }[]) =>
        rows.reduce((last, row) => (row.valid_from >= last.valid_from ? row : last), noRules).rules_json;
      const logged = rulesInShort(newest(before), newest(versions));
      consequences.changed.note({ type: "alert_settings", accountId, id, line, fields, logged });
    }
    await saveAlertSettings(tx, ownRows, now);
    await saveRuleVersions(tx, sharedRows);
  }
  await noteRuleChanges(tx, consequences);
  return tally;
}

/** The number of the device, or the tag; rules for all are `forAll`. */
function whose({ entry, record: { scope } }: PlacedLine): number | string {
  if (entry !== null) return entry.device;
  return scope.for === "tag" ? scope.tag : forAll;
}

interface StoredVersion {
  readonly valid_from: number;
  readonly rules_json: string;
}

function versionsToSave(
  stored: readonly StoredVersion[],
  lines: readonly OnLine<RecordOf<"alert_settings">>[],
  now: number,
  removedFences: ReadonlySet<string>,
): { readonly versions: readonly StoredVersion[]; readonly outcome: keyof Tally } {
  // Rules may still name a fence that was removed. A line that leaves it out says the same.
  const present = (rules: string) => JSON.stringify(withoutFences(JSON.parse(rules) as AlertRule[], removedFences));
  const same = (one: string, other: string) =>
    one === other || (removedFences.size > 0 && present(one) === present(other));
  const { toSave, outcome } = newVersions(
    stored.map((row) => ({ validFrom: row.valid_from, content: row.rules_json })),
    lines.map(({ record }) => ({ content: JSON.stringify(record.rules), validFrom: record.valid_from })),
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
  { line, record: { scope } }: OnLine<RecordOf<"alert_settings">>,
  accounts: AccountNumbers,
  devices: DirectoryById,
): Pick<PlacedLine, "accountId" | "entry"> {
  if (scope.for !== "device") {
    const accountId = accounts.get(scope.accountId);
    if (accountId !== undefined) return { accountId, entry: null };
    throw noSuchAccount(line, scope.accountId);
  }
  const entry = devices.get(scope.deviceId);
  if (entry) return { accountId: entry.account_id, entry };
  const problem = `expected the id of a device that is in this file or stored, got "${scope.deviceId}"`;
  throw new DoesNotFit(line, "device_id", problem);
}

async function refuseForeignFences(tx: Transaction, lines: readonly PlacedLine[]): Promise<void> {
  const named = lines.flatMap(({ record }) => record.rules.flatMap((rule) => rule.geofenceIds));
  const fences = byId(await geofencesById(tx, named));
  for (const { line, record, accountId, entry } of lines) {
    for (const [ruleIndex, rule] of record.rules.entries()) {
      for (const [index, id] of rule.geofenceIds.entries()) {
        const fence = fences.get(id);
        if (fence?.account_id === accountId && fence.removed_at === null) continue;
        const whose = entry === null ? "the account" : "the device's account";
        const problem = `expected the id of a geofence of ${whose}, got "${id}"`;
        throw new DoesNotFit(line, `rules[${ruleIndex}].geofence_ids[${index}]`, problem);
      }
    }
  }
}

/** The rules in which two versions differ, for the audit log. */
function rulesInShort(beforeJson: string, afterJson: string) {
  const [before, after] = [beforeJson, afterJson].map(
    (json) => new Map((JSON.parse(json) as AlertRule[]).map((rule) => [rule.alertType, ruleInShort(rule)])),
  ) as [Map<string, string>, Map<string, string>];
  const differing = [...new Set([...before.keys(), ...after.keys()])].filter(
    (type) => before.get(type) !== after.get(type),
  );
  const text = (rules: ReadonlyMap<string, string>) => differing.flatMap((type) => rules.get(type) ?? []).join(", ");
  return { before: { rules: text(before) }, after: { rules: text(after) } };
}

function ruleInShort({ alertType, enabled, severity, parameters, geofenceIds }: AlertRule): string {
  const values = Object.entries(parameters).filter(([, value]) => value !== null);
  const said = [
    enabled ? "on" : "off",
    ...(severity === null ? [] : [severity]),
    ...values.map(([name, value]) => `${name} ${JSON.stringify(value)}`),
    ...(geofenceIds.length === 0 ? [] : [`fences ${geofenceIds.length}`]),
  ];
  return `${alertType} (${said.join(" ")})`;
}
