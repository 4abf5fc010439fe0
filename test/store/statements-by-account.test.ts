import { expect, test } from "bun:test";
import { SQL } from "bun";
import { ApiCache } from "../../src/api/cache/api-cache.ts";
import type { Visibility } from "../../src/domain/visibility.ts";
import type { Spending } from "../../src/store/access/key-calls.ts";
import { SharedCounters } from "../../src/store/access/shared-counters.ts";
import { accountViewer, viewerId } from "../../src/store/changes/viewers.ts";
import type { BulkTable, Database, Row } from "../../src/store/database.ts";
import { insertsByAccount, insertsOfRows, updatesOfRows } from "../../src/store/postgres/bulk.ts";
import { PostgresConnection } from "../../src/store/postgres/connection.ts";
import type { SilenceWatch } from "../../src/store/postgres/silence-watch.ts";
import { Workers } from "../../src/store/postgres/workers.ts";
import { type Sql, sql } from "../../src/store/sql.ts";
import { altered, noting } from "../support/altered.ts";
import { type EmptyStore, type EngineUnderTest, onEachEngine } from "../support/engines.ts";
import { beginFleets } from "../support/fleet-revisions.ts";
import { keyNumber } from "../support/limiters.ts";
import { isOnCluster } from "../support/postgres-databases.ts";
import { judge } from "../support/statement-rule.ts";

/** What a store does only if it is spread over many machines, done on one. */
onEachEngine("a store by account", (engine) => {
  if (engine.name === "sqlite" || isOnCluster) return;

  test("adds rows account by account", async () => {
    const store = await engine.fresh();
    await store.database.transaction((tx) => beginFleets(tx, [1, 2]));
    const { sent, result } = await onConnection(store, (connection) =>
      connection.insertMany(unknown, sentBy([1, 2, 1])),
    );
    expect(result).toBe(3);
    expect(judged(sent)).toEqual([
      { accounts: [1], faults: [] },
      { accounts: [2], faults: [] },
    ]);
    expect(await storedImeis(store, [1, 2])).toEqual(["0", "2", "1"]);
  });

  test("adds rows of other tables at once", async () => {
    const store = await engine.fresh();
    const leases: BulkTable = { name: "leases", columns: { name: "text", holder: "text", until: "bigint" } };
    const rows = ["one", "two"].map((name) => ({ name, holder: "nobody", until: 1 }));
    const { sent, result } = await onConnection(store, (connection) => connection.insertMany(leases, rows));
    expect([result, sent.length]).toEqual([2, 1]);
  });

  test("refuses rows of an account that is not there", async () => {
    const store = await engine.fresh();
    await store.database.transaction((tx) => beginFleets(tx, [1]));
    const add = (accounts: readonly number[]) =>
      onConnection(store, (connection) => connection.insertMany(unknown, sentBy(accounts))).then(
        ({ result }) => result,
      );
    await expect(add([7])).rejects.toThrow("there is no account 7 to add rows to");
    expect(await add([1])).toBe(1);
    // Rows that are there already are no reason to refuse.
    expect(await add([1])).toBe(0);
    expect(await storedImeis(store, [1, 7])).toEqual(["0"]);
  });

  test("counts calls of several accounts as one machine does, in one statement", async () => {
    const accounts = [1, 2, 3];
    const count = async (isDistributed: boolean) => {
      const { database, sent } = watchedDatabase((await engine.fresh()).database, isDistributed);
      const counters = new SharedCounters(database);
      // Two more of each key than its day has.
      const spendings = accounts.flatMap((accountId) => Array.from({ length: 6 }, () => oneCall(accountId)));
      const counts = await Promise.all(spendings.map((spending) => counters.spend(spending)));
      const results = counts.map(({ key_id, day_used, admitted, account_used }) => ({
        key_id,
        day_used,
        admitted,
        account_used,
      }));
      return { results, sent: judged(sent) };
    };
    const apart = await count(true);
    const together = await count(false);
    expect(apart.results).toEqual(together.results);
    expect(apart.results.filter(({ admitted }) => admitted)).toHaveLength(accounts.length * 4);
    expect(apart.sent).toHaveLength(together.sent.length);
    expect(apart.sent.flatMap(({ faults }) => faults)).toEqual([]);
  });

  test("reads counters of viewers as one machine does, in a statement for each account", async () => {
    const store = await withRevisions(engine);
    const viewers = [1, 2, 1, 3].flatMap((accountId): Visibility[] => [
      { sees: "account", accountId, userId: user },
      { sees: "assigned", accountId, userId: user },
    ]);
    const read = async (isDistributed: boolean) => {
      const { database, sent } = watchedDatabase(store, isDistributed);
      const cache = new ApiCache(database);
      const answers = await Promise.all(viewers.flatMap((viewer) => [cache.counters(viewer), cache.counters(viewer)]));
      return { answers, sent };
    };
    const apart = await read(true);
    const together = await read(false);
    expect(apart.answers).toEqual(together.answers);
    expect(apart.answers[0]).toMatchObject({ livePositions: 11, devices: 12, last: 13, forgotten: 3 });
    // In the order in which they were asked for: the same viewer twice, one without a row, an account without any.
    const revisions = apart.answers.map((answer) => "livePositions" in answer && answer.livePositions);
    expect(revisions.filter((_, index) => index % 2 === 0)).toEqual([11, 12, 21, 0, 11, 12, 0, 0]);
    expect(judged(apart.sent)).toEqual([1, 2, 3].map((accountId) => ({ accounts: [accountId], faults: [] })));
    expect(together.sent).toHaveLength(1);
  });

  test("reads counters of viewers in the statement that counts their calls, if it is one machine", async () => {
    const store = await withRevisions(engine);
    const owner = (accountId: number): Visibility => ({ sees: "account", accountId, userId: user });
    const assigned: Visibility = { sees: "assigned", accountId: 1, userId: user };
    const called = (visibility: Visibility, key: number): Spending => ({
      ...oneCall(visibility.accountId),
      keyId: keyNumber(key),
      viewerId: viewerId(visibility),
      accountPerDay: key === 4 ? 1_000 : null,
    });
    // The fourth key shares a limit with others of its account. The first is that of a user who has another role meanwhile.
    const calls = [
      called(owner(1), 1),
      called(owner(2), 2),
      called(assigned, 3),
      called(owner(1), 4),
      called(owner(3), 5),
    ];
    const spend = async (isDistributed: boolean) => {
      const { database } = watchedDatabase(store, isDistributed);
      const shared = new SharedCounters(database);
      const counts = await Promise.all([...calls, called(assigned, 1)].map((call) => shared.spend(call)));
      return counts.map(({ counters }) => counters);
    };
    const cache = new ApiCache(store);
    const viewers = [owner(1), owner(2), assigned, owner(1), owner(3)];
    expect(await spend(false)).toEqual([...(await Promise.all(viewers.map((viewer) => cache.counters(viewer)))), null]);
    expect(await spend(true)).toEqual([...calls, null].map(() => null));
  });
});

