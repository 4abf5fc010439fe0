import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { SQL } from "bun";
import { startPostgres } from "../../test/support/postgres-server.mjs";
import type { SharedClock } from "./clock.ts";

export interface Stores {
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** An empty store for each version, as the settings that name it. */
export async function makeStores(engine: "sqlite" | "postgres", scratch: string, clock: SharedClock): Promise<Stores> {
  return engine === "sqlite" ? sqliteStores(scratch) : postgresStores(clock);
}

async function sqliteStores(scratch: string): Promise<Stores> {
  const [before, after] = [join(scratch, "before"), join(scratch, "after")];
  for (const directory of [before, after]) await mkdir(directory);
  return { before: { ODOGRAPH_DATA: before }, after: { ODOGRAPH_DATA: after }, remove: async () => {} };
}

/** On one server, which may be named by `DATABASE_URL_TEST`. */
async function postgresStores(clock: SharedClock): Promise<Stores> {
  const given = process.env.DATABASE_URL_TEST;
  const server = given === undefined ? await startPostgres() : { url: given, stop: async () => {} };
  const admin = new SQL({ url: server.url, max: 1 });
  const made: { readonly name: string; readonly url: string; readonly sql: SQL }[] = [];
  for (const version of ["before", "after"]) {
    const name = `odograph_same_answers_${process.pid}_${version}`;
    await admin.unsafe(`drop database if exists ${name} with (force)`);
    await admin.unsafe(`create database ${name} template template0`);
    const address = new URL(server.url);
    address.pathname = `/${name}`;
    const sql = new SQL({ url: address.href, max: 1 });
    await controlClock(sql, name);
    await clock.follow((ms) => sql.unsafe(`select setval('controlled.clock', ${ms})`));
    made.push({ name, url: address.href, sql });
  }
  const [before, after] = made.map(({ url }) => ({ DATABASE_URL: url }));
  if (!before || !after) throw new Error("two databases were to be made");
  return {
    before,
    after,
    async remove() {
      for (const { name, sql } of made) {
        await sql.close();
        await admin.unsafe(`drop database if exists ${name} with (force)`);
      }
      await admin.close();
      await server.stop();
    },
  };
}

/** The limiter asks the database for the time. Functions that are found before the built-in ones give it ours. */
async function controlClock(sql: SQL, database: string): Promise<void> {
  await sql.unsafe("create schema controlled");
  await sql.unsafe("create sequence controlled.clock");
  for (const name of ["clock_timestamp", "statement_timestamp"]) {
    await sql.unsafe(`create function controlled.${name}() returns timestamptz language sql volatile
      as $$ select to_timestamp(last_value / 1000.0) from controlled.clock $$`);
  }
  await sql.unsafe(`alter database ${database} set search_path = public, controlled, pg_catalog`);
}
