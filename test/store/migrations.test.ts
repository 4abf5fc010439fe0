import { expect, test } from "bun:test";
import type { Observation } from "../../src/observe/observation.ts";
import { openDatabase } from "../../src/store/open.ts";
import { sql } from "../../src/store/sql.ts";
import { everyRow, tablesOf } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { failureOf } from "../support/failures.ts";

/** Tables that stay small: they are copied to every node of a distributed store instead of being spread over them. */
const smallTables = ["accounts", "device_directory", "schema_migrations", "secrets", "sessions", "users"];

const growingTables = [
  "account_counters",
  "alert_acknowledgements",
  "alert_settings_versions",
  "alerts",
  "api_keys",
  "assignments",
  "device_folds",
  "devices",
  "fold_checkpoints",
  "frames",
  "geofence_assignments",
  "geofence_events",
  "geofence_versions",
  "geofences",
  "ingest_tokens",
  "key_counters",
  "key_usage",
  "latest_positions",
  "mileage_days",
  "readings",
  "trips",
  "viewer_revisions",
];

onEachEngine("the schema", (engine) => {
  test("is made by the first who opens the store, and only then", async () => {
    const store = await engine.empty();
    const seen: Observation[] = [];
    for (let round = 0; round < 2; round++) {
      const observe = (observation: Observation) => seen.push(observation);
      await (await openDatabase(store.target, { create: true, observe })).close();
    }
    expect(seen).toEqual([{ kind: "schema_migrated", engine: engine.name, applied: 6 }]);
  });

  test.each([2, 5])("is made once when %d nodes start at once", async (nodes) => {
    const store = await engine.empty();
    const databases = await Promise.all(Array.from({ length: nodes }, () => store.open()));
    await Promise.all(databases.map((database) => database.ping()));
    const applied = await databases[0]?.all<{ version: number; name: string }>(
      sql`select version, name from schema_migrations order by version`,
    );
    expect(applied).toEqual([
      { version: 1, name: "fleet" },
      { version: 2, name: "frames" },
      { version: 3, name: "derived" },
      { version: 4, name: "access" },
      { version: 5, name: "replaced_keys" },
      { version: 6, name: "account_limits" },
    ]);
  });

  test("that is newer than the program is refused and left alone", async () => {
    const store = await engine.fresh();
    await store.database.transaction((tx) =>
      tx.run(sql`insert into schema_migrations (version, name, applied_at) values (99, 'from the future', 1)`),
    );
    const before = await everyRow(store.database);
    const tables = await tablesOf(store.database);

    const failure = await failureOf(openDatabase(store.target, { create: true }));
    expect(failure.code).toBe("STORE_TOO_NEW");
    expect(failure.message).toContain("schema version 99");
    expect(failure.message).toContain("only up to 6");
    expect(await everyRow(store.database)).toEqual(before);
    expect(await tablesOf(store.database)).toEqual(tables);
  });

  test("keys every table that grows by the account first", async () => {
    const { database } = await engine.fresh();
    const tables = [...(await tablesOf(database))];
    const byAccount = tables.filter(([, { primaryKey }]) => primaryKey[0] === "account_id").map(([name]) => name);
    expect(byAccount.filter((name) => name !== "accounts")).toEqual(growingTables);
    expect(tables.map(([name]) => name)).toEqual([...growingTables, ...smallTables].toSorted());
    expect(tables.filter(([, { primaryKey }]) => primaryKey.length === 0)).toEqual([]);
  });

  if (engine.name === "postgres") {
    test("has the same tables, columns and keys as the embedded store's", async () => {
      const store = await engine.fresh();
      const embedded = await openDatabase({ engine: "sqlite", directory: store.directory }, { create: true });
      try {
        expect(await tablesOf(store.database)).toEqual(await tablesOf(embedded));
      } finally {
        await embedded.close();
      }
    });
  }
});
