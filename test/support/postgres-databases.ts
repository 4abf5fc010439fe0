import { createHash, randomBytes } from "node:crypto";
import { SQL } from "bun";
import { openDatabase } from "../../src/store/open.ts";
import { migrations } from "../../src/store/postgres/migrations/index.ts";
import { startPostgres } from "./postgres-server.mjs";

/** A run that was killed could not drop its databases on a server that outlives it; the next run does, after a day. */
const staleAfterSeconds = 86_400;

/** Serialises the making of the template between test processes. Any number will do that nobody else uses. */
const templateLock = 7_364_210;

export interface PostgresDatabase {
  readonly url: string;

  /** Begins to drop it. The server needs 100 ms if a client has only just left; `dropsDone` waits for that. */
  drop(): void;
}

/** The server's administrator. Two connections, so that a database can be made while another is being dropped. */
let admin: Promise<{ sql: SQL; url: string; template: string }> | undefined;
const drops: Promise<unknown>[] = [];

/** A new database: with the schema in it, or with nothing at all. */
export async function createPostgresDatabase(content: "schema" | "nothing"): Promise<PostgresDatabase> {
  admin ??= connect();
  const { sql, url, template } = await admin;
  const name = newName(content);
  await sql.unsafe(`create database ${name} template ${content === "schema" ? template : "template0"}`);
  return {
    url: withDatabase(url, name),
    drop: () => {
      // `force`: a program that a test has left running must not keep its database alive.
      drops.push(sql.unsafe(`drop database if exists ${name} with (force)`));
    },
  };
}

/** Resolves when everything that was to be dropped is gone. */
export async function dropsDone(): Promise<void> {
  await Promise.all(drops.splice(0));
}

async function connect() {
  const url = process.env.DATABASE_URL_TEST ?? (await startPostgres()).url;
  // The lock belongs to a connection, so the template has one of its own.
  const single = new SQL({ url, max: 1 });
  const template = await prepareTemplate(single, url);
  await single.close();
  return { sql: new SQL({ url, max: 2 }), url, template };
}

/** Migrating takes far longer than copying, so it is done once per server and schema. */
async function prepareTemplate(sql: SQL, url: string): Promise<string> {
  const schema = createHash("sha256").update(JSON.stringify(migrations)).digest("hex").slice(0, 16);
  await sql`select pg_advisory_lock(${templateLock})`;
  try {
    const names = await databaseNames(sql);
    const found = names.find((name) => name.endsWith(`_template_${schema}`));
    await dropStale(
      sql,
      names.filter((name) => name !== found),
    );
    return found ?? (await makeTemplate(sql, url, schema));
  } finally {
    await sql`select pg_advisory_unlock(${templateLock})`;
  }
}

async function makeTemplate(sql: SQL, url: string, schema: string): Promise<string> {
  // Under another name until it is complete: a template that is there is a good one.
  const unfinished = newName("unfinished");
  await sql.unsafe(`create database ${unfinished} template template0`);
  const database = await openDatabase({ engine: "postgres", url: withDatabase(url, unfinished) }, { create: true });
  await database.close();
  const template = newName(`template_${schema}`);
  await sql.unsafe(`alter database ${unfinished} rename to ${template}`);
  return template;
}

async function databaseNames(sql: SQL): Promise<string[]> {
  const rows: { datname: string }[] = await sql`select datname from pg_database`;
  return rows.map((row) => row.datname).filter((name) => name.startsWith("odograph_test_"));
}

async function dropStale(sql: SQL, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const createdSeconds = Number(name.split("_")[2]);
    if (createdSeconds < nowSeconds() - staleAfterSeconds)
      await sql.unsafe(`drop database if exists ${name} with (force)`);
  }
}

/** Says when it was made, so that a later run can tell what was left behind. */
function newName(suffix: string): string {
  return `odograph_test_${nowSeconds()}_${randomBytes(4).toString("hex")}_${suffix}`;
}

function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
