import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { openForServer } from "../../src/cli/store/open-store.ts";
import type { Observation } from "../../src/observe/observation.ts";
import { hasTable } from "../../src/store/conversion.ts";
import type { Database } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/open.ts";
import { altered } from "../support/altered.ts";
import { countRows } from "../support/catalog.ts";
import { type EmptyStore, onEachEngine } from "../support/engines.ts";
import { convertedThings, makeThings, someThings, type Thing, thingsConversion } from "../support/things.ts";

const openedInSteps = fileURLToPath(new URL("../support/opened-in-steps.ts", import.meta.url));

async function expectConverted(database: Database, things: readonly Thing[] = someThings): Promise<void> {
  expect(await convertedThings(database)).toEqual(things.map((thing) => ({ ...thing, value: thing.value * 2 })));
  expect(await hasTable(database, "old_things")).toBe(false);
  expect(await countRows(database, "carried_over")).toBe(0);
  expect(await thingsConversion(7).total(database)).toBeNull();
}

/** The same store, in which the transaction fails at one of its writes. */
function failingAt(database: Database, write: number): Database {
  return altered(database, {
    transaction: (work) =>
      database.transaction((tx) => {
        let left = write;
        const counted = <Result>(act: () => Promise<Result>): Promise<Result> => {
          if (left-- === 0) throw new Error("killed");
          return act();
        };
        return work(
          altered(tx, {
            run: (query) => counted(() => tx.run(query)),
            insertMany: (table, rows) => counted(() => tx.insertMany(table, rows)),
          }),
        );
      }),
  });
}

/** Whether the program was killed before it had converted everything. */
async function isKilledAt(report: number, { target }: Pick<EmptyStore, "target">): Promise<boolean> {
  const words = [openedInSteps, JSON.stringify(target), String(report)];
  const program = Bun.spawn([process.execPath, ...words], { stdout: "ignore", stderr: "inherit" });
  const code = await program.exited;
  if (code !== 0 && program.signalCode !== "SIGKILL") throw new Error(`ended with ${code}`);
  return code !== 0;
}

onEachEngine("rows of an earlier form", (engine) => {
  test("are converted when the store is opened, which says so", async () => {
    const { database, target } = await engine.fresh();
    await makeThings(database, someThings);
    const seen: Observation[] = [];
    const observe = (observation: Observation) => seen.push(observation);
    const options = { create: false, observe, conversions: [thingsConversion(100)] };
    await (await openDatabase(target, options)).close();
    await expectConverted(database);
    expect(seen.slice(0, -1)).toEqual([
      { kind: "store_conversion_started", what: "things" },
      ...[0, 100, 200, 240].map(
        (done) => ({ kind: "store_conversion_progress", what: "things", done, total: 240 }) as const,
      ),
    ]);
    expect(seen.at(-1)?.kind).toBe("store_conversion_finished");
    seen.length = 0;
    await (await openDatabase(target, options)).close();
    expect(seen).toEqual([]);
  });

  test.each([1, 2, 3, 7, 1_000])(
    "become the same if a step has %d of them, and if there are none",
    async (rowsPerStep) => {
      for (const things of [someThings.slice(140, 160), []]) {
        const { database } = await engine.fresh();
        await makeThings(database, things);
        const conversion = thingsConversion(rowsPerStep);
        // Each step moves at least one row.
        for (let left = things.length + 1; await conversion.step(database); left--) expect(left).toBeGreaterThan(0);
        await expectConverted(database, things);
      }
    },
  );

  test("are converted once if several programs open the store at once", async () => {
    const { database, target } = await engine.fresh();
    await makeThings(database, someThings);
    const open = () => openDatabase(target, { create: false, conversions: [thingsConversion(7)] });
    for (const one of await Promise.all([open(), open(), open()])) {
      await expectConverted(one);
      await one.close();
    }
  });

  test("are neither lost nor doubled if the program is killed at any write", async () => {
    const { database } = await engine.fresh();
    await makeThings(database, someThings);
    const conversion = thingsConversion(50);
    let kills = 0;
    for (let write = 0; await hasTable(database, "old_things"); ) {
      const before = await convertedThings(database);
      try {
        await conversion.step(failingAt(database, write));
        write = 0;
      } catch (error) {
        expect((error as Error).message).toContain("killed");
        expect(await convertedThings(database)).toEqual(before);
        kills++;
        write++;
      }
    }
    expect(kills).toBeGreaterThan(10);
    await expectConverted(database);
  });

  test("are converted as well if the program is killed again and again", async () => {
    const { database, target } = await engine.fresh();
    await makeThings(database, someThings);
    // It reports about 35 times if nothing is converted yet.
    const isKilled = [
      await isKilledAt(12, { target }),
      await isKilledAt(13, { target }),
      await isKilledAt(40, { target }),
    ];
    expect(isKilled).toEqual([true, true, false]);
    await expectConverted(database);
  });

  test("are left to the next program by a server that is asked to stop meanwhile", async () => {
    const { database, target } = await engine.fresh();
    await makeThings(database, someThings);
    const seen: string[] = [];
    const observe = ({ kind }: Observation) => {
      seen.push(kind);
      if (kind === "store_conversion_progress") process.emit("SIGTERM", "SIGTERM");
    };
    const conversions = [thingsConversion(100)];
    expect(await openForServer(target, { observe, conversions })).toBeNull();
    expect(seen).toEqual([
      "store_conversion_started",
      "server_not_listening",
      "store_conversion_progress",
      "store_conversion_interrupted",
    ]);
    expect((await convertedThings(database)).length).toBe(100);
    await (await openDatabase(target, { create: false, conversions })).close();
    await expectConverted(database);
  });
});
