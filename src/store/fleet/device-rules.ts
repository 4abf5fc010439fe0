import {
  mergedRules,
  noSharedRules,
  type SetRule,
  type SharedRules,
  type TagHistory,
} from "../../domain/alerts/set-rules.ts";
import type { AlertRule } from "../../domain/fleet.ts";
import { fromTheBeginning, type Version } from "../../domain/versions.ts";
import type { Reader, Transaction } from "../database.ts";
import { listOf, sql } from "../sql.ts";
import { bigint, listed, type RowOf, table, text, upsert } from "../table.ts";
import { alertSettingsVersions } from "./alert-settings.ts";

export type DeviceRules = readonly Version<readonly SetRule[]>[];

export interface TaggedDevice {
  readonly device: number;
  readonly tags_json: string;
}

/** Merges the rules of an account's devices. Devices without own rules share one history for the same tags. */
export class RuleMerger {
  readonly #shared: SharedRules;
  readonly #byTags = new Map<string, DeviceRules>();

  constructor(shared: SharedRules) {
    this.#shared = shared;
  }

  async of(
    reader: Reader,
    accountId: number,
    devices: readonly TaggedDevice[],
  ): Promise<ReadonlyMap<number, DeviceRules>> {
    const numbers = devices.map(({ device }) => device);
    const own = Map.groupBy(await alertSettingsVersions(reader, accountId, numbers), ({ device }) => device);
    // Tags matter only where one has rules.
    const tags =
      this.#shared.byTag.size === 0
        ? null
        : Map.groupBy(await deviceTagVersions(reader, accountId, numbers), ({ device }) => device);
    return new Map(
      devices.map(({ device, tags_json }) => {
        const history = tags === null ? [] : tagHistoryOf(tags.get(device), tags_json);
        const rows = own.get(device);
        if (rows === undefined) return [device, this.#ofTags(history)];
        const versions = rows.map(({ valid_from, rules_json }) => ({
          validFrom: valid_from,
          content: JSON.parse(rules_json) as readonly AlertRule[],
        }));
        return [device, mergedRules({ own: versions, tags: history, shared: this.#shared })];
      }),
    );
  }

  #ofTags(tags: ReturnType<typeof tagHistoryOf>): DeviceRules {
    const key = JSON.stringify(tags);
    const known = this.#byTags.get(key) ?? mergedRules({ own: [], tags, shared: this.#shared });
    this.#byTags.set(key, known);
    return known;
  }
}

export interface RuledDevice extends TaggedDevice {
  readonly id: string;
  readonly imei: string;
  /** Null: it was not removed. */
  readonly removed_at: number | null;
}

/** Those named; null: all of the account. What was removed is kept and may come back, so it is derived like the others. */
export function ruledDevices(
  reader: Reader,
  accountId: number,
  devices: Iterable<number> | null,
): Promise<RuledDevice[]> {
  const ofAccount = sql`select device, id, imei, tags_json, removed_at from devices where account_id = ${accountId}`;
  if (devices === null) return reader.all(sql`${ofAccount} order by device`);
  return reader.all(sql`${ofAccount} and device in ${listOf(devices)}`);
}

export interface RulesOfDevice extends RuledDevice {
  readonly rules: readonly SetRule[];
}

/** Of the devices named, those for which rules were set: for themselves, for a tag of theirs, or for all. */
export async function newestRules(
  reader: Reader,
  accountId: number,
  devices: Iterable<number> | null,
): Promise<RulesOfDevice[]> {
  const known = await ruledDevices(reader, accountId, devices);
  const rules = await new RuleMerger(await sharedRules(reader, accountId)).of(reader, accountId, known);
  return known
    .map((device) => ({ ...device, rules: rules.get(device.device)?.at(-1)?.content ?? [] }))
    .filter((device) => device.rules.length > 0);
}

/** A device's tags over time, once they have changed. Without a row, it always had its present tags. */
const deviceTagTable = table("device_tag_versions", ["account_id", "device", "valid_from"], {
  account_id: bigint,
  device: bigint,
  valid_from: bigint,
  tags_json: text,
});

export type DeviceTagRow = RowOf<typeof deviceTagTable.columns>;

const tagColumns = listed(deviceTagTable.columns);
const saveTags = upsert(deviceTagTable);

/** Each device's in ascending time. */
export function deviceTagVersions(
  reader: Reader,
  accountId: number,
  devices: Iterable<number>,
): Promise<DeviceTagRow[]> {
  return reader.all(sql`
    select ${tagColumns} from device_tag_versions
    where account_id = ${accountId} and device in ${listOf(devices)} order by device, valid_from`);
}

/** Those of all devices of the account. */
export function accountTagVersions(reader: Reader, accountId: number): Promise<DeviceTagRow[]> {
  return reader.all(sql`
    select ${tagColumns} from device_tag_versions where account_id = ${accountId} order by device, valid_from`);
}

/** The history of a device with these rows, which has these tags now. */
export function tagHistoryOf(rows: readonly DeviceTagRow[] | undefined, tagsJson: string): TagHistory {
  if (rows === undefined || rows.length === 0) {
    return [{ validFrom: fromTheBeginning, content: JSON.parse(tagsJson) as string[] }];
  }
  return rows.map(({ valid_from, tags_json }) => ({
    validFrom: valid_from,
    content: JSON.parse(tags_json) as string[],
  }));
}

export async function saveTagVersions(tx: Transaction, rows: readonly DeviceTagRow[]): Promise<void> {
  await tx.insertMany(saveTags, rows);
}

export async function removeTagVersions(tx: Transaction, accountId: number, devices: Iterable<number>): Promise<void> {
  await tx.run(sql`delete from device_tag_versions where account_id = ${accountId} and device in ${listOf(devices)}`);
}

/** Alert rules for the devices with a tag, or for all of an account, over time. */
const ruleVersionTable = table("rule_versions", ["account_id", "tag", "valid_from"], {
  account_id: bigint,
  /** Empty: for all devices. */
  tag: text,
  valid_from: bigint,
  rules_json: text,
  created_at: bigint,
});

/** The tag under which the rules for all devices are stored: no tag is empty. */
export const forAll = "";

export type RuleVersionRow = RowOf<typeof ruleVersionTable.columns>;

const ruleColumns = listed(ruleVersionTable.columns);
const saveRules = upsert(ruleVersionTable);

export function ruleVersions(reader: Reader, accountId: number): Promise<RuleVersionRow[]> {
  return reader.all(sql`
    select ${ruleColumns} from rule_versions where account_id = ${accountId} order by tag, valid_from`);
}

export async function sharedRules(reader: Reader, accountId: number): Promise<SharedRules> {
  const rows = await ruleVersions(reader, accountId);
  if (rows.length === 0) return noSharedRules;
  const histories = new Map(
    Map.groupBy(rows, ({ tag }) => tag)
      .entries()
      .map(([tag, versions]) => [
        tag,
        versions.map(({ valid_from, rules_json }) => ({
          validFrom: valid_from,
          content: JSON.parse(rules_json) as readonly AlertRule[],
        })),
      ]),
  );
  const all = histories.get(forAll) ?? [];
  histories.delete(forAll);
  return { byTag: histories, all };
}

export async function saveRuleVersions(tx: Transaction, rows: readonly RuleVersionRow[]): Promise<void> {
  await tx.insertMany(saveRules, rows);
}
