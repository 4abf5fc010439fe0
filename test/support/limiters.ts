import { EmbeddedLimiter } from "../../src/access/embedded-limiter.ts";
import type { Limiter } from "../../src/access/limiter.ts";
import type { Spent } from "../../src/access/meter.ts";
import type { Principal } from "../../src/access/principal.ts";
import { SharedLimiter } from "../../src/access/shared-limiter.ts";
import { dayMs } from "../../src/domain/time/time.ts";
import type { Database } from "../../src/store/database.ts";
import { plainSql, sql } from "../../src/store/sql.ts";
import type { EngineUnderTest } from "./engines.ts";
import { beginFleets } from "./fleet-revisions.ts";

export const someKeyId = "0b5f1c1e-0000-4000-8000-00000000000a";

/** A key of account 1. */
export function principalWith(
  perSecond: number,
  perDay: number,
  accountPerDay: number | null = null,
  keyId = someKeyId,
): Principal {
  return {
    keyId,
    accountId: 1,
    visibility: { sees: "account", accountId: 1, userId: someKeyId },
    scopes: [],
    limits: { perSecond, perDay, accountPerDay },
    expiresAt: null,
  };
}

export function keyNumber(number: number): string {
  return `0b5f1c1e-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

/** On a busy machine, too, the counters are read and written in time. */
export const patient = { writeMs: 60_000, readMs: 60_000 };

export function limiterOf(database: Database): Limiter {
  return database.engine === "sqlite" ? new EmbeddedLimiter(database) : new SharedLimiter(database, database, patient);
}

/** A limiter over a store of its own, with the time and the day by its clock. */
export async function freshLimiter(engine: EngineUnderTest) {
  const store = await engine.fresh();
  const { database } = store;
  await database.transaction((tx) => beginFleets(tx, [1]));
  const now = await limiterClock(database);
  return { ...store, limiter: limiterOf(database), now, today: Math.floor(now / dayMs) };
}

/** The clock that the limiter counts by: PostgreSQL's own, or ours. */
export async function limiterClock(database: Database): Promise<number> {
  if (database.engine === "sqlite") return Date.now();
  const row = await database.get<{ ms: number }>(
    plainSql("select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms"),
  );
  return row?.ms ?? Number.NaN;
}

export async function spendMany(limiter: Limiter, who: Principal, count: number, now: number) {
  const spent = await Promise.all(Array.from({ length: count }, () => limiter.spend(who, "now", now)));
  return { ...outcomes(spent), spent };
}

function outcomes(spent: readonly Spent[]) {
  const refused = (wanted: string | null) => spent.filter(({ refusal }) => refusal === wanted).length;
  return { passed: refused(null), bySecond: refused("second"), byDay: refused("day"), byAccount: refused("account") };
}

/** What is stored of a key's day, or of an account's. */
export async function storedUse(database: Database, day: number, keyId: string | null = someKeyId): Promise<number> {
  const query =
    keyId === null
      ? sql`select day_used from account_counters where account_id = 1 and day = ${day}`
      : sql`select day_used from key_counters where key_id = ${keyId} and day = ${day}`;
  return (await database.get<{ day_used: number }>(query))?.day_used ?? 0;
}
