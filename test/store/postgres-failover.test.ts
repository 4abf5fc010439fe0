import { afterAll, beforeAll, expect, test } from "bun:test";
import { SQL } from "bun";
import type { Database, Reader } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/open.ts";
import { plainSql, sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { failureOf } from "../support/failures.ts";
import { until } from "../support/patience.ts";
import { type ReplicatedPostgres, startReplicatedPostgres } from "../support/postgres-replica.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";

const poolSize = 3;
/** No answer is given up by itself while a test runs. */
const statementTimeoutMs = 600_000;

const addSecret = (name: string) => sql`insert into secrets values (${name}, 'x', 1)`;
const secrets = sql`select name from secrets where name <> 'changes_epoch' order by name`;

/** A database whose address can lead to another server. */
async function reach(url: string, use: (database: Database, address: TcpProxy) => Promise<void>): Promise<void> {
  const address = await startTcpProxy(url);
  const database = await openDatabase(
    { engine: "postgres", url: address.url, poolSize, statementTimeoutMs },
    { create: true },
  );
  try {
    await use(database, address);
  } finally {
    await database.close();
    await address.close();
  }
}

async function names(database: Reader): Promise<string[]> {
  return (await database.all<{ name: string }>(secrets)).map(({ name }) => name);
}

let servers: ReplicatedPostgres;
beforeAll(async () => {
  servers = await startReplicatedPostgres();
});
afterAll(() => servers.remove());

test("a standby at the address is neither read nor written, until the address leads to the primary", async () => {
  const { primary, replica } = servers;
  await reach(primary.url, async (database, address) => {
    await database.transaction((tx) => tx.run(addSecret("before")));
    await replica.isLevel();
    await address.cut();
    address.leadTo(replica.url);
    await address.restore();
    const write = () => database.transaction((tx) => tx.run(addSecret("never")));
    // A read first: it is asked again, if nobody has noticed yet that its connection was cut.
    for (const work of [() => database.all(secrets), write, () => database.ping()]) {
      const { code, message } = await failureOf(work());
      expect(code).toBe("STORE_UNREACHABLE");
      expect(message).toMatch(/^PostgreSQL at \S+ is a standby: DATABASE_URL must lead to the primary$/);
    }
    // Nobody cuts the connections to the standby: they were not kept.
    address.leadTo(primary.url);
    await until(() =>
      database.ping().then(
        () => true,
        () => false,
      ),
    );
    await database.transaction((tx) => tx.run(addSecret("after")));
    expect(await names(database)).toEqual(["after", "before"]);
  });
});

test("a primary that hangs is left as soon as another server answers at its address", async () => {
  const { primary, replica } = servers;
  await reach(primary.url, async (database, address) => {
    await database.transaction((tx) => tx.run(addSecret("hung")));
    await replica.isLevel();
    // Both have their connections before the server hangs: a new one would lead to the other server.
    await twoAtOnce(database);
    const begun = Promise.withResolvers<void>();
    const hung = Promise.withResolvers<void>();
    const writing = failureOf(
      database.transaction(async (tx) => {
        await names(tx);
        begun.resolve();
        await hung.promise;
        await tx.run(addSecret("lost"));
      }),
    );
    await begun.promise;
    primary.freeze();
    hung.resolve();
    try {
      const reading = names(database);
      address.leadTo(replica.url);
      await replica.promote();
      // A read is asked again; a transaction whose end is not known never is.
      expect(await reading).toContain("hung");
      expect((await writing).code).toBe("STORE_UNREACHABLE");
      await database.transaction((tx) => tx.run(addSecret("on the new primary")));
      expect(await names(database)).toContain("on the new primary");
      expect(await names(database)).not.toContain("lost");
    } finally {
      primary.thaw();
    }
  });
});

/** Two transactions that are under way together need a connection each. */
async function twoAtOnce(database: Database): Promise<void> {
  const both = Promise.withResolvers<void>();
  let begun = 0;
  const one = () =>
    database.transaction(async (tx) => {
      await names(tx);
      if (++begun === 2) both.resolve();
      await both.promise;
    });
  await Promise.all([one(), one()]);
}

onEachEngine("a PostgreSQL store", (engine) => {
  if (engine.name !== "postgres") return;

  test("that was read-only is written again over new connections, without a restart", async () => {
    const store = await engine.fresh();
    const url = store.env.DATABASE_URL ?? "";
    const admin = new SQL(url, { max: 1 });
    const name = new URL(url).pathname.slice(1);
    try {
      await admin.unsafe(`alter database "${name}" set default_transaction_read_only = on`);
      const database = await openDatabase({ engine: "postgres", url, poolSize: 1 }, { create: false });
      try {
        const failure = await failureOf(database.transaction((tx) => tx.run(addSecret("never"))));
        expect(failure.code).toBe("STORE_READ_ONLY");
        expect(await names(database)).toEqual([]);
        await admin.unsafe(`alter database "${name}" reset default_transaction_read_only`);
        // The connection that read since then is from before: the next write finds that out, and leaves it.
        await failureOf(database.transaction((tx) => tx.run(addSecret("never"))));
        await database.transaction((tx) => tx.run(addSecret("again")));
        expect(await names(database)).toEqual(["again"]);
      } finally {
        await database.close();
      }
    } finally {
      await admin.close();
    }
  });

  test("uses all of its connections again after an outage in which none could be made", async () => {
    const store = await engine.fresh();
    await reach(store.env.DATABASE_URL ?? "", async (database, address) => {
      await address.cut();
      const tries = Array.from({ length: poolSize }, () =>
        failureOf(database.transaction((tx) => tx.run(addSecret("x")))),
      );
      expect((await Promise.all(tries)).map(({ code }) => code)).toEqual(tries.map(() => "STORE_UNREACHABLE"));
      await address.restore();
      const busy = plainSql("select pg_backend_pid() as pid, pg_sleep(0.2)");
      await until(async () => {
        const rows = await Promise.all(Array.from({ length: poolSize }, () => database.get<{ pid: number }>(busy)));
        return new Set(rows.map((row) => row?.pid)).size === poolSize;
      });
    });
  });
});
