import { dayOf } from "../domain/time/time.ts";
import { type AccountCharges, addCharges, type KeyCharges, storedCountsAtOnce } from "../store/access/key-counters.ts";
import type { Database } from "../store/database.ts";
import type { Limiter } from "./limiter.ts";
import type { MeterReading, Spent } from "./meter.ts";
import { type Cost, NodeCounts } from "./node-counts.ts";
import type { Principal } from "./principal.ts";

/**
 * How soon a charge is sent to the disk. A `kill -9` may lose the charges of this time and of the commit in progress.
 * Every commit invalidates what is cached until the next one, but ten a second cost nothing that can be measured.
 */
const writeBehindMs = 100;

const readOnly: Cost = { slot: false, charge: false };

/** Stores the counts, all or nothing. */
export type SaveCharges = (keys: readonly KeyCharges[], accounts: readonly AccountCharges[]) => Promise<void>;

/** In a transaction of this thread. */
export const saveHere = (database: Database, ...charges: Parameters<SaveCharges>): Promise<void> =>
  database.transaction((tx) => addCharges(tx, ...charges));

/** Counts in memory, because there is one server process, and writes behind. */
export class EmbeddedLimiter implements Limiter {
  readonly #database: Database;
  readonly #save: SaveCharges;
  readonly #counts = new NodeCounts();
  #writing: Timer | null = null;
  /** The last write, over when it has failed, too. */
  #written: Promise<unknown> = Promise.resolve();

  /** `save` may pass the charges to the thread that writes anyway. */
  constructor(database: Database, save: SaveCharges = (...charges) => saveHere(database, ...charges)) {
    this.#database = database;
    this.#save = save;
  }

  async spend(principal: Principal, day: "now" | "later", now: number): Promise<Spent> {
    return this.spendAtOnce(principal, day, now);
  }

  spendAtOnce(principal: Principal, day: "now" | "later", now: number): Spent {
    return this.#spend(principal, { slot: true, charge: day === "now" }, now);
  }

  async chargeDay(principal: Principal, now: number): Promise<Spent> {
    return this.#spend(principal, { slot: false, charge: true }, now);
  }

  async refundDay(principal: Principal, day: number, now: number): Promise<MeterReading> {
    this.#counts.add(principal, day, -1);
    this.#writeSoon();
    return this.#spend(principal, readOnly, now).reading;
  }

  /** One write after another: what one has taken out is stored, or back, before the next looks. */
  flush(): Promise<void> {
    const writing = this.#written.then(() => this.#write());
    this.#written = writing.catch(() => {});
    return writing;
  }

  async #write(): Promise<void> {
    const unsaved = this.#counts.takeUnsaved();
    if (unsaved === null) return;
    try {
      await this.#save(unsaved.keys, unsaved.accounts);
    } catch (error) {
      unsaved.restore();
      throw error;
    }
  }

  #spend(principal: Principal, cost: Cost, now: number): Spent {
    const spent = this.#counts.spend(principal, cost, now) ?? this.#spendFirst(principal, cost, now);
    if (cost.charge && spent.refusal === null) this.#writeSoon();
    return spent;
  }

  /** The first call of a key on a day loads the stored count. */
  #spendFirst(principal: Principal, cost: Cost, now: number): Spent {
    const isAccountLimited = principal.limits.accountPerDay !== null;
    const stored = storedCountsAtOnce(this.#database, principal, dayOf(now), isAccountLimited);
    return this.#counts.spendFirst(principal, cost, now, stored);
  }

  /** Charges that could not be written are written with the next one, or by `flush`, whose caller reports a failure. */
  #writeSoon(): void {
    this.#writing ??= setTimeout(() => {
      this.#writing = null;
      this.flush().catch(() => {});
    }, writeBehindMs).unref();
  }
}
