import { shortestSilenceMs } from "../domain/trips/pace.ts";
import type { Database } from "../store/database.ts";
import {
  type AccountMark,
  dueAccounts,
  dueAtOnce,
  type MarkedWork,
  replaceMarks,
} from "../store/upkeep/account-marks.ts";
import type { DeviceChanges } from "./device-changes.ts";
import type { WorkPace } from "./pace.ts";

/** Accounts of one look. What is marked meanwhile, and is due at once, comes next. */
const accountsPerLook = 256;

/** Accounts between two rests: some milliseconds. */
const accountsPerTurn = 64;

/** How soon it looks for others while it works in some. */
const lookAgainMs = 500;

/** The shortest silence that may make a device offline. */
export const minSilenceMs = 60_000;

interface MarkedWalk {
  readonly work: MarkedWork;
  readonly now: number;
  readonly pace: WorkPace;
  /** Accounts at a time. */
  readonly atOnce?: number;
}

/** Does the work in one account, and says when there may be some again; null: nothing is to come. */
type MarkedTask = (accountId: number) => Promise<number | null>;

/**
 * Does the work in each account that is marked for it. If it fails in one, its marks stay, and the others get their turn; then the
 * failure is thrown.
 */
export async function eachMarked(database: Database, walk: MarkedWalk, task: MarkedTask): Promise<void> {
  const { work, now, pace, atOnce = 1 } = walk;
  const underWay = new Map<number, Promise<void>>();
  const failures = new Map<number, unknown>();
  let done: number[] = [];
  let next: AccountMark[] = [];
  let begun = 0;
  const doOne = async (accountId: number, marks: readonly number[]) => {
    try {
      const dueAt = await task(accountId);
      // It may not have come to its end.
      if (pace.isStopped) return;
      done.push(...marks);
      if (dueAt !== null) next.push({ work, accountId, dueAt: Math.max(dueAt, now + 1) });
    } catch (error) {
      failures.set(accountId, error);
    } finally {
      underWay.delete(accountId);
    }
  };
  while (!pace.isStopped) {
    const due = await dueAccounts(database, work, now, accountsPerLook + failures.size);
    for (const failed of failures.keys()) due.delete(failed);
    for (const [accountId, marks] of due) {
      if (underWay.has(accountId) || pace.isStopped) continue;
      underWay.set(accountId, doOne(accountId, marks));
      if (underWay.size >= atOnce) await Promise.race(underWay.values());
      if (++begun % accountsPerTurn === 0) await pace.rest();
    }
    // Others that are marked meanwhile do not wait for one that takes long.
    if (underWay.size > 0) await Promise.race([Promise.all(underWay.values()), Bun.sleep(lookAgainMs)]);
    const [doneNow, nextNow] = [done, next];
    [done, next] = [[], []];
    await replaceMarks(database, doneNow, nextNow);
    if (due.size === 0 && underWay.size === 0) break;
    await pace.rest();
  }
  await Promise.all(underWay.values());
  await replaceMarks(database, done, next);
  for (const failure of failures.values()) throw failure;
}

/** The earlier of two moments; null: never. */
export function earlierOf(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/** What is written of an account's devices may be work for the background. */
export function marksOf(
  accountId: number,
  changes: readonly DeviceChanges[],
  stillOffline: ReadonlySet<number>,
): AccountMark[] {
  const dueAt = new Map<MarkedWork, number>();
  const mark = (work: MarkedWork, at: number) => dueAt.set(work, Math.min(dueAt.get(work) ?? at, at));
  for (const { tracked, before, after, seenAt, notReceivedAt, facts } of changes) {
    if (after.dirty !== null && after.dirty !== before.dirty) mark("derive", dueAtOnce);
    const wasOffline = before.offlineSince !== null && !stillOffline.has(tracked.device);
    if (seenAt !== null && (before.revision === 0 || wasOffline)) mark("offline", seenAt + minSilenceMs);
    if (notReceivedAt !== null) mark("offline", dueAtOnce);
    for (const { kind, row } of facts.toSave) {
      if (kind !== "trip" || row.ended_at !== null) continue;
      mark("silence", Number(row.started_at) + Number(row.duration_ms) + shortestSilenceMs);
    }
  }
  return Array.from(dueAt, ([work, at]) => ({ work, accountId, dueAt: at }));
}
