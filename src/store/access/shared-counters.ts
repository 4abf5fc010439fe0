import { CountersOnWorkers } from "../changes/counters-on-workers.ts";
import { askedCounters, type CountersText, counterKey, countersOf } from "../changes/viewer-counters.ts";
import type { Database, Transaction } from "../database.ts";
import { restAsLong, SharedStatement, StatementPerAccount } from "../shared-statement.ts";
import { plainSql, type Sql, sql, type Value } from "../sql.ts";
import { type AccountDay, KeyCalls, type KeyRow, type SharedCounts, type Spending } from "./key-calls.ts";
import type { CountedKey } from "./key-counters.ts";

/** That share a statement. One is prepared for each number of keys, so there are as many. */
const maxCalls = 64;

/** The account's row may have to be inserted, and midnight may pass in between. */
const maxAttempts = 4;

/**
 * PostgreSQL only: uses slots of the second and requests of the day, for all nodes at once. Rows are locked while counting,
 * and the clock is the database's, so the figures are exact. A refused call uses its second's slot and nothing of the day.
 *
 * Calls that come at the same time share one statement, whatever their keys. If the keys of an account share a limit, the
 * account's row is locked first, in a transaction that all calls of the account share.
 *
 * The counters of the keys' viewers are read at the same time: almost every call needs them. Where the store is on one machine, the
 * same statement reads them. Else each of these statements is one on each machine, and rests, so that more calls share it.
 */
export class SharedCounters {
  readonly #database: Database;
  /** Null: the store is on one machine. */
  readonly #onWorkers: CountersOnWorkers | null;
  readonly #ofKeys: SharedStatement<Spending, SharedCounts>;
  /** Of accounts with a limit. */
  readonly #ofAccounts: StatementPerAccount<Spending, SharedCounts>;

  /** `reading` has its own connections. */
  constructor(database: Database, reading: Database = database) {
    this.#database = database;
    this.#onWorkers = database.isDistributed ? new CountersOnWorkers(reading) : null;
    const shared = { max: maxCalls, ...(this.#onWorkers && { rest: restAsLong }) };
    const change = (statement: Sql) => database.change<KeyRow & CountersText>(statement);
    this.#ofKeys = new SharedStatement({
      ...shared,
      run: (spendings) => this.#withCounters(spendings, this.#spendTogether(spendings, null, change)),
    });
    this.#ofAccounts = new StatementPerAccount({
      ...shared,
      run: (spendings) => this.#withCounters(spendings, this.#spendOfAccount(spendings)),
    });
  }

  spend(spending: Spending): Promise<SharedCounts> {
    return (spending.accountPerDay === null ? this.#ofKeys : this.#ofAccounts).ask(spending);
  }

  /** Returns one request to the day that it was charged to. */
  async refund(key: CountedKey, isAccountLimited: boolean, day: number): Promise<SharedCounts> {
    if (!isAccountLimited) {
      const [row] = await this.#database.change<KeyRow>(refundKey(key, day));
      if (!row) throw new Error("a day that was not counted cannot be refunded");
      return { ...row, account_used: null, counters: null };
    }
    return this.#database.transaction(async (tx) => {
      const account = await tx.get<{ day_used: number }>(sql`
        update account_counters set day_used = greatest(0, day_used - 1)
        where account_id = ${key.accountId} and day = ${day} returning day_used`);
      const row = await tx.get<KeyRow>(refundKey(key, day));
      if (!row) throw new Error("a day that was not counted cannot be refunded");
      return { ...row, account_used: account?.day_used ?? null, counters: null };
    });
  }

  /** With what is read beside the counting. */
  async #withCounters(
    spendings: readonly Spending[],
    counting: Promise<readonly SharedCounts[]>,
  ): Promise<readonly SharedCounts[]> {
    if (this.#onWorkers === null) return counting;
    // What is charged later belongs to a call that has them.
    const calls = spendings.filter(({ takesSlot }) => takesSlot);
    const [counts, counters] = await Promise.all([counting, this.#onWorkers.read(calls)]);
    return counts.map((count, call) => {
      const spending = spendings[call];
      return { ...count, counters: (spending && counters.get(counterKey(spending))) ?? null };
    });
  }

  #spendOfAccount(spendings: readonly Spending[]): Promise<SharedCounts[]> {
    const { accountId, accountPerDay } = spendings.at(-1) as Spending;
    return this.#database.transaction(async (tx) => {
      const account = await lockedAccount(tx, accountId, accountPerDay ?? 0);
      const usedBefore = account.used;
      const counts = await this.#spendTogether(spendings, account, (statement) => tx.all(statement));
      const charged = account.used - usedBefore;
      if (charged > 0) {
        await tx.write(sql`
          update account_counters set day_used = day_used + ${charged}
          where account_id = ${accountId} and day = ${account.day}`);
      }
      return counts;
    });
  }

  /** Counts calls of any keys. `account` is given if they are all of one account with a limit. */
  async #spendTogether(
    spendings: readonly Spending[],
    account: AccountDay | null,
    run: (statement: Sql) => Promise<(KeyRow & CountersText)[]>,
  ): Promise<SharedCounts[]> {
    const counts: SharedCounts[] = [];
    const readsCounters = this.#onWorkers === null;
    let undecided = callsByKey(spendings);
    while (undecided.length > 0) {
      const rows = await run(spend(undecided, account, readsCounters));
      const rowOf = new Map(rows.map((row) => [row.key_id, row]));
      undecided = undecided.filter((calls) => {
        const row = rowOf.get(calls.key.keyId);
        if (!row) throw new Error("the limiter's row did not come back");
        if (isNew(row)) return true;
        const counters = readsCounters ? countersOf(row) : null;
        return !calls.settle({ ...row, counters }, account, (call, result) => {
          // Meanwhile the key's user may have got another role, which not all calls know of.
          const isSameViewer = spendings[call]?.viewerId === calls.key.viewerId;
          counts[call] = isSameViewer ? result : { ...result, counters: null };
        });
      });
    }
    return counts;
  }
}

