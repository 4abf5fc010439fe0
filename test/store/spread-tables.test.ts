import { expect, test } from "bun:test";
import type { Database } from "../../src/store/database.ts";
import { distributedTables, localTables, referenceTables } from "../../src/store/distribution.ts";
import { type PlacedTable, spreadTables } from "../../src/store/postgres/spread-tables.ts";
import { plainSql } from "../../src/store/sql.ts";
import { citusStandIns } from "../support/citus-stand-ins.ts";
import { onEachEngine } from "../support/engines.ts";
import { isOnCluster } from "../support/postgres-databases.ts";

onEachEngine("spreading a store", (engine) => {
  if (engine.name === "sqlite" || isOnCluster) return;

  /** A store in which something is stored, known to the planner. */
  const begin = async () => {
    const store = await engine.fresh();
    await store.database.transaction(async (tx) => {
      for (const statement of citusStandIns) await tx.run(statement);
      await tx.run(plainSql("insert into fleet_revisions (account_id, revision) values (1, 1), (2, 1)"));
    });
    await store.database.change(plainSql("analyze fleet_revisions"));
    return store;
  };

  test("places each table as it is listed, and keeps all foreign keys", async () => {
    const { database } = await begin();
    const keys = await foreignKeys(database);
    expect(keys.length).toBeGreaterThan(5);
    expect(await statedTables(database)).toEqual(["fleet_revisions"]);

    const { placed, heard } = await spread(database);
    expect(placed.filter(({ wasDone }) => wasDone).map(({ name }) => name)).toEqual([...localTables]);
    const kindOf = (kind: string) => placed.filter((table) => table.kind === kind).map(({ name }) => name);
    expect(kindOf("distributed")).toEqual([...distributedTables]);
    expect(kindOf("reference")).toEqual([...referenceTables]);
    expect(await inCatalogue(database)).toEqual(asListed());
    const total = distributedTables.length + referenceTables.length;
    expect(heard).toHaveLength(total + 1);
    expect(heard.at(-1)).toEqual({ done: total, total });

    expect(await foreignKeys(database)).toEqual(keys);
    expect(await accountTypes(database)).toEqual(
      distributedTables.map((name) => ({ name, type: "bigint" })).sort(byName),
    );
    expect(await statedTables(database)).toEqual([]);
    expect(await fleets(database)).toEqual([{ account_id: 1 }, { account_id: 2 }]);
  });

  test("repeated, changes nothing", async () => {
    const { database } = await begin();
    await spread(database);
    const keys = await oidsOfKeys(database);
    const { placed, heard } = await spread(database);
    expect(placed.every(({ wasDone }) => wasDone)).toBe(true);
    expect(heard).toEqual([]);
    // Dropped and added again they would have others.
    expect(await oidsOfKeys(database)).toEqual(keys);
    expect(await inCatalogue(database)).toEqual(asListed());
  });

  test.each(["trips", "geofences", "latest_positions users"])("takes in what is missing: %s", async (list) => {
    const missing = list.split(" ");
    const { database } = await begin();
    await spread(database);
    const keys = await foreignKeys(database);
    const names = missing.map((name) => `'${name}'::regclass`).join();
    await database.change(plainSql(`delete from pg_dist_partition where logicalrelid in (${names})`));
    const { placed } = await spread(database);
    const taken = placed.filter(({ wasDone }) => !wasDone).map(({ name }) => name);
    expect(taken.sort()).toEqual([...missing].sort());
    expect(await inCatalogue(database)).toEqual(asListed());
    expect(await foreignKeys(database)).toEqual(keys);
  });

  test("connections plan for certain values only once it is spread", async () => {
    const store = await begin();
    const settings = async (database: Database) => ({
      isDistributed: database.isDistributed,
      plans: await database.get(plainSql("show plan_cache_mode")),
      order: await database.get(
        plainSql("select current_setting('citus.multi_shard_modify_mode', true) as order_of_shards"),
      ),
    });
    const plain = { isDistributed: false, plans: { plan_cache_mode: "force_generic_plan" } };
    expect(await settings(await store.open())).toMatchObject(plain);
    await spread(store.database);
    expect(await settings(await store.open())).toEqual({
      isDistributed: true,
      plans: { plan_cache_mode: "auto" },
      order: { order_of_shards: "sequential" },
    });
  });
});

async function spread(database: Database) {
  const heard: { readonly done: number; readonly total: number }[] = [];
  const onTable = (_name: string, done: number, total: number) => {
    heard.push({ done, total });
  };
  const placed: PlacedTable[] = await database.transaction((tx) =>
    spreadTables((text, values = []) => tx.all({ text, values }), { shards: 8, onTable }),
  );
  return { placed, heard };
}

const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);

function asListed() {
  const beside = (name: string) => (name === "devices" ? null : "devices");
  return [
    ...distributedTables.map((name) => ({ name, method: "h", column_name: "account_id", beside: beside(name) })),
    ...referenceTables.map((name) => ({ name, method: "n", column_name: null, beside: null })),
  ].sort(byName);
}

async function inCatalogue(database: Database) {
  const rows = await database.all<{ name: string }>(
    plainSql(`
    select logicalrelid::text as name, partmethod::text as method, column_name, beside::text as beside
    from pg_dist_partition`),
  );
  return rows.sort(byName);
}

function foreignKeys(database: Database): Promise<unknown[]> {
  return database.all(
    plainSql(`
    select conrelid::regclass::text as from, conname as name, pg_get_constraintdef(oid) as definition, convalidated
    from pg_constraint where contype = 'f' order by 1, 2`),
  );
}

function oidsOfKeys(database: Database): Promise<unknown[]> {
  return database.all(plainSql("select oid::int as oid from pg_constraint where contype = 'f' order by 1"));
}

async function accountTypes(database: Database) {
  const rows = await database.all<{ name: string; type: string }>(
    plainSql(`
    select attrelid::regclass::text as name, format_type(atttypid, null) as type
    from pg_attribute where attname = 'account_id'
      and attrelid in (select logicalrelid from pg_dist_partition where partmethod = 'h')`),
  );
  return rows.sort(byName);
}

/** Whose values the planner knows. */
async function statedTables(database: Database): Promise<string[]> {
  const rows = await database.all<{ name: string }>(
    plainSql(`
    select distinct tablename as name from pg_stats
    where schemaname = current_schema() and tablename in (${[...distributedTables, ...referenceTables].map((name) => `'${name}'`).join()})`),
  );
  return rows.map(({ name }) => name);
}

function fleets(database: Database): Promise<unknown[]> {
  return database.all(plainSql("select account_id from fleet_revisions order by account_id"));
}
