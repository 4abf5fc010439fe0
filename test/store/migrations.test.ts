import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadModule, parseSync } from "libpg-query";
import type { Observation } from "../../src/observe/observation.ts";
import { distributedTables, localTables, referenceTables } from "../../src/store/distribution.ts";
import { postgresMigrations as ofPostgres, sqliteMigrations as ofSqlite } from "../../src/store/migrations.ts";
import { openDatabase } from "../../src/store/open.ts";
import { statementsOf } from "../../src/store/postgres/connection.ts";
import { sql } from "../../src/store/sql.ts";
import { everyRow, tablesOf } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { failureOf } from "../support/failures.ts";

/** Keyed by the account first, though they are not spread by it. */
const alsoByAccount = [
  "account_counters",
  "api_keys",
  "expected_trackers",
  "geofences",
  "ingest_tokens",
  "key_counters",
  "key_usage",
  "notification_followers",
  "planned_report_people",
  "unsubscriptions",
  "planned_reports",
  "report_mails",
];

const migrationCount = ofSqlite.length;

/** In the order in which they are applied. What a release has applied to somebody's store keeps its place; it adds its own here. */
const releasedFiles: Readonly<Record<string, readonly [sqlite: string, postgres: string]>> = {
  fleet: ["1c5ae2e17784708a1ff433b614c3961d", "80eea4cb1d7c8e769c9052283ec44a95"],
  frames: ["fe0923040cd3c7f37d2f7c4eb0bbc72d", "a6efe9f489af76570ee7499e5b4a2282"],
  derived: ["7a1d360111f409f5a92adc345eaa497e", "a8ed6313dd0fabc5d06e72dc3011c7c8"],
  access: ["a3d9485ed8a1c7e4bf1bdfd2aaa5e539", "e4279ea6bf05d65b4673ce3954b3a9c9"],
  replaced_keys: ["dac655cb56e7270e20022e5715631de3", "dac655cb56e7270e20022e5715631de3"],
  account_limits: ["0bfe428fb5d96f545ebdbb335734a18d", "bf357f3975e785b76f1ceed77f416d45"],
  receipts: ["43bb051d9bcfdccf771ee03696cba360", "383a89d10de127e83c25654ede1f367a"],
  retention: ["5d7489210cf365c6f1c9a70aa7cd2e5f", "7e79c0023d2afa01620a6fee649b0479"],
  assigned_imeis: ["eff3b9cab9bfb71183649134d6c66abb", "3533b29e41c1e9af1cabc232bf111e88"],
  checkpoint_totals: ["13f4c258c942af98cfaefd6707a26c40", "aa32a27d7da3204cb918ace7d8acae4d"],
  rules: ["3dcede50b97c9547dfc56c32ad8192d6", "7e08effc53307315b1ff9a3a4c2dc562"],
  time_zone: ["3bfcc4c01017e92f1fda90c7b3962aa3", "3bfcc4c01017e92f1fda90c7b3962aa3"],
  silent_trips: ["e6bcedc573f1cbd534f1b74980456c42", "32c8d0b92de908eb1165d1cc1e594026"],
  times_of_receipt: ["90fe799246a8c903176e4b47a6cf7fda", "217026fbcad1751b6c41440b371ed037"],
  changes: ["a0b5b39214bcfa944e2b4dbfab06033d", "2681508aa150843182fa3db625783c39"],
  frames_in_blocks: ["a9d5f4f2b02cdc8f04f5b4a5f555512f", "e67b942bad898297de3cac0a99a1cbbb"],
  checkpoints: ["19d6ec9e0b8e97301e3ba0dc0d6615df", "0f3cca1ed4e080e69711ff3a87e3c794"],
  readings: ["ecd9d3100f28926e1482b39ec6ec636f", "37920a4835203091fcd3f7d23f3b2bc6"],
  preferences: ["a9e30bb87bd985f25e56a86baaba5de1", "c9052b49ff5c75e6f5a2ea0cc2dd47a5"],
  administration: ["c583ba6ded5a89c55c257633988ec71c", "e4724f726a2434cbb17e740d7aef6f94"],
  many_machines: ["65d12d26fc75ecfdd21bffec8480faf2", "98298dcea067f9e3ee46137c607a4266"],
  rules_3: ["d912122b4ad8892b3398f2e1e8bfcb69", "d912122b4ad8892b3398f2e1e8bfcb69"],
  rules_4: ["b17bfd64b418d3622bfaa177da503531", "b17bfd64b418d3622bfaa177da503531"],
  tracker_clock: ["1625e236ea3c6284b6e07b734562e00c", "147e006290ac00edf91df1f0d0cfb175"],
  trackers: ["7d007aa860056775bd1137ff10e2e672", "5bfe6c52961eb43c13387572c4d2c7ab"],
  driver_ids: ["cacd4d7a7ce49e886258d5299dec00bd", "cacd4d7a7ce49e886258d5299dec00bd"],
  watched_trackers: ["c2b3745c866ffe45d1893b9baeda4f2d", "c3d6b735861dd540be65b6d28adc636b"],
  stops: ["fcde0d48a45fd1659aa9955ff2949068", "5ee5bf000589e4dff317bbf749371172"],
  list_indexes: ["b71d487507934484522e1319f25eaf1f", "024086ed0f452a7ede8b9e5522b3a32a"],
  account_marks: ["b8b4520993dde47f35e2b8be81422fb7", "9e3e176697e2828d721e68db0d3df9a8"],
  share_links: ["b2d39ad9ef4a9038a00826ea09cd441b", "ef52dc695f1c52d5f58dd6805d131e13"],
  drivers: ["8a59d8f74f44514fe47a4a15ff50c152", "c4c58c423bd9aab9a7ff0b7cdb5737fc"],
  notifications: ["6725d8bddf310394c2bb3fb8127c4498", "a9930322e04aafb35805cde5dedc3e3a"],
  planned_reports: ["44f4ee8653a4354d185afee61bf989b2", "ac739985edf573eaaea272b351221144"],
  acknowledged_alerts: ["b72852d529fac0965a01cdf4172c57d1", "3486e78fc4097c2bcd2055a132751d84"],
  filtered_lists: ["1de24ceef7e4b73674b14102f51b8c20", "9ab586664443d1d93782ad235799c6b4"],
  late_changes: ["237d35ba430a94975b9de635700e0cd0", "237d35ba430a94975b9de635700e0cd0"],
  tracker_names: ["8a1218efeba83c07b59f318e32b930b1", "1296022ef8a46ea60d8137fab97f5fd7"],
  moved_alerts: ["d83f7013f456ef80d5da7f357794316d", "e0dac46f249add964a8d6c5e7f90c504"],
  confirmed_emails: ["1f4cfaac43c8110bd72d3591f0243976", "c2561966ad35445701ae2e840c390265"],
  changes_by_type: ["0a3d89ba93c5b7dcef992bb125184206", "fcf9e57f8a04783d99d4e4640bd0d185"],
};
const fileOf = (name: string, place: number) => `${String(place + 1).padStart(4, "0")}_${name}.sql`;

