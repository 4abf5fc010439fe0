import { dayMs } from "../domain/time/time.ts";
import type { Observe } from "../observe/observation.ts";
import { repeat } from "../observe/repeat.ts";
import { storeNow } from "./clock.ts";
import { isEmbedded, type Reader } from "./database.ts";
import { type KnownTime, provenAheadMs } from "./sqlite/known-time.ts";

/** Machines that keep their time differ by less. Correcting less would only add the time that the store takes to answer. */
const toleratedMs = 5_000;

/** On an embedded store, what is known of the time is coarse. A vehicle's position may come so late and still be of now. */
const toleratedAloneMs = 300_000;

/** A store's clock that is further ahead of this node's may be wrong, and what it calls old may not be old. */
const toleratedStoreMs = dayMs / 24;

/** A doubt of days is over when positions leave no more of it: some vehicles send what they have every few minutes only. */
const toleratedRestMs = dayMs / 24;

const compareEveryMs = 60 * 1000;
const warnEveryMs = 10 * 60 * 1000;

/** The store's time when this process's own counter had a value. */
export interface FollowedTime {
  readonly storeAt: number;
  readonly counter: number;
}

/** Runs on, whatever a clock is set to, and is the same in all threads of a process: only where they begin to count differs. */
function counter(): number {
  return performance.timeOrigin + performance.now();
}

/**
 * The time of a node whose clock was compared. By the counter: a clock that is set right meanwhile must not be corrected a second
 * time.
 */
export function timeBy(followed: FollowedTime | null): number {
  return followed ? Math.round(followed.storeAt + counter() - followed.counter) : Date.now();
}

/**
 * The time of a node: when frames are received and keys, sessions and links expire. All nodes of a store must agree on it: one
 * whose clock is an hour behind would take every frame for one from the future. So a node whose clock is wrong follows that
 * of the store. On an embedded store nothing is followed: the clock may be ahead, or may have been put right just now.
 *
 * A clock is in doubt while it may be ahead: PostgreSQL's if it is an hour ahead of this node's; on an embedded store if it is
 * minutes ahead of the last time that is known (known-time.ts). Positions of several vehicles lessen that doubt to what they
 * leave of it, and end it if that is next to nothing (known-time.ts). Nothing is forgotten for its age while there is doubt.
 */
export class NodeClock {
  readonly #reader: Reader;
  readonly #observe: Observe;
  readonly #known: KnownTime | null;
  /** Null: this machine's clock is right. */
  followed: FollowedTime | null = null;
  /** How far the store's own clock may be ahead. */
  #storeAheadMs = 0;
  /** The store's time, since when it has run on as this process's own counter has. */
  #watched: FollowedTime | null = null;
  #warnAt = Number.NEGATIVE_INFINITY;

  /** `known` is for the one thread of an embedded store that watches its clock. */
  constructor(reader: Reader, observe: Observe, known: KnownTime | null = null) {
    this.#reader = reader;
    this.#observe = observe;
    this.#known = known;
  }

  readonly now = (): number => timeBy(this.followed);

  /** How far the time by which things become old may be ahead of the right one; 0 if nothing speaks for that. */
  readonly doubtMs = (): number => {
    // Looked at when it matters: the clock may have been set a moment ago.
    const aheadMs = this.#known?.aheadMs() ?? 0;
    return aheadMs > toleratedAloneMs ? aheadMs : this.#storeAheadMs;
  };

  /** Since when the time by which things become old has run on without being set; null: it is in doubt, or nobody looked. */
  readonly watchedSince = (): number | null => {
    if (this.doubtMs() > 0) return null;
    return this.#known?.watchedSince ?? this.#watched?.storeAt ?? null;
  };

  async compare(): Promise<void> {
    if (isEmbedded(this.#reader)) return this.#compareAlone();
    const aheadMs = await clockDifferenceMs(this.#reader);
    const differs = Math.abs(aheadMs) > toleratedMs;
    const seen = { storeAt: Date.now() - aheadMs, counter: counter() };
    this.followed = differs ? seen : null;
    this.#watch(seen);
    this.#storeAheadMs = -aheadMs > toleratedStoreMs ? -aheadMs : 0;
    this.#report(aheadMs, differs);
  }

  keepComparing(): () => Promise<void> {
    return repeat("clock of the store", compareEveryMs, this.#observe, () => this.compare());
  }

  #watch(seen: FollowedTime): void {
    const since = this.#watched ?? seen;
    const setMs = seen.storeAt - since.storeAt - (seen.counter - since.counter);
    this.#watched = Math.abs(setMs) > toleratedStoreMs ? seen : since;
  }

  async #compareAlone(): Promise<void> {
    if (this.#known !== null && this.doubtMs() > 0) await this.#lessenDoubt(this.#known);
    this.#known?.save();
    const aheadMs = this.doubtMs();
    this.#report(aheadMs, aheadMs > 0);
  }

  async #lessenDoubt(known: KnownTime): Promise<void> {
    const [now, aheadMs] = [Date.now(), known.aheadMs()];
    const provenMs = await provenAheadMs(this.#reader, now, now - aheadMs);
    if (provenMs === null || provenMs >= aheadMs) return;
    if (provenMs <= (aheadMs > dayMs ? toleratedRestMs : toleratedAloneMs)) known.believe();
    else known.limit(provenMs);
  }

  #report(aheadMs: number, differs: boolean): void {
    this.#observe({ kind: "clock_compared", aheadSeconds: aheadMs / 1000 });
    if (differs) this.#warn(aheadMs);
    else this.#warnAt = Number.NEGATIVE_INFINITY;
  }

  #warn(aheadMs: number): void {
    const now = performance.now();
    if (now < this.#warnAt) return;
    this.#warnAt = now + warnEveryMs;
    this.#observe({ kind: "clock_differs", aheadSeconds: Math.round(aheadMs / 1000) });
  }
}

/**
 * How far this machine's clock is ahead of the store's, in milliseconds. The question and its answer take time, and the
 * store's clock was read at some moment between; so it is at least this far ahead, or behind if it is negative, and 0 if
 * the two may agree.
 */
async function clockDifferenceMs(reader: Reader): Promise<number> {
  const askedAt = Date.now();
  const storeAt = await storeNow(reader);
  const answeredAt = Date.now();
  if (askedAt > storeAt) return askedAt - storeAt;
  return Math.min(0, answeredAt - storeAt);
}
