import { dayMs, formatInstant } from "../../domain/time/time.ts";
import type { Observe } from "../../observe/observation.ts";
import type { Database } from "../../store/database.ts";
import { eachAccount } from "../../store/each-account.ts";
import { lastReceivedAtOf } from "../../store/frames/latest.ts";
import { framesAtStake, hasUntimelyFrames } from "../../store/upkeep/old-frames.ts";
import { backgroundOf, eachPage } from "../pace.ts";
import { dropOldFrames } from "./retention.ts";

/**
 * What is dropped is gone. A pass that would leave hardly anything is by a wrong clock rather than by the passing of days. Less
 * than this is what an operator expects who sets a limit for the first time, or a shorter one.
 */
const maxShare = 0.9;

/** Their blocks are counted: on an embedded store others wait for it, so it must be some milliseconds. */
const devicesPerCount = { sqlite: 8, postgres: 200 } as const;

/** Why a pass of retention must not be made. */
interface RetentionDoubt {
  readonly reason: "clock_ahead" | "limit_after_newest_receipt" | "nearly_everything";
  /** When the newest frame was received; null: that is not known, or does not matter. */
  readonly newestReceipt: number | null;
  /** Of the frames that are stored; null: they were not counted. */
  readonly share: number | null;
  /** The accounts whose frames stay; null: all of them. */
  readonly held: ReadonlySet<number> | null;
}

/**
 * A clock that is months ahead makes every frame old. So before frames are dropped, what would go is compared with what is
 * there. Nothing is dropped by a limit that is later than the newest receipt, unless the clock was watched since that receipt:
 * then it is truly so long ago. If nearly all frames would go, those of the accounts that would lose nearly all of theirs stay;
 * the others go, since one account may have sent years of old tracks. Frames that a fast clock has received are newer than the limit,
 * but the trackers' own times are not. Null: there is no doubt.
 */
async function doubtRetention(
  database: Database,
  { now, retainDays, clockWatchedSince }: RetentionOptions,
  stop?: AbortSignal,
): Promise<RetentionDoubt | null> {
  const pace = backgroundOf(stop);
  const before = now - retainDays * dayMs;
  let [newest, dropped, left] = [Number.NEGATIVE_INFINITY, 0, 0];
  let hasOld = false;
  const held = new Set<number>();
  await eachAccount(database, pace, async (accountId) => {
    newest = Math.max(newest, (await lastReceivedAtOf(database, accountId)) ?? newest);
    hasOld ||= await hasUntimelyFrames(database, accountId, before);
    let [ownDropped, ownLeft] = [0, 0];
    await eachPage(pace, async (after) => {
      const some = await framesAtStake(database, accountId, before, after, devicesPerCount[database.engine]);
      ownDropped += some.dropped;
      ownLeft += some.left;
      return some.last;
    });
    if (shareOf(ownDropped, ownLeft) > maxShare) held.add(accountId);
    dropped += ownDropped;
    left += ownLeft;
  });
  // Not all was looked at, and nothing will be dropped either.
  if (pace.isStopped) return null;
  if (dropped === 0 && !hasOld) return null;
  const share = shareOf(dropped, left);
  const newestReceipt = Number.isFinite(newest) ? newest : null;
  if (before > newest) {
    if (clockWatchedSince !== null && newest >= clockWatchedSince) return null;
    return { reason: "limit_after_newest_receipt", newestReceipt, share, held: null };
  }
  return share > maxShare ? { reason: "nearly_everything", newestReceipt, share, held } : null;
}

function shareOf(dropped: number, left: number): number {
  return dropped === 0 ? 0 : dropped / (dropped + left);
}

export interface RetentionOptions {
  readonly now: number;
  readonly retainDays: number;
  readonly isClockDoubted: boolean;
  /** Since when the clock has run on without being set; null: nobody knows. */
  readonly clockWatchedSince: number | null;
  /** The operator has looked at the clock. */
  readonly trustsClock: boolean;
}

const advice = [
  "frames that may not be old were left",
  "set the clock right, with PostgreSQL that of its machine",
  "if it is right and these frames are to go, start once with --trust-clock yes",
].join("; ");

/** A pass of retention. What may be old only by a wrong clock is not dropped, and the operator is warned. */
export async function retainFrames(
  database: Database,
  options: RetentionOptions,
  observe: Observe,
  stop?: AbortSignal,
): Promise<void> {
  const { now, retainDays, isClockDoubted, trustsClock } = options;
  const before = now - retainDays * dayMs;
  const doubt = trustsClock
    ? null
    : isClockDoubted
      ? { reason: "clock_ahead" as const, newestReceipt: null, share: null, held: null }
      : await doubtRetention(database, options, stop);
  if (doubt !== null) {
    const { reason, newestReceipt, share, held } = doubt;
    observe({
      kind: "retention_refused",
      reason,
      before: formatInstant(before),
      clock: formatInstant(now),
      newestReceipt: newestReceipt === null ? null : formatInstant(newestReceipt),
      sharePercent: share === null ? null : Math.round(share * 100),
      accounts: held?.size ?? null,
      advice,
    });
    if (held === null) return;
  }
  const count = await dropOldFrames(database, before, stop, doubt?.held ?? undefined);
  if (count > 0) observe({ kind: "frames_dropped", count, before: formatInstant(before) });
  if (doubt === null) observe({ kind: "retention_passed" });
}
