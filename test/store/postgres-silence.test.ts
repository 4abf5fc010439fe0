import { expect } from "bun:test";
import type { Database } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/open.ts";
import { sql } from "../../src/store/sql.ts";
import { type EmptyStore, onEachEngine } from "../support/engines.ts";
import { failureOf } from "../support/failures.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";

/** Short, so that a test need not wait long: an answer is given up 2 s after it. A busy server answers in less. */
const statementTimeoutMs = 1_000;
/** Anything that hangs, hangs for ever: these only tell that from a slow machine. */
const soonMs = 20_000;
const poolSize = 2;

interface Reached {
  readonly database: Database;
  readonly network: TcpProxy;
}

/** The store over a network that can fail. */
async function reach(
  store: EmptyStore,
  use: (reached: Reached) => Promise<void>,
  timeoutMs = statementTimeoutMs,
): Promise<void> {
  const network = await startTcpProxy(store.env.DATABASE_URL ?? "");
  const database = await openDatabase(
    { engine: "postgres", url: network.url, poolSize, statementTimeoutMs: timeoutMs },
    { create: false },
  );
  try {
    await use({ database, network });
  } finally {
    await database.close();
    await network.close();
  }
}

const addSecret = (name: string) => sql`insert into secrets values (${name}, 'x', 1)`;
const secrets = sql`select name from secrets order by name`;

async function expectsNoAnswer(work: Promise<unknown>): Promise<void> {
  const begun = performance.now();
  const silence = expect.stringMatching(/^PostgreSQL does not answer at \S+:\d+: start it, or check DATABASE_URL$/);
  expect(await failureOf(work)).toMatchObject({ code: "STORE_UNREACHABLE", message: silence });
  expect(performance.now() - begun).toBeLessThan(soonMs);
}

/** As many transactions at once as there are connections: each has to have one. */
async function usesAllConnections(database: Database): Promise<void> {
  let begun = 0;
  const allBegun = Promise.withResolvers<void>();
  const work = () =>
    database.transaction(async (tx) => {
      await tx.get(sql`select 1`);
      if (++begun === poolSize) allBegun.resolve();
      await allBegun.promise;
    });
  await Promise.all(Array.from({ length: poolSize }, work));
}

onEachEngine("a PostgreSQL that goes silent", (engine) => {
  if (engine.name !== "postgres") return;

  const silentTest = (name: string, use: (reached: Reached) => Promise<void>, timeoutMs?: number) =>
    engine.testTogether(name, (store) => reach(store, use, timeoutMs));

  silentTest("hangs nobody, and takes nothing away once it is back", async ({ database, network }) => {
    for (let round = 1; round <= 2; round++) {
      // Some wait for an answer, one for its commit, the others for a connection.
      const atCommit = Promise.withResolvers<void>();
      const committing = database.transaction(async (tx) => {
        await tx.run(addSecret(`committing ${round}`));
        network.freeze();
        atCommit.resolve();
      });
      committing.catch(() => {});
      await atCommit.promise;
      await Promise.all([
        expectsNoAnswer(committing),
        expectsNoAnswer(database.all(secrets)),
        expectsNoAnswer(database.change(sql`${addSecret(`change ${round}`)} returning name`)),
        ...Array.from({ length: 5 }, (_, index) =>
          expectsNoAnswer(database.transaction((tx) => tx.run(addSecret(`waiting ${round} ${index}`)))),
        ),
      ]);
      await network.restore();
      await usesAllConnections(database);
      await database.transaction((tx) => tx.run(addSecret(`after ${round}`)));
    }
    const names = (await database.all<{ name: string }>(secrets)).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith("after"))).toEqual(["after 1", "after 2"]);
  });

  silentTest("fails the transaction in whose midst it was, and stores nothing of it", async ({ database, network }) => {
    await expectsNoAnswer(
      database.transaction(async (tx) => {
        await tx.run(addSecret("before"));
        network.freeze();
        await tx.run(addSecret("after"));
      }),
    );
    await network.cut();
    await network.restore();
    expect(await database.all(secrets)).toEqual([]);
  });

  silentTest(
    "may have stored what it did not acknowledge, but that is never reported as stored",
    async ({ database, network }) => {
      await expectsNoAnswer(
        database.transaction(async (tx) => {
          await tx.run(addSecret("unknown"));
          network.muteAnswers();
        }),
      );
      await network.restore();
      expect(await database.all<{ name: string }>(secrets)).toEqual([{ name: "unknown" }]);
    },
  );

  silentTest(
    "keeps neither those who ask for it nor the closing waiting, however long a statement may take",
    async ({ database, network }) => {
      await database.ping();
      network.freeze();
      const pending = [
        database.all(secrets),
        ...Array.from({ length: 3 }, () => database.transaction((tx) => tx.run(addSecret("x")))),
      ];
      const ends = Promise.allSettled(pending);
      await expectsNoAnswer(database.ping());
      const begun = performance.now();
      await database.close();
      expect(performance.now() - begun).toBeLessThan(soonMs);
      expect((await ends).map(({ status }) => status)).toEqual(pending.map(() => "rejected"));
    },
    120_000,
  );

  silentTest(
    "is distinguished from one that is busy: a transaction that holds a lock may take longer",
    async ({ database, network }) => {
      const longerMs = statementTimeoutMs + 2_500;
      await database.transaction(async (tx) => {
        await tx.lock("fleet");
        await tx.get(sql`select pg_sleep(${longerMs / 1000}::float8)`);
        await tx.run(addSecret("long"));
      });
      await expectsNoAnswer(
        database.transaction(async (tx) => {
          await tx.lock("fleet");
          network.freeze();
          await tx.run(addSecret("never"));
        }),
      );
      await network.cut();
      await network.restore();
      expect(await database.all<{ name: string }>(secrets)).toEqual([{ name: "long" }]);
    },
  );
});
