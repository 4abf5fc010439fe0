import { bigint, orNull, type RowOf, text, uuid } from "../columns.ts";
import type { BulkTable, Reader, Transaction } from "../database.ts";
import { listOf, sql } from "../sql.ts";
import { listed, omit, stamped, table } from "../table.ts";

export const assignmentTable = table("assignments", ["account_id", "user_id", "id"], {
  account_id: bigint,
  user_id: uuid,
  device: bigint,
  /** The device's public id and IMEI. */
  id: uuid,
  imei: orNull(text),
  created_at: bigint,
});

const shown = omit(assignmentTable.columns, "imei", "created_at");
const columns = listed(shown);
const columnsOfAssignment = listed(shown, "a");
const bulk: BulkTable = { ...assignmentTable, onConflict: "on conflict do nothing" };

export type Assignment = RowOf<typeof shown>;

export async function assignmentsOfDevices(
  reader: Reader,
  accountId: number,
  devices: Iterable<number>,
): Promise<Assignment[]> {
  return reader.all(sql`
    select ${columns} from assignments where account_id = ${accountId} and device in ${listOf(devices)}`);
}

/** The same without what is left over of users who have become owners since: an owner sees everything anyway. */
export async function subAccountsOfDevices(
  reader: Reader,
  accountId: number,
  devices: Iterable<number>,
): Promise<Assignment[]> {
  return reader.all(sql`
    select ${columnsOfAssignment} from assignments a join users u on u.id = a.user_id
    where a.account_id = ${accountId} and a.device in ${listOf(devices)} and u.role = 'sub_account'`);
}

/** What sub-accounts see, each with its devices in ascending id. */
export async function assignmentsOfUsers(
  reader: Reader,
  accountId: number,
  userIds: Iterable<string>,
): Promise<Assignment[]> {
  return reader.all(sql`
    select ${columns} from assignments
    where account_id = ${accountId} and user_id in ${listOf(userIds)} order by user_id, id`);
}

export async function addAssignments(tx: Transaction, rows: readonly Assignment[], now: number): Promise<void> {
  await tx.insertMany(bulk, stamped(rows, now));
  await copyImeis(tx, rows);
}

/** A sub-account's device is looked up by IMEI among the assignments, so each assignment has its device's IMEI. */
export async function copyImeis(
  tx: Transaction,
  devices: readonly { readonly account_id: number; readonly device: number }[],
): Promise<void> {
  for (const [accountId, ofAccount] of Map.groupBy(devices, ({ account_id }) => account_id)) {
    const imei = sql`(select d.imei from devices d where d.account_id = ${accountId} and d.device = assignments.device)`;
    const list = listOf(ofAccount.map(({ device }) => device));
    await tx.all(sql`
      update assignments set imei = ${imei}
      where account_id = ${accountId} and device in ${list} and imei is distinct from ${imei} returning device`);
  }
}

export async function removeAssignments(tx: Transaction, rows: readonly Assignment[]): Promise<void> {
  for (const { account_id, user_id, id } of rows) {
    await tx.run(sql`
      delete from assignments where account_id = ${account_id} and user_id = ${user_id} and id = ${id}`);
  }
}