const user = "00000000-0000-4000-8000-000000000001";

/** Counters of two viewers of one account, and of one of another. */
async function withRevisions(engine: EngineUnderTest): Promise<Database> {
  const { database } = await engine.fresh();
  await database.transaction(async (tx) => {
    for (const [accountId, userId, revision] of [
      [1, accountViewer, 11],
      [1, user, 12],
      [2, accountViewer, 21],
    ] as const) {
      await tx.run(sql`
        insert into viewer_revisions (account_id, user_id, revision, devices_revision, changes, forgotten, trip_changes)
        values (${accountId}, ${userId}, ${revision}, ${revision + 1}, ${revision + 2}, 3, ${revision - 5})`);
    }
  });
  return database;
}

const unknown: BulkTable = {
  name: "unknown_devices",
  columns: { account_id: "bigint", imei: "text", first_seen_at: "bigint", last_seen_at: "bigint", count: "bigint" },
  onConflict: "on conflict do nothing",
};

function sentBy(accounts: readonly number[]): Row[] {
  const seen = { first_seen_at: 1, last_seen_at: 1, count: 1 };
  return accounts.map((account_id, number) => ({ account_id, imei: String(number), ...seen }));
}

async function storedImeis({ open }: Pick<EmptyStore, "open">, accounts: readonly number[]): Promise<string[]> {
  const database = await open();
  const rows = await Promise.all(
    accounts.map((accountId) =>
      database.all<{ imei: string }>(sql`
        select imei from unknown_devices where account_id = ${accountId} order by imei`),
    ),
  );
  return rows.flat().map(({ imei }) => imei);
}

function oneCall(accountId: number): Spending {
  const limits = { perSecond: 1_000, perDay: 4, accountPerDay: null };
  return { accountId, keyId: keyNumber(accountId), viewerId: user, ...limits, takesSlot: false, isCharged: true };
}

