import { hasSameTags, type TagHistory } from "../../domain/alerts/set-rules.ts";
import type { Device } from "../../domain/fleet.ts";
import { fromTheBeginning } from "../../domain/versions.ts";
import {
  type DeviceTagRow,
  deviceTagVersions,
  removeTagVersions,
  saveTagVersions,
  tagHistoryOf,
} from "../../store/fleet/rule-versions.ts";
import { type ApplyContext, type DeviceRows, numbersOf } from "./context.ts";

/**
 * Writes down when a device's tags changed, so that the rules of a tag hold for as long as it has the tag. A line with
 * `tag_versions` is the whole history; without, a change of the tags continues the stored one. Returns the ids of devices whose
 * history changed.
 */
export async function applyTagVersions(
  { tx, file, now, consequences }: ApplyContext,
  { rows, stored }: DeviceRows,
): Promise<ReadonlySet<string>> {
  const changed = new Set<string>();
  const concerned = file.devices.flatMap(({ record }) => {
    const row = rows.get(record.id);
    const before = stored.get(record.id);
    const isConcerned =
      record.tagVersions !== null || (before && !hasSameTags(JSON.parse(before.tags_json), record.tags));
    return row && isConcerned ? [{ record, before, ...row }] : [];
  });
  for (const [accountId, own] of Map.groupBy(concerned, ({ account_id }) => account_id)) {
    const written = Map.groupBy(await deviceTagVersions(tx, accountId, numbersOf(own)), ({ device }) => device);
    const replaced: number[] = [];
    const toSave: DeviceTagRow[] = [];
    for (const { record, before, device } of own) {
      const versions = written.get(device);
      const history = before && tagHistoryOf(versions, before.tags_json);
      const wanted = wantedHistory(record, history, now);
      if (history ? JSON.stringify(wanted) === JSON.stringify(history) : wanted.length === 1) continue;
      if (versions !== undefined) replaced.push(device);
      // One version holds for all time, which is what no row means.
      for (const { validFrom, content } of wanted.length > 1 ? wanted : []) {
        toSave.push({ account_id: accountId, device, valid_from: validFrom, tags_json: JSON.stringify(content) });
      }
      changed.add(record.id);
      if (history) consequences.rules(accountId).tags.set(device, history);
    }
    await removeTagVersions(tx, accountId, replaced);
    await saveTagVersions(tx, toSave);
  }
  return changed;
}

function wantedHistory({ tags, tagVersions }: Device, history: TagHistory | undefined, now: number): TagHistory {
  if (tagVersions === null) {
    return [...(history ?? []).filter(({ validFrom }) => validFrom < now), { validFrom: now, content: tags }];
  }
  if (tagVersions.length === 1) return [{ validFrom: fromTheBeginning, content: tags }];
  return tagVersions.map((version) => ({ validFrom: version.validFrom, content: version.tags }));
}
