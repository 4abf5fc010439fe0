import type { Database } from "./database.ts";
import type { CountedKey } from "./key-counters.ts";
import { type Sql, sql } from "./sql.ts";

/** What a call spends. */
export interface Spending extends CountedKey {
  readonly perSecond: number;
  readonly perDay: number;
  /** Null: the account has no such limit. */
  readonly accountPerDay: number | null;
  /** Whether it uses a slot of the second. */
  readonly takesSlot: boolean;
  /** 1 uses one of the day's requests, 0 uses none for now, -1 returns one. */
  readonly charge: 1 | 0 | -1;
  /** The UTC day; null: the day on the database's clock. */
  readonly day: number | null;
}

/** The counters after it. */
export interface SharedCounts {
  readonly day: number;
  readonly day_used: number;
  /** Unix time in seconds. */
  readonly second: number;
  readonly second_used: number;
  readonly admitted: boolean;
  readonly last_used_at: number;
  /** The day's use of all keys of the account; null if that is not limited. */
  readonly account_used: number | null;
}

/** The row may have to be inserted, and midnight may pass in between. */
const maxAttempts = 4;

/**
 * PostgreSQL only: uses a slot of the second and, if allowed, one of the day, for all nodes at once. The row is locked
 * while counting, and the clock is the database's, so the figures are exact. A refused call uses its second's slot and
 * nothing of the day.
 *
 * If the account's keys share a limit, the account's row is locked first, in the same statement: all calls of the
 * account wait for it in turn. Accounts without such a limit have no such row.
 */
export async function spendShared(database: Database, spending: Spending): Promise<SharedCounts> {
  const { accountPerDay } = spending;
  const statement = accountPerDay === null ? spendOfKey(spending) : spendOfAccount(spending, accountPerDay);
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const [row] = await database.change<SharedCounts>(statement);
    if (row) return row;
    await beginAccountDay(database, spending);
  }
  throw new Error("the limiter's row did not come back");
}

const clockMs = sql`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`;

function spendOfKey(spending: Spending): Sql {
  return sql`
    ${upsertKey(spending, sql`(select ${dayOf(spending)} as day, ms from (select ${clockMs} as ms) clock) t`, sql`true`)}
    returning day, day_used, second, second_used, admitted, last_used_at, null::int as account_used`;
}

/** Returns no row if the account has none for the day yet: then nothing was counted. */
function spendOfAccount(spending: Spending, accountPerDay: number): Sql {
  const { accountId, charge } = spending;
  const isLeft = sql`((select used from account) < ${accountPerDay}::int)`;
  // The clock is read once the lock is held: until then it was others' turn.
  return sql`
    with clock as materialized (select ${clockMs} as ms),
    account as materialized (
      select a.day, a.day_used as used from clock, account_counters a
      where a.account_id = ${accountId} and a.day = ${dayOf(spending)}
      for update of a),
    spent as (
      ${upsertKey(spending, sql`(select day, ${clockMs} as ms from account) t`, isLeft)}
      returning c.*),
    charged as (
      insert into account_counters as a (account_id, day, day_used)
      select account_id, day, ${charge}::int from spent where admitted and ${charge}::int <> 0
      on conflict (account_id, day) do update set day_used = greatest(0, a.day_used + excluded.day_used)
      returning a.day_used)
    select spent.day, spent.day_used, spent.second, spent.second_used, spent.admitted, spent.last_used_at,
      coalesce((select day_used from charged), account.used) as account_used
    from spent, account`;
}

/**
 * A call up to two seconds before the row's second started before others but is counted after them. Further back, the
 * clock was set back, and the second counts as new: otherwise the key would be refused until the clock caught up.
 */
const toleratedSeconds = 2;

/** `source` provides `day` and `ms` as `t`. */
function upsertKey(spending: Spending, source: Sql, isAccountLeft: Sql): Sql {
  const { accountId, keyId, perSecond, perDay, takesSlot, charge } = spending;
  const isSameSecond = sql`excluded.second between c.second - ${toleratedSeconds}::int and c.second`;
  const second = takesSlot ? sql`case when ${isSameSecond} then c.second else excluded.second end` : sql`c.second`;
  const secondUsed = takesSlot ? sql`case when ${isSameSecond} then c.second_used + 1 else 1 end` : sql`c.second_used`;
  const isInSecond = takesSlot ? sql`${secondUsed} <= ${perSecond}::int` : sql`true`;
  const isInDay = sql`(${charge}::int <= 0 or (c.day_used < ${perDay}::int and ${isAccountLeft}))`;
  const isFirstInDay = sql`(${charge}::int <= 0 or ${isAccountLeft})`;
  const admitted = sql`(${isInSecond} and ${isInDay})`;
  return sql`
    insert into key_counters as c (account_id, key_id, day, day_used, second, second_used, admitted, last_used_at)
    select ${accountId}::bigint, ${keyId}::uuid, t.day, case when ${charge}::int > 0 and ${isAccountLeft} then 1 else 0 end,
      t.ms / 1000, ${takesSlot ? 1 : 0}::int, ${isFirstInDay}, t.ms
    from ${source}
    on conflict (account_id, key_id, day) do update set
      day_used = greatest(0, c.day_used + case when ${admitted} then ${charge}::int else 0 end),
      second = ${second},
      second_used = ${secondUsed},
      admitted = ${admitted},
      last_used_at = excluded.last_used_at`;
}

/** Needs `clock`. */
function dayOf({ day }: Spending): Sql {
  return sql`coalesce(${day}::int, (clock.ms / 86400000)::int)`;
}

/** The account's count of a day begins with what its keys have used of it: the limit may be set at noon. */
async function beginAccountDay(database: Database, spending: Spending): Promise<void> {
  const { accountId } = spending;
  await database.change(sql`
    insert into account_counters (account_id, day, day_used)
    select ${accountId}::bigint, t.day, coalesce(sum(k.day_used), 0)::int
    from (select ${dayOf(spending)} as day from (select ${clockMs} as ms) clock) t
    left join key_counters k on k.account_id = ${accountId} and k.day = t.day
    group by t.day
    on conflict (account_id, day) do nothing`);
}
