import { parseChange } from "../../domain/changes/change-text.ts";
import type { ChangeType, TrackedType } from "../../domain/changes/types.ts";
import type { Visibility } from "../../domain/visibility.ts";
import { changeRowOf, entryColumns } from "../changes/change-entries.ts";
import type { ViewerRecord } from "../changes/viewer-records.ts";
import { accountViewer, viewerId } from "../changes/viewers.ts";
import { bigint, oneOf, type RowOf, uuid } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { limitTo, sql } from "../sql.ts";
import { listed, table, upsert } from "../table.ts";

const columns = listed(entryColumns);

/** Removals are remembered for some time. Of those that are not, the last number is: by device or viewer, and by type. */

/** The number of the last removal of these types and in the viewer's sight that is no longer remembered; 0: there is none. */
export async function lastForgotten(
  reader: Reader,
  visibility: Visibility,
  types: ReadonlySet<ChangeType>,
): Promise<number> {
  if (types.size === 0) return 0;
  const { accountId, userId } = visibility;
  const list = [...types].map((type) => sql`${type}`).reduce((all, one) => sql`${all}, ${one}`);
  const seen =
    visibility.sees === "account"
      ? sql`f.device > 0`
      : sql`exists (select 1 from assignments a
          where a.account_id = ${accountId} and a.user_id = ${userId} and a.device = f.device)`;
  const row = await reader.get<{ number: number | null }>(sql`
    select max(f.number) as number from forgotten_removals f
    where f.account_id = ${accountId} and f.type in (${list})
      and (${seen} or (f.device = 0 and f.user_id = ${viewerId(visibility)}))`);
  return row?.number ?? 0;
}

/** Held by all who rewrite entries of the log. */
export const tidyLock = "tidy changes";

const forgottenTable = table("forgotten_removals", ["account_id", "device", "user_id", "type"], {
  account_id: bigint,
  device: bigint,
  user_id: uuid,
  type: oneOf<ChangeType>(),
  number: bigint,
});
const save = upsert(forgottenTable, [], {
  number:
    "case when excluded.number > forgotten_removals.number then excluded.number else forgotten_removals.number end",
});

type Forgotten = RowOf<typeof forgottenTable.columns>;

/** Forgets up to `count` of an account's removals from before a moment. Returns how many entries it has changed. */
export async function forgetRemovals(
  tx: Transaction,
  accountId: number,
  before: number,
  count: number,
): Promise<number> {
  await tx.lock(tidyLock);
  const rows = await tx.all<RowOf<typeof entryColumns>>(sql`
    select ${columns} from changes
    where account_id = ${accountId} and removals and changed_at < ${before} order by changed_at ${limitTo(count)}`);
  const forgotten: Forgotten[] = [];
  for (const { number, device, changed_at: changedAt, content } of rows) {
    const { periods, removed } = parseChange(content, changedAt);
    for (const type of Object.keys(removed) as TrackedType[]) {
      forgotten.push({ account_id: accountId, device, user_id: accountViewer, type, number });
    }
    const isThis = sql`account_id = ${accountId} and number = ${number} and device = ${device}`;
    const left = changeRowOf(
      { accountId, number, changedAt },
      { device, change: { periods, removed: {} }, isShared: true },
    );
    await (Object.keys(periods).length === 0
      ? tx.run(sql`delete from changes where ${isThis}`)
      : tx.write(sql`
          update changes set content = ${left.content}, events = ${left.events},
            readings = ${left.readings}, removals = ${false}
          where ${isThis}`));
  }
  await note(tx, accountId, forgotten);
  return rows.length;
}

/** The same for what left a viewer's sight. */
export async function forgetRecords(
  tx: Transaction,
  accountId: number,
  before: number,
  count: number,
): Promise<number> {
  const rows = await tx.all<Omit<ViewerRecord, "account_id" | "changed_at" | "removed">>(sql`
    select user_id, type, id, number from viewer_records
    where account_id = ${accountId} and removed and changed_at < ${before} order by changed_at ${limitTo(count)}`);
  for (const { user_id, type, id, number } of rows) {
    // Not if it came into sight, and left it, again.
    await tx.run(sql`
      delete from viewer_records
      where account_id = ${accountId} and user_id = ${user_id} and type = ${type} and id = ${id}
        and number = ${number}`);
    if (type === "device") await forgetDrivers(tx, accountId, user_id, number);
  }
  await note(
    tx,
    accountId,
    rows.map(({ user_id, type, number }) => ({ account_id: accountId, device: 0, user_id, type, number })),
  );
  return rows.length;
}

/**
 * A vehicle that left may have taken drivers along, unsaid: whoever began to follow since has not got them. Without these rows
 * they come once more when another vehicle shows them.
 */
async function forgetDrivers(tx: Transaction, accountId: number, userId: string, until: number): Promise<void> {
  await tx.writeAny(sql`
    delete from viewer_records
    where account_id = ${accountId} and user_id = ${userId} and type = 'driver' and removed = ${false}
      and number < ${until}`);
}

async function note(tx: Transaction, accountId: number, forgotten: readonly Forgotten[]): Promise<void> {
  if (forgotten.length === 0) return;
  const newest = new Map<string, Forgotten>();
  for (const one of forgotten) {
    const key = `${one.device} ${one.user_id} ${one.type}`;
    if ((newest.get(key)?.number ?? 0) < one.number) newest.set(key, one);
  }
  await tx.insertMany(save, [...newest.values()]);
  const last = Math.max(...forgotten.map(({ number }) => number));
  await tx.writeAny(sql`
    update viewer_revisions set forgotten = ${last}
    where account_id = ${accountId} and user_id = ${accountViewer} and forgotten < ${last}`);
}
