import { hasSameTags, type TagHistory } from "../../domain/alerts/set-rules.ts";
import type { Device } from "../../domain/fleet.ts";
import { fromTheBeginning } from "../../domain/versions.ts";
import type { Transaction } from "../../store/database.ts";
import type { FleetDeviceRow } from "../../store/fleet/device-writes.ts";
import {
  type DeviceTagRow,
  deviceTagVersions,
  removeTagVersions,
  saveTagVersions,
  tagHistoryOf,
} from "../../store/fleet/rule-versions.ts";
import type { Consequences } from "../consequences/consequences.ts";
import type { OnLine } from "../parse/fleet-file.ts";
import { accountNumber } from "./apply-accounts.ts";
import type { AccountNumbers } from "./known.ts";

interface Tagged {
  readonly lines: readonly OnLine<Device>[];
  readonly accounts: AccountNumbers;
  /** The devices as they are now, by id. */
  readonly rows: ReadonlyMap<string, FleetDeviceRow>;
  /** The same as they were before. */
  readonly stored: ReadonlyMap<string, FleetDeviceRow>;
  readonly now: number;
}

/**
 * Writes down when a device's tags changed, so that the rules of a tag hold for as long as it has the tag. A line with
 * `tag_versions` is the whole history; without, a change of the tags continues the stored one. Returns the ids of devices whose
 * history changed.
 */
export async function applyTagVersions(
  tx: Transaction,
  { lines, accounts, rows, stored, now }: Tagged,
  consequences: Consequences,
): Promise<string[]> {
  const changed: string[] = [];
  const concerned = lines.filter(({ record }) => {
    const before = stored.get(record.id);
    return record.tagVersions !== null || (before && !hasSameTags(JSON.parse(before.tags_json), record.tags));
  });
  const byAccount = Map.groupBy(concerned, ({ record }) => accountNumber(accounts, record.accountId));
  for (const [accountId, own] of byAccount) {
    const devices = own.flatMap(({ record }) => rows.get(record.id)?.device ?? []);
    const written = Map.groupBy(await deviceTagVersions(tx, accountId, devices), ({ device }) => device);
    const replaced: number[] = [];
    const toSave: DeviceTagRow[] = [];
    for (const { record } of own) {
      const row = rows.get(record.id);
      if (row === undefined) continue;
      const { device } = row;
      const before = stored.get(record.id);
      const versions = written.get(device);
      const history = before && tagHistoryOf(versions, before.tags_json);
      const wanted = wantedHistory(record, history, now);
      if (history ? JSON.stringify(wanted) === JSON.stringify(history) : wanted.length === 1) continue;
      if (versions !== undefined) replaced.push(device);
      // One version holds for all time, which is what no row means.
      for (const { validFrom, content } of wanted.length > 1 ? wanted : []) {
        toSave.push({ account_id: accountId, device, valid_from: validFrom, tags_json: JSON.stringify(content) });
      }
      changed.push(record.id);
      if (history) consequences.rules.tagsChanged(accountId, device, history);
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
