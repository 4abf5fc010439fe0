import { describe, expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Observation } from "../../src/observe/observation.ts";
import { distributedTables, localTables, referenceTables } from "../../src/store/distribution.ts";
import { postgresMigrations as ofPostgres, sqliteMigrations as ofSqlite } from "../../src/store/migrations.ts";
import { openDatabase } from "../../src/store/open.ts";
import { sql } from "../../src/store/sql.ts";
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
  "sqlite/migrations/0006_account_limits.sql": "0bfe428fb5d96f545ebdbb335734a18dc1db02e3e53f7724b79975e6f568935f",
  "sqlite/migrations/0007_receipts.sql": "43bb051d9bcfdccf771ee03696cba36051c24dfd7a2ff781a9c3fd0a9f382eed",
  "sqlite/migrations/0008_retention.sql": "5d7489210cf365c6f1c9a70aa7cd2e5f44e38c0f61ef27ea0007670db4f28aea",
  "sqlite/migrations/0009_assigned_imeis.sql": "eff3b9cab9bfb71183649134d6c66abb81a1e67436bbc4bbb1e59a48213e0cd3",
  "sqlite/migrations/0010_checkpoint_totals.sql": "13f4c258c942af98cfaefd6707a26c40bd9681a5ce5dcd485dc5cfc558c72066",
  "sqlite/migrations/0011_rules.sql": "3dcede50b97c9547dfc56c32ad8192d6e2d33651abf6ae00b0bd43b43a7ea90f",
  "sqlite/migrations/0012_time_zone.sql": "3bfcc4c01017e92f1fda90c7b3962aa3989c94ff42c7cd2f9c59fb52379631ef",
  "sqlite/migrations/0013_silent_trips.sql": "e6bcedc573f1cbd534f1b74980456c428b622a5eb44a24b8d0bbc6017810e6dd",
  "sqlite/migrations/0014_times_of_receipt.sql": "90fe799246a8c903176e4b47a6cf7fda0c2b262e5ff8367de43ae464c7087f7a",
  "sqlite/migrations/0015_changes.sql": "a0b5b39214bcfa944e2b4dbfab06033deaf7aed8b5e3537e398fc39283f14d20",
  "sqlite/migrations/0016_frames_in_blocks.sql": "a9d5f4f2b02cdc8f04f5b4a5f555512f29cb3917912fd8f7799ad8b53bcba5f6",
  "sqlite/migrations/0017_checkpoints.sql": "19d6ec9e0b8e97301e3ba0dc0d6615df86eaddf26ca0ceb4edd98bbb4d8a880f",
  "sqlite/migrations/0018_readings.sql": "ecd9d3100f28926e1482b39ec6ec636ffb62fe9a171c91534f466a47b0ce7eba",
  "sqlite/migrations/0019_preferences.sql": "a9e30bb87bd985f25e56a86baaba5de1fa9a8af97d0a83bd2a58c9ca6d5be8c8",
  "sqlite/migrations/0020_administration.sql": "c583ba6ded5a89c55c257633988ec71c37b28e4629791459a249bf7a9ce21fc9",
  "sqlite/migrations/0021_many_machines.sql": "65d12d26fc75ecfdd21bffec8480faf2af342d39692ea0315c767a77e6c7b20d",
  "postgres/migrations/0001_fleet.sql": "80eea4cb1d7c8e769c9052283ec44a9533a065cc0c26074a86c0db64365ddb6f",
  "postgres/migrations/0002_frames.sql": "a6efe9f489af76570ee7499e5b4a2282881bfeae8358892f3cbdfa47840ca4a3",
  "postgres/migrations/0003_derived.sql": "a8ed6313dd0fabc5d06e72dc3011c7c86a13abf18c56e7ae4fc63c387885e491",
  "postgres/migrations/0004_access.sql": "e4279ea6bf05d65b4673ce3954b3a9c9ec10ecb69dbe6de84b48f6dacd946733",
  "postgres/migrations/0005_replaced_keys.sql": "dac655cb56e7270e20022e5715631de3423dc3f42d84f8caa98365cf2083fe1a",
  "postgres/migrations/0006_account_limits.sql": "bf357f3975e785b76f1ceed77f416d4523d2eff5878468618ce2e7e3aadd7e35",
  "postgres/migrations/0007_receipts.sql": "383a89d10de127e83c25654ede1f367a12f0181a6da563a88e4d57f42ff522a2",
  "postgres/migrations/0008_retention.sql": "7e79c0023d2afa01620a6fee649b04792cbeaa9161decde62004cb641a188e14",
  "postgres/migrations/0009_assigned_imeis.sql": "3533b29e41c1e9af1cabc232bf111e886401b53e06ae8b1bc3a71abae5310fbe",
  "postgres/migrations/0010_checkpoint_totals.sql": "aa32a27d7da3204cb918ace7d8acae4d8c0ad1da43175b351fb1adfdeebdb048",
  "postgres/migrations/0011_rules.sql": "7e08effc53307315b1ff9a3a4c2dc562bf03c8b9a4294f75034b583742b48dce",
  "postgres/migrations/0012_time_zone.sql": "3bfcc4c01017e92f1fda90c7b3962aa3989c94ff42c7cd2f9c59fb52379631ef",
  "postgres/migrations/0013_silent_trips.sql": "32c8d0b92de908eb1165d1cc1e594026246b4ec0e0121795169867be507b383f",
  "postgres/migrations/0014_times_of_receipt.sql": "217026fbcad1751b6c41440b371ed0371cc0b24cb7dfb4bf6ee8550f4e5fb817",
  "postgres/migrations/0015_changes.sql": "2681508aa150843182fa3db625783c39ddc7fccf9d33ddddde1f1a019319dfee",
  "postgres/migrations/0016_frames_in_blocks.sql": "e67b942bad898297de3cac0a99a1cbbb9aeabe6a6f8bf2985d7c9d496b2d25bb",
  "postgres/migrations/0017_checkpoints.sql": "0f3cca1ed4e080e69711ff3a87e3c794c9f6a6245874868c0a1b7f4f9b19740b",
  "postgres/migrations/0018_readings.sql": "37920a4835203091fcd3f7d23f3b2bc63776a4cf6e0f8280c44f16c6860b9cc6",
  "postgres/migrations/0019_preferences.sql": "c9052b49ff5c75e6f5a2ea0cc2dd47a5716f5c3bde976db046a79d768404899d",
  "postgres/migrations/0020_administration.sql": "e4724f726a2434cbb17e740d7aef6f94c484db90cc158c035d485c8b7f855da4",
  "postgres/migrations/0021_many_machines.sql": "98298dcea067f9e3ee46137c607a4266e1c8439eb1cb7aa6ee6ea255b5c3f10d",
};

