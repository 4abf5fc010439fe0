import type { Database } from "../store/database.ts";
import { type AccountCharges, addCharges, type KeyCharges, storedCountsAtOnce } from "../store/key-counters.ts";
import type { Limiter } from "./limiter.ts";
import { dayOf, type MeterReading, type Spent } from "./meter.ts";
import { type Asked, NodeCounts } from "./node-counts.ts";
import type { Principal } from "./principal.ts";

/**
 * How soon a charge is on its way to the disk. With the commit that takes it along, this is what a `kill -9` may forgive.
 * Each commit makes everyone look again at what they keep until a commit; ten a second cost nothing that can be measured.
 */
const writeBehindMs = 100;

const readOnly: Asked = { slot: false, charge: false };

/** Stores what was counted, all of it or nothing. */
export type SaveCharges = (keys: readonly KeyCharges[], accounts: readonly AccountCharges[]) => Promise<void>;

/** By a transaction of this thread's own. */
export const saveHere = (database: Database, ...charges: Parameters<SaveCharges>): Promise<void> =>
  database.transaction((tx) => addCharges(tx, ...charges));

/** Counts in memory, because there is one server process, and writes behind. */
export class EmbeddedLimiter implements Limiter {
  readonly #database: Database;
  readonly #save: SaveCharges;
  readonly #counts = new NodeCounts();
  #writing: Timer | null = null;

  /** `save` may hand them to whoever writes anyway. */
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

  async flush(): Promise<void> {
    const unsaved = this.#counts.takeUnsaved();
    if (unsaved === null) return;
    try {
      await this.#save(unsaved.keys, unsaved.accounts);
    } catch (error) {
      unsaved.giveBack();
      throw error;
    }
  }

  #spend(principal: Principal, asked: Asked, now: number): Spent {
    const spent = this.#counts.spend(principal, asked, now) ?? this.#spendFirst(principal, asked, now);
    if (asked.charge && spent.refusal === null) this.#writeSoon();
    return spent;
  }

  /** The first call of a key on a day goes on from what is stored. */
  #spendFirst(principal: Principal, asked: Asked, now: number): Spent {
    const day = dayOf(now);
    const isAccountLimited = principal.limits.accountPerDay !== null;
    this.#counts.begin(principal, day, storedCountsAtOnce(this.#database, principal, day, isAccountLimited));
    const spent = this.#counts.spend(principal, asked, now);
    if (spent === null) throw new Error("the limiter does not find what it has begun");
    return spent;
  }

  /** What could not be written is written with the next charge, or by whoever calls `flush`, and who reports it. */
  #writeSoon(): void {
    this.#writing ??= setTimeout(() => {
      this.#writing = null;
      this.flush().catch(() => {});
    }, writeBehindMs).unref();
  }
}
