import { expect, test } from "bun:test";
import { onEachEngine } from "../support/engines.ts";
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