describe("a migration that was released", () => {
  const files = Object.entries(releasedFiles).flatMap(([name, hashes], place) =>
    ["sqlite", "postgres"].map(
      (engine, index) => [`${engine}/migrations/${fileOf(name, place)}`, hashes[index]] as const,
    ),
  );

  test.each(files)("is never changed: %s", async (path, hash) => {
    const text = await readFile(join(import.meta.dir, "../../src/store", path));
    // Half of its SHA-256.
    expect(new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 32)).toBe(hash ?? "");
  });

  test("has the same place on both engines as the day it was released", () => {
    const names = Object.keys(releasedFiles);
    for (const known of [ofSqlite, ofPostgres])
      expect(known.slice(0, names.length).map(({ name }): string => name)).toEqual(names);
    expect(ofSqlite.map(({ name }): string => name)).toEqual(ofPostgres.map(({ name }): string => name));
  });
});

test("every migration is in the store's README, in order, and is a file of each engine", async () => {
  const store = join(import.meta.dir, "../../src/store");
  const listed = ofSqlite.map(({ name }, place) => fileOf(name, place));
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
    expect(applied).toEqual(ofSqlite.map(({ name }, place) => ({ version: place + 1, name })));
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

await loadModule();

const folder = join(import.meta.dir, "../../src/store/postgres/migrations");

const files = readdirSync(folder)
  .filter((name) => name.endsWith(".sql"))
  .sort();

/** What statements do, wherever they are in a text. */
function parsed(text: string): unknown[] {
  const withoutPlaces = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(withoutPlaces);
    if (typeof part !== "object" || part === null) return part;
    const entries = Object.entries(part).filter(([name]) => !/location$|^rexpr_list_(start|end)$/.test(name));
    return Object.fromEntries(entries.map(([name, value]) => [name, withoutPlaces(value)]));
  };
  return (parseSync(text).stmts ?? []).map(({ stmt }) => withoutPlaces(stmt));
}

describe("the statements of a migration", () => {
  test("are found in every file", () => expect(files.length).toBeGreaterThanOrEqual(21));

  test.each(files)("%s: are those that PostgreSQL finds", (file) => {
    const text = readFileSync(join(folder, file), "utf8");
    const alone = statementsOf(text).map(parsed);
    expect(alone.map((statements) => statements.length)).toEqual(alone.map(() => 1));
    expect(alone.flat()).toEqual(parsed(text));
  });
});
