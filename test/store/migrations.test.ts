import { describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Observation } from "../../src/observe/observation.ts";
import { distributedTables, localTables, referenceTables } from "../../src/store/distribution.ts";
import { openDatabase } from "../../src/store/open.ts";
import { migrations as ofPostgres } from "../../src/store/postgres/migrations/index.ts";
import { sql } from "../../src/store/sql.ts";
import { migrations as ofSqlite } from "../../src/store/sqlite/migrations/index.ts";
import { everyRow, tablesOf } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { failureOf } from "../support/failures.ts";

/** Keyed by the account first, though they are not spread by it. */
const alsoByAccount = ["api_keys", "geofences", "ingest_tokens"];

const migrationCount = ofSqlite.length;

/** The SHA-256 of each file that a release has applied to somebody's store. A release adds its files here. */
const releasedFiles: Readonly<Record<string, string>> = {
  "sqlite/migrations/0001_fleet.sql": "1c5ae2e17784708a1ff433b614c3961ddd1b93ab39c5bced7d5a40212fe3e467",
  "sqlite/migrations/0002_frames.sql": "fe0923040cd3c7f37d2f7c4eb0bbc72d4291e9ea2a61715c19ff0f98bf20966a",
  "sqlite/migrations/0003_derived.sql": "7a1d360111f409f5a92adc345eaa497e46cd33fe7481f21652d58af4091f2bfa",
  "sqlite/migrations/0004_access.sql": "a3d9485ed8a1c7e4bf1bdfd2aaa5e539e97a838098b8ae2310e4cc3653e47655",
  "sqlite/migrations/0005_replaced_keys.sql": "dac655cb56e7270e20022e5715631de3423dc3f42d84f8caa98365cf2083fe1a",
  "postgres/migrations/0001_fleet.sql": "80eea4cb1d7c8e769c9052283ec44a9533a065cc0c26074a86c0db64365ddb6f",
  "postgres/migrations/0002_frames.sql": "a6efe9f489af76570ee7499e5b4a2282881bfeae8358892f3cbdfa47840ca4a3",
  "postgres/migrations/0003_derived.sql": "a8ed6313dd0fabc5d06e72dc3011c7c86a13abf18c56e7ae4fc63c387885e491",
  "postgres/migrations/0004_access.sql": "e4279ea6bf05d65b4673ce3954b3a9c9ec10ecb69dbe6de84b48f6dacd946733",
  "postgres/migrations/0005_replaced_keys.sql": "dac655cb56e7270e20022e5715631de3423dc3f42d84f8caa98365cf2083fe1a",
};

describe("a migration that was released", () => {
  test.each(Object.entries(releasedFiles))("is never changed: %s", async (path, hash) => {
    const text = await readFile(join(import.meta.dir, "../../src/store", path));
    expect(new Bun.CryptoHasher("sha256").update(text).digest("hex")).toBe(hash);
  });

  test("has the same place on both engines as the day it was released", () => {
    const names = ["fleet", "frames", "derived", "access", "replaced_keys"];
    for (const known of [ofSqlite, ofPostgres]) {
      expect(known.slice(0, names.length).map(({ name }): string => name)).toEqual(names);
    }
    expect(ofSqlite.map(({ name }): string => name)).toEqual(ofPostgres.map(({ name }): string => name));
  });
});

onEachEngine("the schema", (engine) => {
  test("is made by the first who opens the store, and only then", async () => {
    const store = await engine.empty();
    const seen: Observation[] = [];
    for (let round = 0; round < 2; round++) {
      const observe = (observation: Observation) => seen.push(observation);
      await (await openDatabase(store.target, { create: true, observe })).close();
    }
    expect(seen).toEqual([{ kind: "schema_migrated", engine: engine.name, applied: migrationCount }]);
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
      { version: 7, name: "receipts" },
      { version: 8, name: "retention" },
      { version: 9, name: "assigned_imeis" },
      { version: 10, name: "checkpoint_totals" },
      { version: 11, name: "rules" },
      { version: 12, name: "time_zone" },
      { version: 13, name: "silent_trips" },
      { version: 14, name: "times_of_receipt" },
      { version: 15, name: "changes" },
      { version: 16, name: "frames_in_blocks" },
      { version: 17, name: "checkpoints" },
      { version: 18, name: "readings" },
      { version: 19, name: "preferences" },
      { version: 20, name: "administration" },
      { version: 21, name: "many_machines" },
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
    expect(failure.message).toContain(`only up to ${migrationCount}`);
    expect(await everyRow(store.database)).toEqual(before);
    expect(await tablesOf(store.database)).toEqual(tables);
  });

  test("keys every table that grows by the account first", async () => {
    const { database } = await engine.fresh();
    const tables = [...(await tablesOf(database))];
    const byAccount = tables.filter(([, { primaryKey }]) => primaryKey[0] === "account_id").map(([name]) => name);
    const expected = [...distributedTables, ...alsoByAccount].toSorted();
    expect(byAccount.filter((name) => name !== "accounts")).toEqual(expected);
    expect(tables.map(([name]) => name)).toEqual([...distributedTables, ...referenceTables, ...localTables].toSorted());
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
