import { dayOf } from "../domain/time/time.ts";
import type { AccountCharges, KeyCharges, StoredCounts } from "../store/access/key-counters.ts";
import { type ExceededLimit, meterReading, SecondWindow, type Spent } from "./meter.ts";
import type { Principal } from "./principal.ts";

/** What a call costs: a slot of the second, a request of the day, or both. */
export interface Cost {
  readonly slot: boolean;
  readonly charge: boolean;
}

/** How much of one day is used: what is stored, plus what is not saved yet. */
class Count {
  readonly accountId: number;
  readonly day: number;
  used = 0;
  unsaved = 0;
  /** Whether `used` includes the stored count. */
  isLoaded = false;

  constructor(accountId: number, day: number) {
    this.accountId = accountId;
    this.day = day;
  }

  /** Never refunds more than was charged. */
  add(charge: number): void {
    const added = this.isLoaded ? Math.max(-this.used, charge) : charge;
    this.used += added;
    this.unsaved += added;
  }

  take(): AccountCharges {
    const charges = this.unsaved;
    this.unsaved = 0;
    return { accountId: this.accountId, day: this.day, charges };
  }
}

class KeyCount extends Count {
  readonly keyId: string;
  readonly window = new SecondWindow();
  lastUsedAt = 0;

  constructor({ accountId, keyId }: Principal, day: number) {
    super(accountId, day);
    this.keyId = keyId;
  }
}

/** Everything that is counted of one UTC day. */
interface Day {
  readonly day: number;
  readonly keys: Map<string, KeyCount>;
  readonly accounts: Map<number, Count>;
}

/** A clock that is set to another day and back finds both days here; older ones are in the store. */
const maxDays = 3;

export interface UnsavedCharges {
  readonly keys: readonly KeyCharges[];
  readonly accounts: readonly AccountCharges[];
  /** They could not be saved: the next `takeUnsaved` returns them again. */
  restore(): void;
}

/**
 * What this process counts by itself, by UTC day: a clock that is set to another day and back finds the count of each. It
 * starts from the stored counts, and remembers what is not saved yet.
 */
export class NodeCounts {
  /** Last used first. */
  readonly #days: Day[] = [];
  /** Those that have something to save. */
  readonly #changed = new Set<Count>();

  /** Counts a call. Null if the stored counts must be read first: see `spendFirst`. */
  spend(principal: Principal, cost: Cost, now: number): Spent | null {
    const day = this.#dayOf(dayOf(now));
    const key = day.keys.get(principal.keyId);
    if (!key?.isLoaded) return null;
    const { accountPerDay } = principal.limits;
    if (accountPerDay === null) return this.#take(principal, key, null, cost, now);
    const account = day.accounts.get(principal.accountId);
    return account?.isLoaded ? this.#take(principal, key, account, cost, now) : null;
  }

  /** Counts a call from the stored counts of its day on. Counts that are loaded already stay. */
  spendFirst(principal: Principal, cost: Cost, now: number, stored: StoredCounts): Spent {
    const day = this.#dayOf(dayOf(now));
    const key = keyIn(day, principal);
    if (!key.isLoaded) {
      key.used = Math.max(0, stored.keyUsed + key.unsaved);
      key.isLoaded = true;
    }
    const account = principal.limits.accountPerDay === null ? null : accountIn(day, principal);
    if (account !== null && !account.isLoaded) {
      // Without a stored row, the account starts with what its keys have used, and all of it must be saved.
      if (!stored.hasAccountRow) account.unsaved = stored.accountUsed + unsavedOfKeys(day, principal.accountId);
      account.used = Math.max(0, stored.hasAccountRow ? stored.accountUsed + account.unsaved : account.unsaved);
      account.isLoaded = true;
      this.#changed.add(account);
    }
    return this.#take(principal, key, account, cost, now);
  }

  /** Charges a day of the key, or refunds it, regardless of the limits. */
  add(principal: Principal, dayNumber: number, charge: number): void {
    const day = this.#dayOf(dayNumber);
    const key = keyIn(day, principal);
    key.add(charge);
    this.#changed.add(key);
    if (principal.limits.accountPerDay === null) return;
    const account = accountIn(day, principal);
    account.add(charge);
    this.#changed.add(account);
  }

  /** Takes out what is not saved yet; null if everything is. */
  takeUnsaved(): UnsavedCharges | null {
    if (this.#changed.size === 0) return null;
    const taken = Array.from(this.#changed, (count) => ({ count, ...count.take() }));
    this.#changed.clear();
    const keys = taken.flatMap(({ count, ...charges }) =>
      count instanceof KeyCount ? [{ ...charges, keyId: count.keyId, lastUsedAt: count.lastUsedAt }] : [],
    );
    const accounts = taken.flatMap(({ count, ...charges }) => (count instanceof KeyCount ? [] : [charges]));
    const restore = () => {
      for (const { count, charges } of taken) {
        count.unsaved += charges;
        this.#changed.add(count);
      }
    };
    return { keys, accounts, restore };
  }

  /** Forgets all counts if they are saved: other nodes may count in the store, too. */
  forgetSaved(): void {
    if (this.#changed.size === 0) this.#days.length = 0;
  }

  #take(principal: Principal, key: KeyCount, account: Count | null, { slot, charge }: Cost, now: number): Spent {
    const { limits } = principal;
    const perAccount = limits.accountPerDay ?? 0;
    let refusal: ExceededLimit | null = null;
    if (slot) {
      key.lastUsedAt = now;
      this.#changed.add(key);
      if (!key.window.take(limits.perSecond, now)) refusal = "second";
    }
    if (charge && refusal === null) {
      if (key.used >= limits.perDay) refusal = "day";
      else if (account !== null && account.used >= perAccount) refusal = "account";
      else {
        key.add(1);
        this.#changed.add(key);
        if (account !== null) {
          account.add(1);
          this.#changed.add(account);
        }
      }
    }
    const ofAccount = account && { used: account.used, perDay: perAccount };
    const used = { day: key.used, second: key.window.usedAt(now), account: ofAccount };
    return { reading: meterReading(limits, used, now), refusal };
  }

  #dayOf(number: number): Day {
    const [first] = this.#days;
    if (first?.day === number) return first;
    const at = this.#days.findIndex(({ day }) => day === number);
    const found = at === -1 ? undefined : this.#days.splice(at, 1)[0];
    const day = found ?? { day: number, keys: new Map(), accounts: new Map() };
    this.#days.unshift(day);
    if (this.#days.length > maxDays) this.#days.pop();
    return day;
  }
}

function keyIn({ day, keys }: Day, principal: Principal): KeyCount {
  return keys.getOrInsertComputed(principal.keyId, () => new KeyCount(principal, day));
}

function accountIn({ day, accounts }: Day, { accountId }: Principal): Count {
  return accounts.getOrInsertComputed(accountId, () => new Count(accountId, day));
}

function unsavedOfKeys(day: Day, accountId: number): number {
  let unsaved = 0;
  for (const key of day.keys.values()) if (key.accountId === accountId) unsaved += key.unsaved;
  return unsaved;
}
