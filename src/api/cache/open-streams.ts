import { nextTurn } from "../turns.ts";

/** An honest client has a few reports under way, perhaps one for each month of a year. */
const maxPerCaller = 12;
/** So that no account uses all places, however many keys it has. */
const maxPerAccount = 32;
/** Each has some parts and a compressor in memory: a megabyte, or ten while a reader of compressed rows pauses. */
const maxPerNode = 64;

/** Most short streams end within this time. PostgreSQL's answers have three seconds in all. */
const ordinaryWaitMs = 2_000;

/** A reader takes a part every few milliseconds, so this one has stopped: it loses its place if others need it. */
const stalledAfterMs = 5_000;
/** An idle connection is closed after 30 seconds. A stream that is idle for longer has lost its reader already. */
const lostAfterMs = 40_000;

export interface StreamOwner {
  /** The id of the key, or of the signed-in user. */
  readonly caller: string;
  readonly accountId: number;
  /** Asked for each part. Rejects if the key or the session no longer works, or sees something else. */
  readonly checkAccess: () => Promise<void>;
}

/** How a stream ended: the reader has it all, has gone or lost its place, or a part could not be made. */
export type StreamEnd =
  | { readonly outcome: "complete" | "left" }
  | { readonly outcome: "failed"; readonly cause: unknown };

/** Whose places are all taken. */
export type FullScope = "caller" | "account" | "node";

export const maxStreams: Readonly<Record<FullScope, number>> = {
  caller: maxPerCaller,
  account: maxPerAccount,
  node: maxPerNode,
};

/**
 * Streamed answers: all of them, of the API and of the portal. Each has a place from its beginning to its end, and each caller,
 * each account and the node has a limit. Parts are made in turns, so a stalled reader costs no time, only its place; and if
 * places are scarce, it loses that. An answer ends, as an incomplete one, when its reader may no longer read.
 */
export class OpenStreams {
  readonly #now: () => number;
  readonly #maxWaitMs: number;
  readonly #open = new Set<OpenStream>();
  #leaving = Promise.withResolvers<void>();

  /** Tests set their own clock and patience. */
  constructor({ now = () => performance.now(), maxWaitMs = ordinaryWaitMs } = {}) {
    this.#now = now;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Takes a place, waiting for one if necessary. If none becomes free in time, returns whose places are all taken. */
  async enter(owner: StreamOwner): Promise<OpenStream | FullScope> {
    const until = this.#now() + this.#maxWaitMs;
    for (;;) {
      const full = this.#fullScope(owner);
      const leftMs = until - this.#now();
      if (full === null) return this.#add(owner);
      if (leftMs <= 0) return full;
      await this.#anyLeaves(leftMs);
    }
  }

  #add(owner: StreamOwner): OpenStream {
    const stream = new OpenStream(owner, this.#now, () => {
      this.#open.delete(stream);
      this.#leaving.resolve();
      this.#leaving = Promise.withResolvers();
    });
    this.#open.add(stream);
    return stream;
  }

  async #anyLeaves(withinMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, withinMs);
    await Promise.race([promise, this.#leaving.promise]);
    clearTimeout(timer);
  }

  #fullScope(owner: StreamOwner): FullScope | null {
    const all = [...this.#open];
    const ofCaller = all.filter((stream) => stream.owner.caller === owner.caller);
    if (this.#isFull(owner, "caller", ofCaller)) return "caller";
    const ofAccount = all.filter((stream) => stream.owner.accountId === owner.accountId);
    if (this.#isFull(owner, "account", ofAccount)) return "account";
    return this.#isFull(owner, "node", [...this.#open]) ? "node" : null;
  }

  /** If full, ends the stream that has been idle longest, if that is long enough. */
  #isFull({ caller }: StreamOwner, scope: FullScope, streams: readonly OpenStream[]): boolean {
    if (streams.length < maxStreams[scope]) return false;
    const [idlest] = streams.toSorted((one, other) => other.idleMs() - one.idleMs());
    const enoughMs = idlest?.owner.caller === caller ? lostAfterMs : stalledAfterMs;
    if (idlest === undefined || idlest.idleMs() < enoughMs) return true;
    idlest.cutOff();
    return false;
  }
}

export class OpenStream {
  readonly owner: StreamOwner;
  readonly #now: () => number;
  readonly #onLeave: () => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  /** Since when it waits for its reader; null while a part is being made. */
  #idleSince: number | null;
  #isOver = false;
  #onEnd: (end: StreamEnd) => void = () => {};

  constructor(owner: StreamOwner, now: () => number, onLeave: () => void) {
    this.owner = owner;
    this.#now = now;
    this.#idleSince = now();
    this.#onLeave = onLeave;
  }

  /** The first part is made at once, so that a failing store is an error response. Null ends the body. */
  async body(
    nextPart: () => Promise<Uint8Array | null>,
    onEnd: (end: StreamEnd) => void = () => {},
  ): Promise<ReadableStream<Uint8Array>> {
    this.#onEnd = onEnd;
    const first = await this.#made(nextPart);
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
          if (first !== null) controller.enqueue(first);
        },
        pull: (controller) => this.#pull(controller, nextPart),
        cancel: () => this.#leave({ outcome: "left" }),
      },
      // Nothing else is made in advance: a reader that leaves, or a HEAD request, costs nothing more.
      { highWaterMark: 0 },
    );
  }

  idleMs(): number {
    return this.#idleSince === null ? 0 : this.#now() - this.#idleSince;
  }

  /** Ends it for a reader that has stopped: the connection is closed, so that the part is not taken for the whole. */
  cutOff(): void {
    this.#leave({ outcome: "left" });
    this.#controller?.error(new Error("the reader had stopped, and its place was needed"));
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>, nextPart: () => Promise<Uint8Array | null>) {
    const part = await this.#made(nextPart);
    // The reader may have gone meanwhile.
    if (this.#isOver) return;
    if (part !== null) {
      controller.enqueue(part);
      return;
    }
    this.#leave({ outcome: "complete" });
    controller.close();
  }

  async #made(nextPart: () => Promise<Uint8Array | null>): Promise<Uint8Array | null> {
    this.#idleSince = null;
    try {
      await nextTurn();
      const part = this.#isOver ? null : await nextPart();
      // After the part was read: nothing that was stored after a sign-out can be in one that was read before it.
      if (part !== null) await this.owner.checkAccess();
      return part;
    } catch (cause) {
      this.#leave({ outcome: "failed", cause });
      throw cause;
    } finally {
      this.#idleSince = this.#now();
    }
  }

  #leave(end: StreamEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onLeave();
    this.#onEnd(end);
  }
}
