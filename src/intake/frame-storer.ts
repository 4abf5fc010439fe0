import type { IncomingFrame } from "./incoming-frame.ts";
import type { FrameQueue } from "./queue.ts";

/** The outcomes of the frames of a file. */
export interface FrameTally {
  added: number;
  /** Stored before. */
  unchanged: number;
  refused: number;
}

/** Enough to fill some transactions, few enough to hold in memory many times over. */
const framesAtOnce = 4_000;

interface QueuedFrames {
  readonly frames: IncomingFrame[];
  readonly lines: number[];
}

/** Passes the frames of a file to the writer, some thousands at a time and in the order of the file. */
export class FrameStorer {
  readonly tally: FrameTally;
  readonly #writer: FrameQueue;
  readonly #onRefused: (line: number, reason: string) => void;
  readonly #earliestMs: number | undefined;
  #waiting = new Map<number, QueuedFrames>();
  #count = 0;

  /** `earliestMs` as in `FrameQueue.submit`. */
  constructor(
    writer: FrameQueue,
    onRefused: (line: number, reason: string) => void,
    { earliestMs, tally = { added: 0, unchanged: 0, refused: 0 } }: { earliestMs?: number; tally?: FrameTally },
  ) {
    this.tally = tally;
    this.#writer = writer;
    this.#onRefused = onRefused;
    this.#earliestMs = earliestMs;
  }

  add(accountId: number, line: number, frame: IncomingFrame): void {
    const waiting = this.#waiting.getOrInsertComputed(accountId, () => ({ frames: [], lines: [] }));
    waiting.frames.push(frame);
    waiting.lines.push(line);
    this.#count++;
  }

  /** Counts a frame that cannot be passed to the writer. */
  refuse(line: number, reason: string): void {
    this.tally.refused++;
    this.#onRefused(line, reason);
  }

  get isFull(): boolean {
    return this.#count >= framesAtOnce;
  }

  /** Resolves when everything added so far is on disk and derived. If it fails for an account, the others are stored and counted. */
  async flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    this.#count = 0;
    const parts = Array.from(waiting, ([accountId, part]) => this.#store(accountId, part));
    const failure = (await Promise.allSettled(parts)).find(({ status }) => status === "rejected");
    if (failure?.status === "rejected") throw failure.reason;
  }

  async #store(accountId: number, { frames, lines }: QueuedFrames): Promise<void> {
    for (const [index, outcome] of (await this.#writer.submit(accountId, frames, this.#earliestMs)).entries()) {
      if (outcome === "accepted") this.tally.added++;
      else if (outcome === "duplicate") this.tally.unchanged++;
      else this.refuse(lines[index] ?? 0, outcome.refused);
    }
  }
}
