import { type ChangeType, changeTypes } from "../../domain/changes/types.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { BulkTable, Reader, Row, Transaction } from "../database.ts";
import { LostRowsFailure } from "../required-rows.ts";
import { listOf, plainSql, sql, type Value } from "../sql.ts";

/** Which pictures a change alters. What it says to followers is in the log (changes.ts). */
export type Shown = "live positions" | "devices" | "both" | "neither";

/** The account itself, which is what its owner sees. Not the owner's id: an account may have no owner, or get another. */
export const accountViewer = "00000000-0000-0000-0000-000000000000";

/** For work of the program itself, which asks by itself what each person may see. */
export function accountVisibility(accountId: number): Visibility {
  return { sees: "account", accountId, userId: accountViewer };
}

/** By whose counters a viewer's pictures are valid. */
export function viewerId({ sees, userId }: Visibility): string {
  return sees === "account" ? accountViewer : userId;
}

/** What one viewer sees of a change, and nothing else: from the counters that it raises, others could be noticed. */
export interface Sight {
  readonly shown: Shown;
  readonly about: ReadonlySet<ChangeType>;
}

/** Of `viewer_revisions`, in the order of the types. */
export const typeColumns = changeTypes.map((type) => `${type}_changes`);
const counterColumns = ["account_id", "user_id", "revision", "devices_revision", "changes", ...typeColumns];

/** `number` is the new number, in terms of the stored row. */
function onConflict(number: string): string {
  const lastOfTypes = typeColumns.map(
    (column) => `${column} = case when excluded.${column} > 0 then ${number} else viewer_revisions.${column} end`,
  );
  return `on conflict (account_id, user_id) do update set
    revision = viewer_revisions.revision + excluded.revision,
    devices_revision = viewer_revisions.devices_revision + excluded.devices_revision,
    changes = ${number}, ${lastOfTypes.join(", ")}`;
}

const onConflictOfAccount = plainSql(onConflict("viewer_revisions.changes + 1"));
const allCounters = plainSql(counterColumns.join(", "));

const subAccountTable: BulkTable = {
  name: "viewer_revisions",
  columns: Object.fromEntries(counterColumns.map((name) => [name, name === "user_id" ? "uuid" : "bigint"])),
  onConflict: onConflict("excluded.changes"),
};

/**
 * Numbers a change of an account, and raises the counters by which its owner's pictures are valid.
 *
 * The numbers of an account are in the order of its commits, without a gap that is filled later: the row of the account
 * stays locked until this transaction ends, so the next number is given only when this one is committed or was never
 * given. Therefore a reader of a number can read everything up to it, and a follower that goes on after it misses
 * nothing. (A sequence of the database would not do: it gives out 7 and 8, and 8 may commit first.)
 *
 * This is the last lock that a transaction takes, and rows are locked in ascending order, so that two never wait for each
 * other. Only the log (changes.ts) is written after it: nobody else writes rows of this number.
 *
 * What frames change counts as live positions, even if only the list of devices shows it (when a device was last seen).
 * The counter of devices changes with the fleet file, and pages of devices check both.
 */
export async function nextChange(tx: Transaction, accountId: number, sight: Sight): Promise<number> {
  const row = counters(accountId, accountViewer, sight, 1);
  const values = counterColumns.map((name) => sql`${row[name] ?? 0}`).reduce((all, one) => sql`${all}, ${one}`);
  const raised = await tx.get<{ changes: number }>(sql`
    insert into viewer_revisions (${allCounters}) values (${values}) ${onConflictOfAccount} returning changes`);
  if (raised === null) throw new LostRowsFailure(0, 1, `the number of a change of account ${accountId}`);
  return raised.changes;
}

/** Raises the counters of the sub-accounts that see something of this change, too. */
export async function showSubAccounts(
  tx: Transaction,
  accountId: number,
  change: number,
  subAccounts: ReadonlyMap<string, Sight>,
): Promise<void> {
  if (subAccounts.size === 0) return;
  const rows = Array.from(subAccounts, ([userId, sight]) => counters(accountId, userId, sight, change));
  await tx.insertMany(
    subAccountTable,
    rows.sort((one, other) => (String(one.user_id) < String(other.user_id) ? -1 : 1)),
  );
}

function counters(accountId: number, userId: string, { shown, about }: Sight, change: number): Row {
  const row: Record<string, Value> = {
    account_id: accountId,
    user_id: userId,
    revision: shown === "live positions" || shown === "both" ? 1 : 0,
    devices_revision: shown === "devices" || shown === "both" ? 1 : 0,
    changes: change,
  };
  for (const type of changeTypes) row[`${type}_changes`] = about.has(type) ? change : 0;
  return row;
}

/** Of the devices alone. */
export async function devicesRevision(reader: Reader, visibility: Visibility): Promise<number> {
  const row = await reader.get<{ revision: number }>(sql`select devices_revision as revision from viewer_revisions
    where account_id = ${visibility.accountId} and user_id = ${viewerId(visibility)}`);
  return row?.revision ?? 0;
}

/** The account's devices that ever sent a frame. No other can have a live position. */
export async function liveDevices(
  reader: Reader,
  accountId: number,
  devices: Iterable<number>,
): Promise<ReadonlySet<number>> {
  const rows = await reader.all<{ device: number }>(
    sql`select device from latest_positions where account_id = ${accountId} and device in ${listOf(devices)}`,
  );
  return new Set(rows.map(({ device }) => device));
}
