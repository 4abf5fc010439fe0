import { expect, test } from "bun:test";
import type { BulkTable, Row } from "../../src/store/database.ts";
import { insertsByAccount, insertsOfRows, updatesOfRows } from "../../src/store/postgres/bulk.ts";
import { type Sql, sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { beginFleets } from "../support/fleet-revisions.ts";

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
