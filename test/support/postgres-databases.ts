import { createHash, randomBytes } from "node:crypto";
import { SQL } from "bun";
import { knownMigrations } from "../../src/store/migrations.ts";
import { openDatabase } from "../../src/store/open.ts";
import { type Cluster, clusterAt } from "./citus-databases.ts";
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
let admin: Promise<{ url: string; template: string; server: Server }> | undefined;
const drops: Promise<unknown>[] = [];

/** Whether the tests run on a Citus cluster: then plans are made on its machines, where `explain` does not show them. */
export const isOnCluster = await isClusterAt(process.env.DATABASE_URL_TEST);

async function isClusterAt(url: string | undefined): Promise<boolean> {
  if (url === undefined) return false;
  const sql = new SQL({ url, max: 1 });
  try {
    return (await clusterAt(sql, url)) !== null;
  } finally {
    await sql.close();
  }
}

/** A new database: with the schema in it, with nothing at all, or with what one has in it to which nobody is connected. */
export async function createPostgresDatabase(
  content: "schema" | "nothing" | { readonly copyOf: string },
): Promise<PostgresDatabase> {
  admin ??= connect();
  const { url, template, server } = await admin;
  const name = newName(typeof content === "string" ? content : "copy");
  const templates = { schema: template, nothing: "template0" };
  const source = typeof content === "string" ? templates[content] : new URL(content.copyOf).pathname.slice(1);
  if (typeof content === "object") await server.release(source);
  // Copies files, not pages through the log: that needs less of the processor, and dropping it needs half as much.
  await server.everywhere(`create database ${name} template ${source} strategy file_copy`);
  return {
    url: withDatabase(url, name),
    drop: () => {
      // `force`: a program that a test has left running must not keep its database alive.
      drops.push(server.drop(name));
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
  const cluster = await clusterAt(single, url);
  const template = await prepareTemplate(single, url, cluster);
  await single.close();
  return { url, template, server: cluster ?? plainServer(new SQL({ url, max: 2 })) };
}

/** How databases are made and dropped: on one server, or on all machines of a cluster. */
type Server = Pick<Cluster, "everywhere" | "drop" | "release">;

function plainServer(sql: SQL): Server {
  return {
    everywhere: async (statement) => {
      await sql.unsafe(statement);
    },
    drop: async (name) => {
      await sql.unsafe(`drop database if exists ${name} with (force)`);
    },
    release: async () => {},
  };
}

/** Migrating takes far longer than copying, so it is done once per server and schema. */
async function prepareTemplate(sql: SQL, url: string, cluster: Cluster | null): Promise<string> {
  const schema = createHash("sha256").update(JSON.stringify(knownMigrations.postgres)).digest("hex").slice(0, 16);
  await sql`select pg_advisory_lock(${templateLock})`;
  try {
    const names = await databaseNames(sql);
    const found = names.find((name) => name.endsWith(`_template_${schema}`));
    await dropStale(
      sql,
      names.filter((name) => name !== found),
    );
    return found ?? (await makeTemplate(sql, url, schema, cluster));
  } finally {
    await sql`select pg_advisory_unlock(${templateLock})`;
  }
}

async function makeTemplate(sql: SQL, url: string, schema: string, cluster: Cluster | null): Promise<string> {
  const { everywhere } = cluster ?? plainServer(sql);
  // Under another name until it is complete: a template that is there is a good one.
  const unfinished = newName("unfinished");
  await everywhere(`create database ${unfinished} template template0`);
  const address = withDatabase(url, unfinished);
  await (await openDatabase({ engine: "postgres", url: address }, { create: true })).close();
  await cluster?.spread(address);
  const template = newName(`template_${schema}`);
  await everywhere(`alter database ${unfinished} rename to ${template}`);
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
