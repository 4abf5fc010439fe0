import type { TagHistory } from "../../domain/alerts/set-rules.ts";
import { fromTheBeginning } from "../../domain/versions.ts";
import { bigint, type RowOf, text } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { listOf } from "../in-list.ts";
import { sql } from "../sql.ts";
import { listed, table, upsert } from "../table.ts";

/** A device's tags over time, once they have changed. Without a row, it always had its present tags. */
const deviceTagTable = table("device_tag_versions", ["account_id", "device", "valid_from"], {
  account_id: bigint,
  device: bigint,
  valid_from: bigint,
  tags_json: text,
});

export type DeviceTagRow = RowOf<typeof deviceTagTable.columns>;

const columns = listed(deviceTagTable.columns);
const bulk = upsert(deviceTagTable);

/** Each device's in ascending time. */
export function deviceTagVersions(
  reader: Reader,
  accountId: number,
  devices: Iterable<number>,
): Promise<DeviceTagRow[]> {
  return reader.all(sql`
    select ${columns} from device_tag_versions
    where account_id = ${accountId} and device in ${listOf(devices)} order by device, valid_from`);
}

/** Those of all devices of the account. */
export function accountTagVersions(reader: Reader, accountId: number): Promise<DeviceTagRow[]> {
  return reader.all(sql`
    select ${columns} from device_tag_versions where account_id = ${accountId} order by device, valid_from`);
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
  await tx.insertMany(bulk, rows);
}

export async function removeTagVersions(tx: Transaction, accountId: number, devices: Iterable<number>): Promise<void> {
  await tx.run(sql`delete from device_tag_versions where account_id = ${accountId} and device in ${listOf(devices)}`);
}
