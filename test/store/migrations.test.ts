import { describe, expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadModule, parseSync } from "libpg-query";
import { visibilityOf } from "../../src/domain/visibility.ts";
import type { Observation } from "../../src/observe/observation.ts";
import { distributedTables, localTables, referenceTables } from "../../src/store/distribution.ts";
import { stops } from "../../src/store/facts/stops.ts";
import { trips } from "../../src/store/facts/trips.ts";
import { knownMigrations, lastVersion, predecessor } from "../../src/store/migrations.ts";
import { openDatabase } from "../../src/store/open.ts";
import { statementsOf } from "../../src/store/postgres/connection.ts";
import { type Sql, sql } from "../../src/store/sql.ts";
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
  "kept_mails",
];

const { sqlite: ofSqlite, postgres: ofPostgres } = knownMigrations;
const engines = ["sqlite", "postgres"] as const;
const store = join(import.meta.dir, "../../src/store");

/** Half of the SHA-256 of what a release has applied to people's stores. Each release adds its own here; 2.0 will be the first. */
const released: Readonly<Record<string, readonly [sqlite: string, postgres: string]>> = {};

describe("a migration that was released", () => {
  test("is never changed", () => {
    const hash = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 32);
    const now = Object.keys(released).map((name) => [
      name,
      engines.map((engine) => hash(knownMigrations[engine].find((known) => known.name === name)?.text ?? "")),
    ]);
    expect(Object.fromEntries(now)).toEqual(released);
  });

  test("keeps its place, which is the same on both engines and goes on from the predecessor's", () => {
    const names = Object.keys(released);
    for (const known of [ofSqlite, ofPostgres]) {
      expect(known.slice(0, names.length).map(({ name }) => name)).toEqual(names);
      expect(known.map(({ version }) => version)).toEqual(known.map((_, place) => predecessor.schema + place));
    }
    expect(ofSqlite.map(({ name }) => name)).toEqual(ofPostgres.map(({ name }) => name));
  });
});

test("every file of the schema and every migration is in the store's README, in order, and is there for each engine", async () => {
  const readme = await readFile(join(store, "README.md"), "utf8");
  const listed = [...readme.matchAll(/^\| `(\d+_\w+\.sql)`/gm)].map(([, file]) => file);
  const later = ofSqlite.slice(1).map(({ name, version }) => `${String(version).padStart(4, "0")}_${name}.sql`);
  for (const engine of engines) {
    const rooms = (await readdir(join(store, engine, "schema"))).toSorted();
    expect((await readdir(join(store, engine, "migrations"))).toSorted()).toEqual(later);
    expect(listed).toEqual([...rooms, ...later]);
  }
});

/** A query that does not begin with the classes of its index is answered without that index. */
test.each([
  ["trips", trips],
  ["stops", stops],
] as const)("the classes of length by which %s are found are those of their indexes", async (name, list) => {
  const owner = visibilityOf({ accountId: 1, id: "", role: "owner" });
  const page = { device: null, fromMs: 1, toMs: 2, after: null, count: 1, geofenceId: null, minDurationMs: null };
  for (const engine of engines) {
    const asked: string[] = [];
    const all = async ({ text }: Sql) => {
      asked.push(text);
      return [];
    };
    await list({ engine, all, get: async () => null }, owner, page);
    const classes = (text: string) => [...text.replaceAll(/\s+/g, " ").matchAll(/\(case when .*? end\)/g)].map(String);
    const inQueries = new Set(classes(asked.join().replaceAll("r.", "")));
    const indexes = knownMigrations[engine][0]?.text.match(
      new RegExp(`create index \\w+ on ${name} \\(account_id, \\(case[^;]*`, "g"),
    );
    expect(new Set(indexes?.flatMap(classes))).toEqual(inQueries);
    expect(inQueries.size).toBe(1);
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
    expect(seen).toEqual([{ kind: "schema_migrated", engine: engine.name, applied: ofSqlite.length }]);
  });

  test.each([2, 5])("is made once when %d nodes start at once", async (nodes) => {
    const store = await engine.empty();
    const databases = await Promise.all(Array.from({ length: nodes }, () => store.open()));
    await Promise.all(databases.map((database) => database.ping()));
    const applied = await databases[0]?.all<{ version: number; name: string }>(
      sql`select version, name from schema_migrations order by version`,
    );
    expect(applied).toEqual(ofSqlite.map(({ version, name }) => ({ version, name })));
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
    expect(failure.message).toContain(`only up to ${lastVersion}`);
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

test.each(ofPostgres)("the statements of the migration $name are those that PostgreSQL finds", ({ text }) => {
  const alone = statementsOf(text).map(parsed);
  expect(alone.length).toBeGreaterThan(0);
  expect(alone.map((statements) => statements.length)).toEqual(alone.map(() => 1));
  expect(alone.flat()).toEqual(parsed(text));
});
