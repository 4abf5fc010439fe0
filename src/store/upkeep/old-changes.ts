import { parseChange } from "../../domain/changes/change-text.ts";
import { mergedChange } from "../../domain/changes/device-change.ts";
import { dayOf } from "../../domain/time/time.ts";
import { changeRowOf, changeTable, entriesIn, entryColumns, type LogEntry } from "../changes/change-entries.ts";
import { accountViewer } from "../changes/viewers.ts";
import type { RowOf } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { limitTo, listOf, type Sql, sql } from "../sql.ts";
import { listed } from "../table.ts";
import { tidyLock } from "./forgotten-removals.ts";

/** The log of changes is exact for some days. Before that, a device has one entry a day. */

type LogRow = RowOf<typeof entryColumns>;

export interface UntidyLog {
  readonly isToThin: boolean;
  /** Whether there are removals from before a moment, of facts or from a viewer's sight. */
  readonly hasRemovals: boolean;
  readonly hasRecords: boolean;
}

/** One look for each account: mostly there is nothing to do. */
export async function untidyLog(reader: Reader, accountId: number, removedBefore: number): Promise<UntidyLog> {
  const row = await reader.get<Record<"thin" | "removals" | "records", number | boolean>>(sql`
    select
      exists (select 1 from viewer_revisions v
        where v.account_id = ${accountId} and v.user_id = ${accountViewer} and v.changes > v.thinned) as thin,
      exists (select 1 from changes c
        where c.account_id = ${accountId} and c.removals and c.changed_at < ${removedBefore}) as removals,
      exists (select 1 from viewer_records r
        where r.account_id = ${accountId} and r.removed and r.changed_at < ${removedBefore}) as records`);
  return { isToThin: Boolean(row?.thin), hasRemovals: Boolean(row?.removals), hasRecords: Boolean(row?.records) };
}

/**
 * Merges the next changes of an account that are older than a moment: of each device one a day is left, with the number
 * of the last. Nobody misses anything, since an entry only moves on; a follower that comes back after days gets whole days again.
 * It reads about `count` rows. Returns how many it has merged; 0: there are no more.
 */
export async function thinChanges(tx: Transaction, accountId: number, before: number, count: number): Promise<number> {
  await tx.lock(tidyLock);
  const counter = await tx.get<{ thinned: number }>(sql`
    select thinned from viewer_revisions where account_id = ${accountId} and user_id = ${accountViewer}`);
  const thinned = counter?.thinned ?? 0;
  const rows = await nextRows(tx, accountId, { thinned, before, count });
  const until = rows.at(-1)?.number;
  if (until === undefined) return 0;
  const devices = Map.groupBy(rows.flatMap(entriesIn), ({ device }) => device);
  const merged = (await lastRows(tx, accountId, thinned, devices.keys())).flatMap(entriesIn);
  const earlier = new Map(merged.map((entry) => [entry.device, entry]));
  const byDay: ReturnType<typeof mergedRow>[] = [];
  const replaced: LogEntry[] = [];
  for (const [device, own] of devices) {
    const last = earlier.get(device);
    const isContinued = last !== undefined && dayOf(last.changedAt) === dayOf(own[0]?.changedAt ?? 0);
    if (isContinued) replaced.push(last);
    for (const [, day] of Map.groupBy(isContinued ? [last, ...own] : own, ({ changedAt }) => dayOf(changedAt))) {
      byDay.push(mergedRow(accountId, day));
    }
  }
  await tx.run(sql`
    delete from changes where account_id = ${accountId} and number > ${thinned} and number <= ${until}`);
  await removeRows(tx, accountId, replaced);
  await tx.insertMany(changeTable, byDay);
  await tx.write(sql`
    update viewer_revisions set thinned = ${until} where account_id = ${accountId} and user_id = ${accountViewer}`);
  return rows.length;
}

/** All rows of a number or none, so that the next round can begin after it. */
async function nextRows(
  tx: Transaction,
  accountId: number,
  { thinned, before, count }: { readonly thinned: number; readonly before: number; readonly count: number },
): Promise<LogRow[]> {
  const select = (condition: Sql, limit: number) =>
    tx.all<LogRow>(sql`
      select ${columns} from changes where account_id = ${accountId} and ${condition}
      order by number, device ${limitTo(limit)}`);
  const rows = await select(sql`number > ${thinned}`, count);
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return [];
  let whole = rows;
  if (rows.length === count) {
    whole =
      first.number === last.number
        ? await select(sql`number = ${first.number}`, Number.MAX_SAFE_INTEGER)
        : rows.filter(({ number }) => number < last.number);
  }
  const recent = whole.find(({ changed_at }) => changed_at >= before);
  return recent === undefined ? whole : whole.filter(({ number }) => number < recent.number);
}

/** The last merged entry of each device that has one. */
function lastRows(tx: Transaction, accountId: number, thinned: number, devices: Iterable<number>): Promise<LogRow[]> {
  return tx.all(sql`
    select ${rowColumns} from (
      select d.device, (
        select max(m.number) from changes m
        where m.account_id = ${accountId} and m.device = d.device and m.number <= ${thinned} and m.by_device) as number
      from devices d where d.account_id = ${accountId} and d.device in ${listOf(devices)}) newest
    cross join changes r
    where r.account_id = ${accountId} and r.device = newest.device and r.number = newest.number`);
}

const columns = listed(entryColumns);
const rowColumns = listed(entryColumns, "r");

function mergedRow(accountId: number, entries: readonly LogEntry[]) {
  const { device, number, changedAt } = entries.at(-1) as LogEntry;
  const change = entries.map(({ text, changedAt }) => parseChange(text, changedAt)).reduce(mergedChange);
  return changeRowOf({ accountId, number, changedAt }, { device, change, isShared: true });
}

const rowsPerStatement = 100;

async function removeRows(tx: Transaction, accountId: number, rows: readonly LogEntry[]): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    const some = rows.slice(start, start + rowsPerStatement);
    // Padded, so that few different statements are prepared.
    const padded = Array.from({ length: rowsPerStatement }, (_, index) => some[Math.min(index, some.length - 1)]);
    const keys = padded.flatMap((row) => (row ? [sql`(${row.number}, ${row.device})`] : []));
    await tx.run(sql`
      delete from changes where account_id = ${accountId}
        and (number, device) in (values ${keys.reduce((all, one) => sql`${all}, ${one}`)})`);
  }
}