describe("a migration that was released", () => {
  test.each(Object.entries(releasedFiles))("is never changed: %s", async (path, hash) => {
    const text = await readFile(join(import.meta.dir, "../../src/store", path));
    expect(new Bun.CryptoHasher("sha256").update(text).digest("hex")).toBe(hash);
  });

  test("has the same place on both engines as the day it was released", () => {
    const released = [ofSqlite, ofPostgres].flatMap((known, index) => {
      const files = known.map(({ name }, place) => `${String(place + 1).padStart(4, "0")}_${name}.sql`);
      return files.map((file) => `${["sqlite", "postgres"][index]}/migrations/${file}`);
    });
    expect(released).toEqual(expect.arrayContaining(Object.keys(releasedFiles)));
    expect(ofSqlite.map(({ name }): string => name)).toEqual(ofPostgres.map(({ name }): string => name));
  });
});

test("every migration is in the store's README, in order, and is a file of each engine", async () => {
  const store = join(import.meta.dir, "../../src/store");
  const listed = ofSqlite.map(({ name }, place) => `${String(place + 1).padStart(4, "0")}_${name}.sql`);
  const readme = await readFile(join(store, "README.md"), "utf8");
  expect([...readme.matchAll(/^\| `(\d{4}_\w+\.sql)`/gm)].map(([, file]) => file)).toEqual(listed);
  for (const engine of ["sqlite", "postgres"]) {
    expect((await readdir(join(store, engine, "migrations"))).sort()).toEqual(listed);
  }
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
      { version: 22, name: "rules_3" },
      { version: 23, name: "rules_4" },
      { version: 24, name: "tracker_clock" },
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
