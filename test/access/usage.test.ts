import { expect, test } from "bun:test";
import type { Principal } from "../../src/access/principal.ts";
import { UsageRecorder } from "../../src/access/usage.ts";
import { dayMs } from "../../src/domain/time/time.ts";
import type { KeyUsageRow } from "../../src/store/access/key-usage.ts";
import type { Database } from "../../src/store/database.ts";
import { plainSql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { uuid } from "../support/fleet.ts";
import { beginFleets } from "../support/fleet-revisions.ts";

const now = Date.UTC(2026, 5, 15, 12);
const day = Math.floor(now / dayMs);

function principal(number: number): Principal {
  return {
    keyId: uuid(number),
    accountId: 1,
    visibility: { sees: "account", accountId: 1, userId: uuid(11) },
    scopes: [],
    limits: { perSecond: 1, perDay: 1, accountPerDay: null },
    expiresAt: null,
  };
}

function stored(database: Database): Promise<KeyUsageRow[]> {
  return database.all(plainSql("select * from key_usage order by key_id, day, endpoint"));
}

function row(key: number, atDay: number, endpoint: string, counts: Partial<KeyUsageRow>): KeyUsageRow {
  const none = { requests: 0, not_modified: 0, refused: 0, errors: 0 };
  return { account_id: 1, key_id: uuid(key), day: atDay, endpoint, ...none, ...counts };
}

onEachEngine("the usage of keys", (engine) => {
  test("is counted by key, UTC day and endpoint, and by how calls ended", async () => {
    const { database } = await engine.fresh();
    await database.transaction((tx) => beginFleets(tx, [1]));
    const usage = new UsageRecorder(database);
    for (const status of [200, 304, 304, 429, 400, 403, 404, 500]) usage.record(principal(1), "/trips", status, now);
    usage.record(principal(1), "/alerts", 200, now);
    usage.record(principal(1), "/trips", 200, now + dayMs);
    usage.record(principal(2), "/trips", 200, now);
    await usage.flush();
    expect(await stored(database)).toEqual([
      row(1, day, "/alerts", { requests: 1 }),
      row(1, day, "/trips", { requests: 8, not_modified: 2, refused: 1, errors: 4 }),
      row(1, day + 1, "/trips", { requests: 1 }),
      row(2, day, "/trips", { requests: 1 }),
    ]);
  });

  test("adds to what is there: of an earlier time, and of another node", async () => {
    const { database, open } = await engine.fresh();
    await database.transaction((tx) => beginFleets(tx, [1]));
    const nodes = [new UsageRecorder(database), new UsageRecorder(await open())];
    for (let round = 0; round < 3; round++) {
      for (const node of nodes) node.record(principal(1), "/trips", 304, now);
      await Promise.all(nodes.map((node) => node.flush()));
    }
    await nodes[0]?.flush();
    expect(await stored(database)).toEqual([row(1, day, "/trips", { requests: 6, not_modified: 6 })]);
  });

  test("is not lost when the store fails for a while, and not counted twice", async () => {
    const { database } = await engine.fresh();
    await database.transaction((tx) => beginFleets(tx, [1]));
    const usage = new UsageRecorder(database);
    usage.record(principal(1), "/trips", 200, now);
    usage.record(principal(2), "/trips", 429, now);
    await database.transaction((tx) => tx.run(plainSql("alter table key_usage rename to away")));
    const failing = usage.flush();
    usage.record(principal(1), "/trips", 404, now);
    await expect(failing).rejects.toThrow();
    await database.transaction((tx) => tx.run(plainSql("alter table away rename to key_usage")));
    await usage.flush();
    await usage.flush();
    expect(await stored(database)).toEqual([
      row(1, day, "/trips", { requests: 2, errors: 1 }),
      row(2, day, "/trips", { requests: 1, refused: 1 }),
    ]);
  });
});
