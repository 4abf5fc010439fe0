import type { SQL } from "bun";
import type { Failure } from "../../domain/errors.ts";
import { noAnswer, serverPlace } from "./errors.ts";
import { SilenceWatch, WaitingAnswers, workerDoubtAfterMs } from "./silence-watch.ts";

/** How long `close` waits for what was asked before it. */
const closingMs = 5_000;

/** How long a connection that could not be made comes last. Then it is tried again, or others would do its work for ever. */
const doubtMs = 1_000;

/** How long nobody connects again after a server was found unfit: each attempt costs it a sign-in. */
const unfitMs = 250;

/** A client of one connection. It connects when it is used first, and again when the connection was cut. */
interface Slot {
  readonly client: SQL;
  /** Statements on their way. A transaction counts as one. */
  users: number;
  isTaken: boolean;
  /** The worker that they are for, if it is known. */
  worker: string | null;
  /** Until when it comes last, because it could not connect. */
  doubtfulUntil: number;
  isConnected: boolean;
  session: ServerSession | null;
  checking: Promise<void> | null;
}

export interface ServerSession {
  /** When the server was started: no other server of the same address has the same. */
  readonly server: string;
  readonly process: number;
}

/** What a statement is about, where machines behind the server have the rows. */
export interface Aim {
  readonly account: number | null;
  readonly worker: string | null;
  /** It needs all of them. */
  readonly isEverywhere: boolean;
}

export const nowhere: Aim = { account: null, worker: null, isEverywhere: false };

/** Of the connections, those that statements for one worker leave to others. */
const shareOfOthers = 1 / 4;

interface QueuedCall {
  readonly isAlone: boolean;
  readonly worker: string | null;
  begin(slot: Slot): void;
  fail(error: unknown): void;
}

export interface PoolOptions {
  readonly size: number;
  readonly limitMs: number;
  /** `onEnd` is called when the connection has ended. The client connects again by itself when it is used. */
  readonly connect: (onEnd: () => void) => SQL;
  /** The first thing asked on each connection. Rejects with a failure that `isUnfit` knows if the server is of no use. */
  readonly check: (client: SQL) => Promise<ServerSession>;
  /** After such an error the connection is discarded: another one may lead to another server. */
  readonly isUnfit: (error: unknown) => boolean;
  /** Asks over a new connection which of these are known at the address; null if nobody answers there. */
  readonly findSessions: (sessions: readonly ServerSession[]) => Promise<readonly ServerSession[] | null>;
  readonly isServerAlive: () => Promise<boolean>;
  /** Called while a statement takes long, where machines behind the server have the rows. */
  readonly onDoubt?: (watch: SilenceWatch) => void;
}

/**
 * The connections to PostgreSQL. Each has its own client, because Bun's pool does not say which of its connections has
 * gone silent, and only that one must be discarded.
 *
 * Callers are served in turn: reads and transactions cannot starve each other.
 */