/** In ascending order of the keys, as in `addCharges`, so that nodes do not deadlock. */
function callsByKey(spendings: readonly Spending[]): KeyCalls[] {
  const byKey = new Map<string, KeyCalls>();
  spendings.forEach((spending, call) => {
    let calls = byKey.get(spending.keyId);
    if (!calls) {
      calls = new KeyCalls(spending);
      byKey.set(spending.keyId, calls);
    }
    calls.add(call, spending);
  });
  return [...byKey.values()].sort((one, other) => (one.key.keyId < other.key.keyId ? -1 : 1));
}

function spend(calls: readonly KeyCalls[], account: AccountDay | null, readsCounters: boolean): Sql {
  let leftOfAccount = account ? account.perDay - account.used : Number.POSITIVE_INFINITY;
  const asked = calls.map((ofKey) => {
    const one = ofKey.ask(leftOfAccount);
    leftOfAccount -= one.charges + one.calls;
    return one;
  });
  const keys = calls.map(({ key }) => key);
  const values: Value[] = [
    arrayOf(asked, ({ charges }) => charges),
    arrayOf(asked, (one) => one.calls),
    arrayOf(asked, ({ polls }) => polls),
    arrayOf(keys, ({ perSecond }) => perSecond),
    arrayOf(keys, ({ perDay }) => perDay),
    account?.day ?? null,
  ];
  for (const { accountId, keyId } of keys) values.push(accountId, keyId);
  if (!readsCounters) return { text: textFor(keys.length, spendTexts, spendText), values };
  values.push(
    arrayOf(keys, ({ keyId }) => keyId),
    arrayOf(keys, ({ viewerId }) => viewerId),
  );
  return { text: textFor(keys.length, viewerTexts, viewerText), values };
}

function arrayOf<Item>(items: readonly Item[], textOf: (item: Item) => number | string): string {
  return `{${items.map(textOf).join()}}`;
}

const spendTexts: string[] = [];
const viewerTexts: string[] = [];

function textFor(keys: number, texts: string[], make: (keys: number) => string): string {
  texts[keys] ??= make(keys);
  return texts[keys];
}

/** When the statement arrived: the same in all its rows. */
const clockMs = "floor(extract(epoch from statement_timestamp()) * 1000)::bigint";
const clockDay = `(${clockMs} / 86400000)::int`;

