import { mergedRules, type SetRule, type SharedRules } from "../../domain/alerts/set-rules.ts";
import type { AlertRule } from "../../domain/fleet.ts";
import type { Version } from "../../domain/versions.ts";
import type { Reader } from "../database.ts";
import { listOf, sql } from "../sql.ts";
import { alertSettingsVersions } from "./alert-settings.ts";
import { deviceTagVersions, sharedRules, tagHistoryOf } from "./rule-versions.ts";

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
