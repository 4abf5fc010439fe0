import { uptime } from "node:os";
import { join } from "node:path";
import { dayMs } from "../../domain/time.ts";
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
 * alike until vehicles say what time it is (witnesses.ts).
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

  /** The clock is right. */
  believe(): void {
    this.limit(0);
    this.#watchedSince = Date.now();
  }

  /** The clock is ahead by this at most. */
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
  // From before there was a mark.
  const times = [fileName, `${fileName}-wal`].flatMap((name) => timeOfFile(join(directory, name)) ?? []);
  return times.length === 0 ? null : Math.max(...times);
}
