import { expect, test } from "bun:test";
import { keepDemosBeside } from "../../src/cli/demo/demo-beside.ts";
import { loadDemoRecords } from "../../src/cli/demo/demo-history.ts";
import { foreground } from "../../src/derive/pace.ts";
import { eraseMarked } from "../../src/derive/upkeep/erase-marked.ts";
import { createWorld } from "../../src/simulator/world.ts";
import { accountsById } from "../../src/store/fleet/accounts.ts";
import {
  demoAccounts,
  endDemo,
  noteDemoMade,
  onlyAccount,
  saveDemoAccount,
} from "../../src/store/fleet/demo-accounts.ts";
import { onEachEngine } from "../support/engines.ts";
import { load, smallFleet } from "../support/fleet.ts";
import { until } from "../support/patience.ts";

/** Nothing is sent by one that is only erased. */
const listening = { url: "http://127.0.0.1:1", ingestUrl: "http://127.0.0.1:1", trackerPorts: {} };

onEachEngine("a made-up fleet that is not wanted any more", (engine) => {
  test("goes with an account that was not noted when its making was interrupted, and takes nothing from the owner", async () => {
    const { database } = await engine.fresh();
    await load(database, [smallFleet.acme, smallFleet.olga]);
    const own = await onlyAccount(database);
    expect(own).not.toBeNull();
    const id = crypto.randomUUID();
    const wanted = {
      id,
      account_id: null,
      wanted_by: own,
      wanted_at: 1,
      state_json: null,
      is_ready: false,
      ends_at: null,
    };
    await database.transaction((tx) => saveDemoAccount(tx, wanted));
    const seeded = { seed: 77, vehicles: 2, from: Date.parse("2026-10-27T00:00:00Z"), edition: 2 } as const;
    const world = createWorld(seeded);
    const noted = { id, account_id: null, state_json: JSON.stringify(seeded), is_ready: false };
    await database.transaction((tx) => noteDemoMade(tx, noted));
    await loadDemoRecords(database, world, { passwords: "unknown" });
    const [made] = await accountsById(database, [world.accountId]);
    expect(made).toBeDefined();

    // Its owner says so while more of it is noted: neither is lost.
    await database.transaction((tx) => endDemo(tx, id, 5));
    await database.transaction((tx) => noteDemoMade(tx, noted));
    const faults: unknown[] = [];
    const end = keepDemosBeside({ database, listening, observe: (fact) => faults.push(fact), startMailing: null });
    await until(async () => (await demoAccounts(database)).length === 0);
    await end();
    expect(faults.filter((fact) => (fact as { kind: string }).kind === "maintenance_failed")).toEqual([]);
    expect(await onlyAccount(database)).toBe(own);
    await eraseMarked(database, foreground);
    expect(await accountsById(database, [world.accountId])).toEqual([]);
  });

  test("leaves the account of its server the only one while it is there", async () => {
    const { database } = await engine.fresh();
    await load(database, [smallFleet.acme, smallFleet.olga]);
    const own = await onlyAccount(database);
    await load(database, [smallFleet.rival, smallFleet.rita]);
    expect(await onlyAccount(database)).toBeNull();
    const [rival] = await accountsById(database, [smallFleet.rival.id]);
    const row = {
      id: crypto.randomUUID(),
      account_id: rival?.account_id ?? 0,
      wanted_at: 1,
      state_json: null,
      is_ready: true,
      ends_at: null,
    };
    await database.transaction((tx) => saveDemoAccount(tx, { ...row, wanted_by: own }));
    expect(await onlyAccount(database)).toBe(own);
  });
});