/** Works on a connection to many machines, which are one. */
async function onConnection<Result>(
  { env }: Pick<EmptyStore, "env">,
  work: (connection: PostgresConnection) => Promise<Result>,
): Promise<{ readonly result: Result; readonly sent: Sql[] }> {
  const sent: Sql[] = [];
  const idle = { expectAnswer: () => {}, answered: () => {}, allow: () => {} } as unknown as SilenceWatch;
  const workers = new Workers({ connect: () => client, onSilent: () => {}, onUnknownPlaces: () => {} });
  const client = new SQL(env.DATABASE_URL ?? "", { adapter: "postgres", max: 1, bigint: true });
  try {
    const result = await client.begin((tx) => {
      const send = tx.unsafe.bind(tx);
      tx.unsafe = ((text: string, values: Sql["values"] = []) => {
        sent.push({ text, values });
        return send(text, [...values]);
      }) as typeof tx.unsafe;
      return work(new PostgresConnection(tx, idle, workers));
    });
    return { result, sent };
  } finally {
    await client.close({ timeout: 0 });
  }
}

const blocks: BulkTable = {
  name: "frame_blocks",
  columns: {
    account_id: "bigint",
    device: "bigint",
    from_at: "bigint",
    until_at: "bigint",
    count: "integer",
    received_until: "bigint",
    kinds: "integer",
    body: "bytea",
  },
  onConflict: "on conflict do nothing",
};

function block(accountId: number, device: number): Row {
  const body = Uint8Array.from({ length: 5 + device }, (_, index) => (index * 37 + device) % 256);
  const times = { from_at: 1_790_000_000_000, until_at: 1_790_000_000_001, received_until: 1_790_000_000_002 };
  return { account_id: accountId, device, ...times, count: device % 7, kinds: 3, body };
}

/** More than one statement takes. */
const rows = Array.from({ length: 4_500 }, (_, index) => block(1 + (index % 2), index));

onEachEngine("rows in bulk", (engine) => {
  if (engine.name === "sqlite") return;

  test("are the same whether their account is named or not", async () => {
    const { database } = await engine.fresh();
    await database.transaction((tx) => beginFleets(tx, [1, 2]));
    const store = async (statements: readonly Sql[]) =>
      database.transaction(async (tx) => {
        let count = 0;
        for (const statement of statements) count += await tx.run(statement);
        expect(count).toBe(rows.length);
        const stored = [];
        for (const accountId of [1, 2]) {
          stored.push(
            ...(await tx.all(sql`select * from frame_blocks where account_id = ${accountId} order by device`)),
          );
          await tx.run(sql`delete from frame_blocks where account_id = ${accountId}`);
        }
        return stored;
      });
    const byAccount = insertsByAccount(blocks, rows);
    expect(byAccount.map(({ values }) => values[1])).toEqual([1, 1, 2, 2]);
    expect(await store(byAccount)).toEqual(await store(insertsOfRows(blocks, rows)));
  });

  test("are changed account by account", async () => {
    const { database } = await engine.fresh();
    await database.transaction((tx) => beginFleets(tx, [1, 2]));
    const update = {
      name: "frame_blocks",
      key: { account_id: "bigint", device: "bigint" },
      changed: { count: "integer" },
    } as const;
    const changed = rows.slice(0, 10).map((row) => ({ ...row, count: 900 + Number(row.device) }));
    expect(updatesOfRows(update, changed).map(({ values }) => values[1])).toEqual([1, 2]);
    const counts = await database.transaction(async (tx) => {
      await tx.insertMany(blocks, rows.slice(0, 20));
      expect(await tx.updateMany(update, changed)).toBe(10);
      const all = await Promise.all(
        [1, 2].map((accountId) =>
          tx.all<{ device: number; count: number }>(sql`
            select device, count from frame_blocks where account_id = ${accountId}`),
        ),
      );
      return new Map(all.flat().map(({ device, count }) => [device, count]));
    });
    expect(counts.size).toBe(20);
    for (const [device, count] of counts) expect(count).toBe(device < 10 ? 900 + device : device % 7);
  });
});

/** A database as the program would see it on one machine or on many, and what it is sent outside of transactions. */
function watchedDatabase(
  database: Database,
  isDistributed: boolean,
): { readonly database: Database; readonly sent: Sql[] } {
  const sent: Sql[] = [];
  const noted = noting(database, (query) => sent.push(query));
  return { sent, database: altered(noted, { isDistributed, transaction: (work) => database.transaction(work) }) };
}

/** The accounts that each statement is about, and what is wrong with it. */
function judged(statements: readonly Sql[]): { readonly accounts: unknown[]; readonly faults: string[] }[] {
  return statements.map(({ text, values }) => {
    const { accountParameters, faults } = judge(text);
    return { accounts: [...new Set(accountParameters.map((number) => values[number - 1]))], faults: [...faults] };
  });
}