export class ConnectionPool {
  readonly place: string;
  readonly #options: PoolOptions;
  readonly #slots: Slot[];
  readonly #answers: WaitingAnswers;
  readonly #maxOfWorker: number;
  #isLookingForDead = false;
  #waiting: QueuedCall[] = [];
  /** Why the server is of no use, and until when that is believed. */
  #unfit: { readonly reason: unknown; readonly until: number } | null = null;
  #onIdle: (() => void) | null = null;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#maxOfWorker = Math.max(1, options.size - Math.ceil(options.size * shareOfOthers));
    this.#answers = new WaitingAnswers(options.isServerAlive);
    const first = this.#newSlot();
    this.place = serverPlace(first.client);
    this.#slots = [first, ...Array.from({ length: options.size - 1 }, () => this.#newSlot())];
  }

  /** The one server that is at the other end of all connections; null: none, or more than one. */
  get server(): string | null {
    const servers = new Set(this.#slots.flatMap(({ session }) => session?.server ?? []));
    const [server = null] = servers;
    return servers.size > 1 ? null : server;
  }

  /**
   * Runs one statement. It is queued behind others if all connections are busy. One for a machine behind the server is queued
   * only behind others for the same, and these never use all connections: who needs another machine does not wait for this one.
   */
  share<T>(limitMs: number, aim: Aim, run: (client: SQL) => Promise<T>): Promise<T> {
    return this.#use(false, limitMs, aim, run);
  }

  /** Gives a connection to one caller. The first answer on it must be reported to the watch. */
  alone<T>(run: (client: SQL, watch: SilenceWatch) => Promise<T>): Promise<T> {
    return this.#use(true, this.#options.limitMs, nowhere, run);
  }

  giveUpOn(isConcerned: (watch: SilenceWatch) => boolean, reason: Failure): void {
    this.#answers.giveUpOn(isConcerned, reason);
  }

  async close(): Promise<void> {
    const { promise: idle, resolve } = Promise.withResolvers<void>();
    this.#onIdle = resolve;
    const timer = setTimeout(resolve, closingMs);
    this.#reportIdle();
    await idle;
    clearTimeout(timer);
    for (const waiting of this.#waiting.splice(0)) waiting.fail(noAnswer(this.place));
    await Promise.all(this.#slots.map(({ client }) => client.close({ timeout: 0 })));
  }

  /** The time spent waiting for a connection counts. */
  #use<T>(
    isAlone: boolean,
    limitMs: number,
    { account, worker, isEverywhere }: Aim,
    run: (client: SQL, watch: SilenceWatch) => Promise<T>,
  ): Promise<T> {
    if (this.#onIdle) return Promise.reject(noAnswer(this.place));
    return new Promise<T>((resolve, reject) => {
      let slot: Slot | null = null;
      const end = () => {
        watch.stop();
        if (slot) this.#leave(slot);
      };
      const waiting: QueuedCall = {
        isAlone,
        worker,
        begin: (given) => {
          slot = given;
          slot.users++;
          slot.worker = worker;
          slot.isTaken = isAlone;
          const running = given.session
            ? run(given.client, watch)
            : this.#check(given).then(() => run(given.client, watch));
          running.then(
            (result) => {
              given.isConnected = true;
              given.doubtfulUntil = 0;
              end();
              resolve(result);
            },
            (error) => {
              if (!given.isConnected) given.doubtfulUntil = performance.now() + doubtMs;
              if (given.session && this.#options.isUnfit(error)) this.#discard(given);
              end();
              reject(error);
            },
          );
        },
        fail: (error) => {
          watch.stop();
          reject(error);
        },
      };
      const watch = new SilenceWatch(this.#answers, {
        limitMs,
        onSilence: (reason) => {
          reject(reason ?? noAnswer(this.place));
          if (slot === null) this.#withdraw(waiting);
          else if (reason === null) this.#discard(slot);
          else this.#renew(slot);
        },
        onDoubt: () => {
          void this.#discardDead();
          this.#options.onDoubt?.(watch);
        },
        ...(this.#options.onDoubt && { doubtAfterMs: workerDoubtAfterMs }),
      });
      watch.account = account;
      watch.isEverywhere = isEverywhere;
      watch.expectAnswer();
      const free = this.#waiting.length === 0 ? this.#slotFor(waiting) : null;
      if (free) waiting.begin(free);
      else this.#waiting.push(waiting);
    });
  }

  /** One that could not connect comes last: a server whose disk is full answers only existing connections. */
  #slotFor({ isAlone, worker }: QueuedCall): Slot | null {
    const mayTakeAnother = worker === null || this.#heldFor(worker) < this.#maxOfWorker;
    let best: Slot | null = null;
    let doubtful: Slot | null = null;
    for (const slot of this.#slots) {
      const isDoubtful = slot.doubtfulUntil > 0 && slot.doubtfulUntil > performance.now();
      if (slot.users === 0 && !mayTakeAnother) continue;
      if (slot.users === 0 && !isDoubtful) return slot;
      if (slot.users === 0) doubtful = slot;
      else if (!isAlone && !slot.isTaken && slot.worker === worker && (best === null || slot.users < best.users))
        best = slot;
    }
    return best ?? doubtful;
  }

  #heldFor(worker: string): number {
    return this.#slots.filter((slot) => slot.users > 0 && slot.worker === worker).length;
  }

  /** Those who come meanwhile wait for the same check. */
  #check(slot: Slot): Promise<void> {
    if (this.#unfit && performance.now() < this.#unfit.until) return Promise.reject(this.#unfit.reason);
    slot.checking ??= this.#checkOnce(slot).finally(() => {
      slot.checking = null;
    });
    return slot.checking;
  }

  async #checkOnce(slot: Slot): Promise<void> {
    try {
      slot.session = await this.#options.check(slot.client);
    } catch (error) {
      if (this.#options.isUnfit(error)) {
        this.#unfit = { reason: error, until: performance.now() + unfitMs };
        this.#discard(slot);
      }
      throw error;
    }
  }

  #leave(slot: Slot): void {
    slot.users--;
    slot.isTaken = false;
    this.#serveWaiting();
  }

  #serveWaiting(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const slot = this.#slotFor(next);
      if (slot === null) return;
      this.#waiting.shift();
      next.begin(slot);
    }
    this.#reportIdle();
  }

  #reportIdle(): void {
    if (this.#onIdle && this.#slots.every(({ users }) => users === 0)) this.#onIdle();
  }

  #withdraw(waiting: QueuedCall): void {
    this.#waiting = this.#waiting.filter((other) => other !== waiting);
    this.#serveWaiting();
  }

  /** After a failover nobody says that the old connections are dead. The server at the address now does not know them. */
  async #discardDead(): Promise<void> {
    const doubtful = this.#slots.flatMap((slot) => (slot.users > 0 && slot.session ? [slot.session] : []));
    if (this.#isLookingForDead || doubtful.length === 0) return;
    this.#isLookingForDead = true;
    try {
      const known = await this.#options.findSessions(doubtful);
      const dead = new Set(known && doubtful.filter((session) => !known.includes(session)));
      for (const slot of [...this.#slots]) if (slot.session && dead.has(slot.session)) this.#discard(slot);
    } finally {
      this.#isLookingForDead = false;
    }
  }

  /** All under way on this connection fails. Idle ones are renewed with it: what silenced one has often silenced all. */
  #discard(silent: Slot): void {
    for (const slot of [...this.#slots]) if (slot === silent || slot.users === 0) this.#replace(slot);
    this.#serveWaiting();
  }

  /** The same for this connection alone: what is silent is behind the server. */
  #renew(slot: Slot): void {
    this.#replace(slot);
    this.#serveWaiting();
  }

  #replace(slot: Slot): void {
    const index = this.#slots.indexOf(slot);
    if (index < 0) return;
    this.#slots[index] = this.#newSlot();
    void slot.client.close({ timeout: 0 });
  }

  #newSlot(): Slot {
    const client = this.#options.connect(() => {
      slot.session = null;
    });
    const state = {
      users: 0,
      isTaken: false,
      worker: null,
      doubtfulUntil: 0,
      isConnected: false,
      session: null,
      checking: null,
    };
    const slot: Slot = { client, ...state };
    return slot;
  }
}