/**
 * A call up to two seconds before the row's second started before others but is counted after them. Further back, the
 * clock was set back, and the second counts as new: otherwise the key would be refused until the clock caught up.
 */
const toleratedSeconds = 2;

/**
 * A row to insert holds its place in the statement as `second`: by it, a row that exists finds what is asked of it. So a
 * row that is inserted has counted nothing (see `isNew`), and the statement is run again for its key. That is once a day.
 *
 * Rows are given as `values`, because Citus refuses parameters in an `insert … select … on conflict`.
 */
function spendText(keys: number): string {
  const rows = Array.from({ length: keys }, (_, index) => {
    const [accountId, keyId] = [`$${7 + 2 * index}::bigint`, `$${8 + 2 * index}::uuid`];
    return `(${accountId}, ${keyId}, coalesce($6::int, ${clockDay}), 0, ${index + 1}, 0, false, ${clockMs})`;
  });
  const [charges, calls, polls, perSecond, perDay] = [1, 2, 3, 4, 5].map((n) => `($${n}::int[])[excluded.second]`);
  const second = "excluded.last_used_at / 1000";
  const isSameSecond = `${second} between c.second - ${toleratedSeconds} and c.second`;
  const usedBefore = `case when ${isSameSecond} then c.second_used else 0 end`;
  // Beyond its limit, too: a refused call uses a slot, and by the sum each call finds its own place.
  const slots = `${calls} + ${polls}`;
  const wanted = `(${charges} + greatest(0, least(${calls}, ${perSecond} - ${usedBefore})))`;
  const isAdmitted = `(${wanted} = 0 or c.day_used + ${wanted} <= ${perDay})`;
  return `
    insert into key_counters as c (account_id, key_id, day, day_used, second, second_used, admitted, last_used_at)
    values ${rows.join(", ")}
    on conflict (account_id, key_id, day) do update set
      day_used = c.day_used + case when ${isAdmitted} then ${wanted} else 0 end,
      second = case when ${isSameSecond} then c.second else ${second} end,
      second_used = ${usedBefore} + ${slots},
      admitted = ${isAdmitted},
      last_used_at = excluded.last_used_at
    returning account_id, key_id, day, day_used, second, second_used, admitted, last_used_at`;
}

/** The same with the counters of the keys' viewers. */
function viewerText(keys: number): string {
  const [keyIds, viewerIds] = [`$${7 + 2 * keys}::uuid[]`, `$${8 + 2 * keys}::uuid[]`];
  return `
    with counted as (${spendText(keys)})
    select asked.*, ${askedCounters.columns}
    from (select * from counted join unnest(${keyIds}, ${viewerIds}) as viewers (key_id, user_id) using (key_id)) asked
    ${askedCounters.joins}`;
}

/** Whether the row was inserted by this statement. */
function isNew({ second }: KeyRow): boolean {
  return second <= maxCalls;
}

/** Locks the account's row of the day, until the transaction ends. */
async function lockedAccount(tx: Transaction, accountId: number, perDay: number): Promise<AccountDay> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const row = await tx.get<{ day: number; day_used: number }>(sql`
      select day, day_used from account_counters where account_id = ${accountId} and day = ${today} for update`);
    if (row) return { day: row.day, used: row.day_used, perDay };
    await beginAccountDay(tx, accountId);
  }
  throw new Error("the account's row did not come back");
}

const today = plainSql(clockDay);

/** The account's count of a day begins with what its keys have used of it: the limit may be set at noon. */
async function beginAccountDay(tx: Transaction, accountId: number): Promise<void> {
  const row = await tx.get<{ day: number; used: number }>(sql`
    select ${today} as day, coalesce(sum(day_used), 0)::int as used
    from key_counters where account_id = ${accountId} and day = ${today}`);
  await tx.writeAny(sql`
    insert into account_counters (account_id, day, day_used) values (${accountId}, ${row?.day ?? 0}, ${row?.used ?? 0})
    on conflict (account_id, day) do nothing`);
}

function refundKey({ accountId, keyId }: CountedKey, day: number): Sql {
  return sql`
    update key_counters set day_used = greatest(0, day_used - 1)
    where account_id = ${accountId} and key_id = ${keyId} and day = ${day}
    returning key_id, day, day_used, second, second_used, admitted, last_used_at`;
}
