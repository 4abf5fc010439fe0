import { describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { Failure } from "../../src/domain/errors.ts";
import { createLog } from "../../src/observe/log.ts";
import { beforeDeadline } from "../../src/store/deadlines.ts";
import { fleetRevision, growFleetRevision, holdFleetRevision } from "../../src/store/fleet/fleet-context.ts";
import { openDatabase } from "../../src/store/open.ts";
import { explainPostgresError } from "../../src/store/postgres/errors.ts";
import { plainSql, sql } from "../../src/store/sql.ts";
import { type EmptyStore, onEachEngine } from "../support/engines.ts";
import { failureOf } from "../support/failures.ts";
import { beginFleets } from "../support/fleet-revisions.ts";
import { freePort } from "../support/free-port.mjs";
import { patienceMs, scaledMs, until } from "../support/patience.ts";

const password = "hunter2-hunter2";

/** The store's address with something changed. */
function changedUrl(store: EmptyStore, change: Partial<URL>): string {
  return Object.assign(new URL(store.env.DATABASE_URL ?? ""), change).href;
}

async function hasTls(store: EmptyStore): Promise<boolean> {
  const client = new SQL(store.env.DATABASE_URL ?? "", { max: 1 });
  const [row] = await client.unsafe("show ssl");
  await client.close();
  return row.ssl === "on";
}

/** All that a log could show of it. */
function logged(failure: Failure): string {
  const lines: string[] = [];
  for (const format of ["json", "human"] as const) {
    const log = createLog({ level: "debug", format, write: (line) => lines.push(line) });
    log({ kind: "maintenance_failed", task: "connect", cause: failure });
  }
  return lines.join("\n");
}

onEachEngine("a PostgreSQL store", (engine) => {
  if (engine.name !== "postgres") return;

  test("that cannot be reached is one clear failure, which never tells the password", async () => {
    const store = await engine.empty();
    const closed = String(await freePort());
    const cases: [string, string, Partial<URL>][] = [
      ["STORE_UNREACHABLE", "check user and password of DATABASE_URL", { username: "nobody_here", password }],
      ["STORE_MISSING", "PostgreSQL has no database of the name in DATABASE_URL", { pathname: "/nowhere" }],
      ["STORE_UNREACHABLE", `:${closed}: start it, or check DATABASE_URL`, { port: closed, password }],
    ];
    for (const [code, text, change] of cases) {
      const url = changedUrl(store, change);
      const failure = await failureOf(openDatabase({ engine: "postgres", url }, { create: true }));
      expect(failure.code as string).toBe(code);
      expect(failure.message).toContain(text);
      expect(failure.message).not.toContain("\n");
      expect(logged(failure)).toContain(text);
      expect(logged(failure)).not.toContain(new URL(url).password);
    }
  });

  test("that has no TLS where the address asks for it says so, and what to change", async () => {
    const store = await engine.empty();
    const opening = (sslmode: string) =>
      openDatabase({ engine: "postgres", url: changedUrl(store, { search: `?sslmode=${sslmode}` }) }, { create: true });
    for (const sslmode of ["disable", "prefer"]) await (await opening(sslmode)).close();
    const wrong = await failureOf(opening("always"));
    expect([wrong.code, wrong.message]).toEqual(["WRONG_SETTING", expect.stringContaining("sslmode to be disable")]);
    // A server that was named for the tests may have it.
    if (await hasTls(store)) return;
    for (const sslmode of ["require", "verify-ca", "verify-full"]) {
      const failure = await failureOf(opening(sslmode));
      expect([failure.code as string, failure.message]).toEqual([
        "STORE_UNREACHABLE",
        "PostgreSQL offers no TLS: turn it on there, or leave sslmode out of DATABASE_URL",
      ]);
      expect(logged(failure)).not.toContain(new URL(store.env.DATABASE_URL ?? "").password);
    }
  });

  test("gives up on a statement that takes too long, and goes on", async () => {
    const { database } = await engine.fresh();
    expect(await database.get(plainSql("show statement_timeout"))).toEqual({ statement_timeout: "1min" });
    const started = performance.now();
    const slow = database.transaction(async (tx) => {
      await tx.run(plainSql("set local statement_timeout = 50"));
      await tx.all(plainSql("select pg_sleep(20)"));
    });
    const failure = await failureOf(slow);
    expect(failure).toMatchObject({ code: "STORE_UNREACHABLE", message: "PostgreSQL took too long" });
    expect(performance.now() - started).toBeLessThan(scaledMs(10_000));
    await database.ping();
    expect(await database.get(plainSql("show statement_timeout"))).toEqual({ statement_timeout: "1min" });
  });

  test("reads on after the server has cut all of its connections", async () => {
    const store = await engine.fresh();
    const admin = new SQL({ url: store.env.DATABASE_URL ?? "", max: 1 });
    try {
      for (let round = 0; round < 5; round++) {
        await Promise.all(Array.from({ length: 20 }, () => store.database.get(sql`select pg_sleep(0.001)`)));
        const cut = await admin`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`;
        expect(cut.length).toBeGreaterThan(1);
        const reads = Array.from({ length: 20 }, (_, index) => store.database.get(sql`select ${index}::int as number`));
        expect(await Promise.all(reads)).toEqual(reads.map((_, index) => ({ number: index })));
      }
      await store.database.transaction((tx) => tx.run(sql`insert into secrets values ('a', 'b', 1)`));
    } finally {
      await admin.close();
    }
  });

  test("fails the transaction whose connection is cut, stores nothing of it, and goes on", async () => {
    const store = await engine.fresh();
    const cut = store.database.transaction(async (tx) => {
      await tx.run(sql`insert into secrets values ('a', 'b', 1)`);
      await tx.all(sql`select pg_terminate_backend(pg_backend_pid())`);
    });
    expect((await failureOf(cut)).code).toBe("STORE_UNREACHABLE");
    expect(await store.database.all(sql`select * from secrets`)).toEqual([]);
  });

  test("runs a transaction again that the server sacrificed to another", async () => {
    const store = await engine.fresh();
    const { database } = store;
    await database.transaction((tx) => tx.run(sql`insert into secrets values ('a', '0', 1), ('b', '0', 1)`));
    const grow = (name: string) => sql`update secrets set value = (value::int + 1)::text where name = ${name}`;
    // Each holds what the other wants next: one of the two must be run again.
    const both = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() };
    const work = (first: "a" | "b", second: "a" | "b") =>
      database.transaction(async (tx) => {
        await tx.run(grow(first));
        both[first].resolve();
        await both[second].promise;
        await tx.run(grow(second));
      });
    await Promise.all([work("a", "b"), work("b", "a")]);
    expect(await database.all(sql`select value from secrets`)).toEqual([{ value: "2" }, { value: "2" }]);
  });

  test("waits for a lock that another holds as long as it was told to, and no longer", async () => {
    const store = await engine.fresh();
    const taken = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const holding = store.database.transaction(async (tx) => {
      await tx.lock("fleet");
      taken.resolve();
      await asked.promise;
    });
    await taken.promise;
    const waiting = store.database.transaction((tx) => tx.lock("fleet", 100));
    const tooLong = () => new Error("it still waits");
    expect((await failureOf(beforeDeadline(waiting, patienceMs, tooLong).finally(asked.resolve))).code).toBe(
      "STORE_LOCKED",
    );
    await holding;
    await store.database.transaction((tx) => tx.lock("fleet", patienceMs));
  });

  test("lets a change of the fleet wait for all that derive by it, who do not wait for each other", async () => {
    const { database } = await engine.fresh();
    await database.transaction((tx) => beginFleets(tx, [1]));
    const letGo = Promise.withResolvers<void>();
    const held = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = held.map(({ resolve }) =>
      database.transaction(async (tx) => {
        await holdFleetRevision(tx, 1);
        resolve();
        await letGo.promise;
        return fleetRevision(tx, 1);
      }),
    );
    await Promise.all(held.map(({ promise }) => promise));
    const change = database.transaction((tx) => growFleetRevision(tx, [1])).then(() => "stored");
    const waits = sql`
      select 1 as waits from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const waiting = until(async () => (await database.get(waits)) !== null).then(() => "waiting");
    expect(await Promise.race([change, waiting]).finally(letGo.resolve)).toBe("waiting");
    expect(await Promise.all(holding)).toEqual([0, 0]);
    await change;
    expect(await fleetRevision(database, 1)).toBe(1);
  });

  test("waits for a connection when all of them are busy", async () => {
    const store = await engine.empty();
    const url = store.env.DATABASE_URL ?? "";
    const database = await openDatabase({ engine: "postgres", url, poolSize: 2 }, { create: true });
    try {
      const reads = Array.from({ length: 40 }, (_, index) => database.get(sql`select ${index}::int as number`));
      expect(await Promise.all(reads)).toHaveLength(40);
      const nodes = await database.get(sql`
        select count(*) as connections from pg_stat_activity
        where datname = current_database() and application_name like 'odograph%'`);
      expect(nodes).toEqual({ connections: 2 });
    } finally {
      await database.close();
    }
  });
});

/** As the client reports it: seen with a server that has such a certificate, where the code is one that it can be made to. */
function explained(code: string, errno?: string): unknown {
  return explainPostgresError(Object.assign(new Error("as the library says it"), { code, errno }), "db.test:5432");
}

describe("what stands between odograph and PostgreSQL", () => {
  test.each([
    ["ERR_POSTGRES_TLS_NOT_AVAILABLE", "offers no TLS"],
    ["ERR_POSTGRES_TLS_UPGRADE_FAILED", "cannot agree on TLS"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "NODE_EXTRA_CA_CERTS"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "NODE_EXTRA_CA_CERTS"],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "NODE_EXTRA_CA_CERTS"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "NODE_EXTRA_CA_CERTS"],
    ["CERT_HAS_EXPIRED", "renew it"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "sslmode=verify-ca"],
    ["CERT_REVOKED", "cannot agree on TLS"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "cannot agree on TLS"],
    ["ECONNREFUSED", "does not answer at db.test:5432: start it, or check DATABASE_URL"],
  ])("is reported in one line that says what to change: %s", (code, text) => {
    const failure = explained(code) as Failure;
    expect(failure).toBeInstanceOf(Failure);
    expect([failure.code as string, failure.message]).toEqual(["STORE_UNREACHABLE", expect.stringContaining(text)]);
    if (code !== "ECONNREFUSED") expect(failure.message).toContain("sslmode");
    expect(failure.message).not.toContain("\n");
  });

  test("a server that reports a broken connection does not answer", () => {
    const failure = explained("ERR_POSTGRES_SERVER_ERROR", "08006") as Failure;
    expect([failure.code as string, failure.message]).toEqual([
      "STORE_UNREACHABLE",
      "PostgreSQL does not answer at db.test:5432: start it, or check DATABASE_URL",
    ]);
  });

  test("a worker that the server cannot reach is named, and not the server", () => {
    for (const message of [
      "connection to the remote node odograph@10.0.0.7:5433 failed with the following error: refused",
      "connection to the remote node 10.0.0.7:5433 failed",
      "failure on connection marked as essential: 10.0.0.7:5433",
    ]) {
      const cause = Object.assign(new Error(message), { code: "ERR_POSTGRES_SERVER_ERROR", errno: "08006" });
      expect(explainPostgresError(cause, "db.test:5432")).toMatchObject({
        code: "STORE_UNREACHABLE",
        worker: "10.0.0.7:5433",
        message: expect.stringMatching(/^the worker 10\.0\.0\.7:5433 of the Citus cluster does not answer: start it/),
        cause,
      });
    }
  });

  test("a server that asks for TLS refuses the sign-in, and sslmode is named beside user and password", () => {
    const failure = explained("ERR_POSTGRES_SERVER_ERROR", "28000") as Failure;
    expect(failure.message).toContain("check user and password of DATABASE_URL");
    expect(failure.message).toContain("sslmode=require");
    expect((explained("ERR_POSTGRES_SERVER_ERROR", "28P01") as Failure).message).not.toContain("sslmode");
  });

  test("what is unforeseen passes as it is", () => {
    for (const error of [new Error("x"), null, undefined, "text", Object.assign(new Error("x"), { code: 7 })]) {
      expect(explainPostgresError(error, "db.test:5432")).toBe(error);
    }
  });
});
