import {
  firstDifference,
  mergedRules,
  type RuleHistory,
  type SharedRules,
  type TagHistory,
} from "../../domain/alerts/set-rules.ts";
import type { AlertRule } from "../../domain/fleet.ts";
import type { Transaction } from "../../store/database.ts";
import { alertSettingsVersions } from "../../store/fleet/alert-settings.ts";
import { type RuledDevice, ruledDevices } from "../../store/fleet/device-rules.ts";
import {
  accountTagVersions,
  deviceTagVersions,
  forAll,
  sharedRules,
  tagHistoryOf,
} from "../../store/fleet/rule-versions.ts";
import type { ChangedRules, Consequences } from "./consequences.ts";

/**
 * Finds the devices that changes of rules and tags concern, once all is stored: those judged by other rules at any time are
 * derived again from that time on, and followers get those whose settings read differently.
 */
export async function noteRuleChanges(tx: Transaction, consequences: Consequences): Promise<void> {
  for (const [accountId, changed] of consequences.changedRules) {
    const after = await sharedRules(tx, accountId);
    const before = sharedBefore(after, changed.shared);
    const hasTagRules = before.byTag.size + after.byTag.size > 0;
    if (changed.own.size + changed.shared.size === 0 && !hasTagRules) continue;
    const devices = await concernedDevices(tx, accountId, changed);
    const numbers = devices.map(({ device }) => device);
    const own = Map.groupBy(await alertSettingsVersions(tx, accountId, numbers), ({ device }) => device);
    const tagRows = Map.groupBy(await deviceTagVersions(tx, accountId, numbers), ({ device }) => device);
    for (const { id, device, tags_json, removed_at } of devices) {
      const ownNow = (own.get(device) ?? []).map(({ valid_from, rules_json }) => ({
        validFrom: valid_from,
        content: JSON.parse(rules_json) as AlertRule[],
      }));
      const tagsNow = tagHistoryOf(tagRows.get(device), tags_json);
      const ownBefore = changed.own.get(device) ?? ownNow;
      const tagsBefore = changed.tags.get(device) ?? tagsNow;
      const from = firstDifference(
        mergedRules({ own: ownBefore, tags: tagsBefore, shared: before }),
        mergedRules({ own: ownNow, tags: tagsNow, shared: after }),
      );
      // What was removed may come back, with the history that it should have.
      if (from !== null) consequences.deriveAgain({ accountId, device }, from);
      if (removed_at !== null) continue;
      const held = tagsNow.at(-1)?.content ?? [];
      // When its rules changed last is also when a tag with rules came or went: now there may be one more such tag.
      const everHeld = tagsNow.flatMap(({ content }) => content);
      const readsDifferently =
        changed.own.has(device) ||
        changed.shared.has(forAll) ||
        held.some((tag) => changed.shared.has(tag)) ||
        everHeld.some((tag) => changed.shared.get(tag)?.length === 0) ||
        differing(tagsBefore, tagsNow).some((tag) => after.byTag.has(tag));
      if (from !== null || readsDifferently) consequences.records(accountId).settings.set(id, device);
    }
    consequences.changedFleets.add(accountId);
  }
}

function sharedBefore({ byTag, all }: SharedRules, changed: ReadonlyMap<string, RuleHistory>): SharedRules {
  const before = new Map([...byTag, ...changed]);
  before.delete(forAll);
  return { byTag: before, all: changed.get(forAll) ?? all };
}

/** Those with changes of their own, those that have or had a tag with changed rules; all, if rules for all changed. */
async function concernedDevices(tx: Transaction, accountId: number, changed: ChangedRules): Promise<RuledDevice[]> {
  const named = new Set([...changed.own.keys(), ...changed.tags.keys()]);
  if (changed.shared.size === 0) return ruledDevices(tx, accountId, named);
  const devices = await ruledDevices(tx, accountId, null);
  if (changed.shared.has(forAll)) return devices;
  const hasChangedTag = (tagsJson: string) => (JSON.parse(tagsJson) as string[]).some((tag) => changed.shared.has(tag));
  for (const { device, tags_json } of await accountTagVersions(tx, accountId)) {
    if (hasChangedTag(tags_json)) named.add(device);
  }
  return devices.filter(({ device, tags_json }) => named.has(device) || hasChangedTag(tags_json));
}

/** The tags that came or went, by the newest version of each. */
function differing(before: TagHistory, after: TagHistory): string[] {
  const had = before.at(-1)?.content ?? [];
  const has = after.at(-1)?.content ?? [];
  return [...had.filter((tag) => !has.includes(tag)), ...has.filter((tag) => !had.includes(tag))];
}
