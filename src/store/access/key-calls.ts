import type { ViewerCounters } from "../changes/viewer-counters.ts";
import type { CountedKey } from "./key-counters.ts";

export interface Spending extends CountedKey {
  /** By whose counters the key's pictures are valid (`viewerId`). */
  readonly viewerId: string;
  readonly perSecond: number;
  readonly perDay: number;
  /** Null: the account has no such limit. */
  readonly accountPerDay: number | null;
  readonly takesSlot: boolean;
  readonly isCharged: boolean;
}

export interface KeyRow {
  readonly key_id: string;
  /** The UTC day, counted from 1970-01-01. */
  readonly day: number;
  readonly day_used: number;
  /** Unix time in seconds. */
  readonly second: number;
  readonly second_used: number;
  /** Whether the day had room for all that was asked of it. If not, nothing of the day was taken. */
  readonly admitted: boolean;
  readonly last_used_at: number;
}

/** With what the key's viewer can see changes of; null if that was not read along. */
export interface CountedRow extends KeyRow {
  readonly counters: ViewerCounters | null;
}

/** The counters after a call. `admitted` says whether it passed. */
export interface SharedCounts extends CountedRow {
  /** The day's use of all keys of the account; null if that is not limited. */
  readonly account_used: number | null;
}

/** The day of an account whose keys share a limit, while its row is locked. */
export interface AccountDay {
  readonly day: number;
  readonly perDay: number;
  used: number;
}

/** What is asked of a statement: how many calls of each kind. */
export interface SpendRequest {
  /** They use one of the day. */
  readonly charges: number;
  /** They use a slot of the second and, if they get one, one of the day. */
  readonly calls: number;
  /** They use a slot of the second. */
  readonly polls: number;
}

/** A request of the day that is still to be charged. */
interface Charge {
  readonly call: number;
  /** What its second had used with it, if it took a slot. */
  readonly secondUsed: number | null;
}

/**
 * Calls of one key that a statement counts together, by their numbers. The outcome is as if they had been counted one
 * after another: first the charges, then the calls, then the polls.
 *
 * The row does not say how much of the day a statement has taken, so it takes all that is asked for or nothing. What did
 * not fit is asked for again, but no more than is left. That happens only near the end of a day's requests.
 */
export class KeyCalls {
  /** With the limits that hold for all of them. */
  readonly key: Spending;
  #charges: Charge[] = [];
  #calls: number[] = [];
  #polls: number[] = [];
  #asked: SpendRequest = { charges: 0, calls: 0, polls: 0 };
  #leftOfKey = Number.POSITIVE_INFINITY;

  constructor(key: Spending) {
    this.key = key;
  }

  add(call: number, { takesSlot, isCharged }: Spending): void {
    if (!takesSlot) this.#charges.push({ call, secondUsed: null });
    else (isCharged ? this.#calls : this.#polls).push(call);
  }

  /** What to ask of the next statement, if the account's day has this much left for it. */
  ask(leftOfAccount: number): SpendRequest {
    const left = Math.max(0, Math.min(this.#leftOfKey, leftOfAccount));
    const charges = Math.min(this.#charges.length, left);
    const [calls, polls] = [this.#calls.length, this.#polls.length];
    // If there may not be enough for all calls, they take their slots first.
    this.#asked = charges + calls <= left ? { charges, calls, polls } : { charges, calls: 0, polls: calls + polls };
    return this.#asked;
  }

  /** Decides as many calls as the row allows. Returns whether all are decided. */
  settle(row: CountedRow, account: AccountDay | null, decide: (call: number, counts: SharedCounts) => void): boolean {
    const { perSecond, perDay } = this.key;
    const asked = this.#asked;
    const secondBefore = row.second_used - asked.calls - asked.polls;
    const inSecond = Math.max(0, Math.min(this.#calls.length, perSecond - secondBefore));
    const passedCalls = row.admitted ? Math.min(asked.calls, inSecond) : 0;
    const passedCharges = row.admitted ? asked.charges : 0;
    let dayUsed = row.day_used - passedCharges - passedCalls;

    const accountUsed = () => account?.used ?? null;
    const pass = (call: number, secondUsed: number) => {
      if (account) account.used++;
      decide(call, countsAfter(row, ++dayUsed, secondUsed, true, accountUsed()));
    };
    for (const { call, secondUsed } of this.#charges.splice(0, passedCharges))
      pass(call, secondUsed ?? row.second_used);
    const slots = [...this.#calls, ...this.#polls];
    const secondOf = (slot: number) => secondBefore + slot + 1;
    for (const [slot, call] of slots.entries()) {
      if (slot < passedCalls) pass(call, secondOf(slot));
      else if (slot < inSecond) this.#charges.push({ call, secondUsed: secondOf(slot) });
      // Of the polls, those within the second pass. Of the calls, only those beyond it are left.
      else decide(call, countsAfter(row, row.day_used, secondOf(slot), secondOf(slot) <= perSecond, accountUsed()));
    }
    this.#calls = [];
    this.#polls = [];
    this.#leftOfKey = perDay - row.day_used;
    if (Math.min(this.#leftOfKey, account ? account.perDay - account.used : 1) > 0) return this.#charges.length === 0;
    for (const { call, secondUsed } of this.#charges.splice(0)) {
      decide(call, countsAfter(row, row.day_used, secondUsed ?? row.second_used, false, accountUsed()));
    }
    return true;
  }
}

/** Each by name: a copy of the row for each call would cost more than the rest of counting it. */
function countsAfter(
  { key_id, day, second, last_used_at, counters }: CountedRow,
  day_used: number,
  second_used: number,
  admitted: boolean,
  account_used: number | null,
): SharedCounts {
  return { key_id, day, day_used, second, second_used, admitted, last_used_at, account_used, counters };
}
