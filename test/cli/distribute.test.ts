import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onEachEngine } from "../support/engines.ts";
import { fleetText, smallFleet } from "../support/fleet.ts";
import { freePort } from "../support/free-port.mjs";
import { complaint, output } from "./outcome.ts";

onEachEngine("odograph distribute", (engine) => {
  if (engine.name === "sqlite") {
    test("refuses a store that is a file", async () => {
      const store = await engine.fresh();
      expect(await complaint(["distribute"], 2, store)).toBe(
        "the store is a file: only a PostgreSQL store can be spread, set DATABASE_URL",
      );
    });
    return;
  }

  test("refuses a server without Citus, and changes nothing there", async () => {
    const store = await engine.empty();
    expect(await complaint(["distribute"], 1, store)).toStartWith("the database has no Citus: install it");
    const { database } = await engine.fresh();
    if (!database.isDistributed) expect(await complaint(["distribute"], 1, store)).toContain("create extension citus");
  });

  test("refuses a number of shards that makes no sense", async () => {
    const store = await engine.empty();
    expect(await complaint(["distribute", "--shards", "0"], 2, store)).toContain("--shards");
  });

  test("has nothing to do where everything is spread already", async () => {
    // On a cluster only: DATABASE_URL_TEST leads to its coordinator.
    const { database, ...store } = await engine.fresh();
    if (!database.isDistributed) return;
    expect(await complaint(["distribute"], 1, store)).toContain("stop it on all nodes first");
    await database.close();
    expect(await output(["distribute"], store)).toContain("\nnothing to do: spread over ");
    expect(JSON.parse(await output(["distribute", "--json"], store))).toMatchObject({ changed: false });
  });
});

async function dataDirectory(): Promise<string> {
  return join(await mkdtemp(join(tmpdir(), "odograph-")), "data");
}

test("commands that need a fleet say that there is none, and make none", async () => {
  const data = await dataDirectory();
  const told = await Promise.all(
    [
      ["keys", "list"],
      ["ingest-tokens", "list"],
      ["keys", "create", "--user", "a@b.test", "--name", "x", "--scopes", "all"],
      ["rederive"],
      ["import", "-", "--imei", "356307042441013"],
      ["alerts", "acknowledge", "5a0f6a52-6c1e-4d0f-9f53-0d3f1c7a1001", "--user", "a@b.test"],
    ].map((args) => complaint([...args, "--data", data], 1)),
  );
  const text = `there is no database in ${data}: \`odograph load\` or \`odograph serve\` makes one`;
  expect(told).toEqual(told.map(() => text));
  expect(existsSync(data)).toBe(false);
});

test("a file that is no database is told by every command, and left as it is", async () => {
  const data = await dataDirectory();
  const path = join(data, "odograph.db");
  await mkdir(data);
  await writeFile(path, "somebody's notes\n".repeat(300));
  const input = fleetText([smallFleet.acme]);
  const calls = [
    ["load", "-"],
    ["keys", "list"],
    ["serve", "--port", "0", "--ingest-port", "0"],
  ];
  const told = await Promise.all(calls.map((args) => complaint([...args, "--data", data], 1, { input })));
  expect(told).toEqual(calls.map(() => `the database ${path} is not a database`));
  expect(await Bun.file(path).text()).toBe("somebody's notes\n".repeat(300));
});

test("a PostgreSQL that does not answer is told at once, without its password", async () => {
  const port = await freePort();
  const env = { DATABASE_URL: `postgres://fleet:hunter2@127.0.0.1:${port}/odograph` };
  const calls = [
    ["keys", "list"],
    ["serve", "--port", "0", "--ingest-port", "0"],
  ];
  const told = await Promise.all(calls.map((args) => complaint(args, 1, { env })));
  const text = `PostgreSQL does not answer at 127.0.0.1:${port}: start it, or check DATABASE_URL`;
  expect(told).toEqual(calls.map(() => text));
});
