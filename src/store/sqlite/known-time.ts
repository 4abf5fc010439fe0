import { uptime } from "node:os";
import { join } from "node:path";
import { dayMs } from "../../domain/time/time.ts";
import type { Reader } from "../database.ts";
import { sql } from "../sql.ts";
import { markFile, timeOfFile } from "../time-files.ts";
import { fileName } from "./open.ts";

/** Its time is the last that a server knew to be right. It is empty. */
const markName = "last-served";

/** A server may be stopped over a long weekend: within this, the clock is believed at a start. */
const believedGapMs = 3 * dayMs;

/** A clock that is set back by more was wrong before, or is wrong now. */
const setBackMs = 300_000;

/**
 * An embedded store has no second clock. What is known of the time is when the store was last used, and how long the machine
 * has counted since. A clock that is later than that was set forward, or nobody has served the store for long: the two look
 * alike until vehicles say what time it is (`provenAheadMs`).
 */
export class KnownTime {
  readonly #directory: string;
  readonly #counterMs: () => number;
  #anchor: { readonly at: number; readonly counterMs: number };
  #watchedSince = Date.now();

  /** `lastUsedAt` is from before this process has written to the store; null: there was none. */
  constructor(directory: string, lastUsedAt: number | null, counterMs = () => uptime() * 1000) {
    this.#directory = directory;
    this.#counterMs = counterMs;
    const now = Date.now();
    const isBelieved = lastUsedAt === null || now - lastUsedAt <= believedGapMs;
    this.#anchor = { at: isBelieved ? now : lastUsedAt, counterMs: counterMs() };
  }

  /** How far the clock is ahead of what is known. One that was set back has been put right, or does no harm. */
  aheadMs(): number {
    const { at, counterMs } = this.#anchor;
    const aheadMs = Date.now() - at - (this.#counterMs() - counterMs);
    if (aheadMs < -setBackMs) this.believe();
    else if (aheadMs < 0) this.limit(0);
    return Math.max(0, aheadMs);
  }

  /** Since then the clock has run on without being set. Only of use while it is not ahead. */
  get watchedSince(): number {
    return this.#watchedSince;
  }

  believe(): void {
    this.limit(0);
    this.#watchedSince = Date.now();
  }

  limit(aheadMs: number): void {
    this.#anchor = { at: Date.now() - aheadMs, counterMs: this.#counterMs() };
  }

  /** For the next start. A doubt must outlive a restart, so it is not what the clock says. */
  save(): void {
    markFile(join(this.#directory, markName), Date.now() - this.aheadMs());
  }
}

/** When the store in this directory was last used, by the times of its files. Ask before it is opened. */
export function lastUsedAt(directory: string): number | null {
  const marked = timeOfFile(join(directory, markName));
  if (marked !== null) return marked;
  // No server has run here yet: a command made the store, or restored it.
  const times = [fileName, `${fileName}-wal`].flatMap((name) => timeOfFile(join(directory, name)) ?? []);
  return times.length === 0 ? null : Math.max(...times);
}

/**
 * What vehicles say of the clock. Trackers have their time from satellites, so a position proves that the clock is ahead by no
 * more than the time since it was recorded. But some senders stamp what they pass on by the clock that is in doubt. So the
 * rule is careful: only positions that came in the last hour count; one whose time is exactly that of its receipt got it from
 * the server, and says nothing; one vehicle is not enough if several have been heard of lately; and of several, half must
 * agree, so that those whose time is days behind speak against the clock. A gateway that stamps every vehicle's positions by
 * this machine's clock looks like trackers: what it could do is bounded by the share that retention may drop
 * (src/derive/upkeep/retention-guard.ts). In doubt, frames stay.
 */

const freshMs = dayMs / 24;

/** Vehicles that were heard of so long before the clock came into doubt should be heard again. */
const latelyMs = 30 * dayMs;

/** How far the clock of an embedded store can be ahead at most; null: nobody says. `knownAt` is the last time that is known. */
export async function provenAheadMs(reader: Reader, now: number, knownAt: number): Promise<number | null> {
  const positions = await reader.all<{ recorded_at: number; received_at: number }>(sql`
    select recorded_at, received_at from latest_positions
    where received_at >= ${Math.min(now - freshMs, knownAt - latelyMs)} and recorded_at <> received_at`);
  const lags = positions
    .filter(({ received_at }) => Math.abs(now - received_at) <= freshMs)
    .map(({ recorded_at }) => Math.max(0, now - recorded_at))
    .toSorted((a, b) => a - b);
  if (lags.length < Math.min(2, positions.length)) return null;
  return lags[Math.floor(lags.length / 2)] ?? null;
}
