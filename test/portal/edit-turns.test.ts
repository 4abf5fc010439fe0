import { expect, test } from "bun:test";
import { editFleet } from "../../src/fleet/edit/edit.ts";
import { EditTurns } from "../../src/portal/edit-turns.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { everyRow } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { failureOf } from "../support/failures.ts";
import { load, loadedAt, smallFleet } from "../support/fleet.ts";
import { accountNumber } from "../support/ingest-node.ts";
import { sharedPortal } from "../support/portal.ts";
import { countTurns } from "../support/turns.ts";

const { acme, olga, van } = smallFleet;

/** Holds the lock of all fleets as a long `load` does. Returns what lets it go. */
async function loading(database: Database): Promise<() => Promise<void>> {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
  const done = database.transaction(async (tx) => {
    await tx.lock("fleet");
    hold();
    await held;
  });
  await isHeld;
  return async () => {
    letGo();
    await done;
  };
}

onEachEngine("edits of one account", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });
  const preview = "/fleet/devices?preview=true";
  const wanted = (index: number) => ({ fields: { imei: String(862_000_000_000_000 + index), name: "New" } });

  test("wait for each other, a few of them; more are refused at once, and nobody else's", async () => {
    const { signIn, store } = given();
    const [owner, other] = [await signIn("olga@acme.example"), await signIn("otto@polar.example")];
    // The first takes far longer than any after it, and others wait for their turn for four seconds only.
    expect((await owner.post(preview, wanted(0))).status).toBe(200);
    const letGo = await loading(await store.open());
    const statuses: number[] = [];
    const { promise: refusals, resolve } = Promise.withResolvers<void>();
    const sent = Array.from({ length: 12 }, async (_, index) => {
      const { status, headers, body } = await owner.post(preview, wanted(index));
      statuses.push(status);
      if (status === 429) expect([body.error.code, headers.get("Retry-After")]).toEqual(["RATE_LIMITED", "1"]);
      if (statuses.length === 7) resolve();
    });
    await refusals;
    expect(statuses).toEqual(Array.from({ length: 7 }, () => 429));
    const ofOther = other.post(preview, wanted(20));
    await letGo();
    await Promise.all(sent);
    expect(statuses.slice(7)).toEqual(Array.from({ length: 5 }, () => 200));
    expect((await ofOther).status).toBe(200);
    expect((await owner.post(preview, wanted(1))).status).toBe(200);
  });

  test("of a person who may not make any take nobody's turn", async () => {
    const { signIn } = given();
    const [anna, owner] = [await signIn("anna@acme.example"), await signIn("olga@acme.example")];
    const refused = await Promise.all(Array.from({ length: 12 }, (_, index) => anna.post(preview, wanted(index))));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([403]));
    expect((await owner.post(preview, wanted(1))).status).toBe(200);
  });
});

onEachEngine("an edit of many vehicles, and its preview", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });
  // A server elsewhere does not keep the thread that answers.
  const vehicles = engine.name === "sqlite" ? 1_000 : 20;

  test("let others be answered in between", async () => {
    const { signIn } = given();
    const owner = await signIn("otto@polar.example");
    const post = async (path: string, body: object) => {
      const turns = countTurns();
      const { status } = await owner.post(path, body);
      return { status, turns: turns() };
    };
    const rows = Array.from({ length: vehicles }, (_, index) => `${863_000_000_000_000 + index},New ${index}`);
    const csv = ["IMEI,Name", ...rows].join("\n");
    const add_tags = Array.from({ length: 50 }, (_, index) => `a tag with the number ${index}`);
    const devices: { device_id: string; revision: number }[] = [];
    const made = [
      await post("/fleet/devices/import?preview=true", { csv }),
      await post("/fleet/devices/import", { csv }),
    ];
    for (let after = ""; devices.length < vehicles; ) {
      const { data, next_after } = (await owner.get(`/fleet/devices?limit=500${after}`)).body;
      devices.push(...data);
      after = `&after=${next_after}`;
    }
    const seen = devices.slice(0, vehicles).map(({ device_id, revision }) => ({ device_id, revision }));
    const change = { devices: seen, add_tags };
    made.push(await post("/fleet/devices/change?preview=true", change), await post("/fleet/devices/change", change));
    expect(made.map(({ status }) => status)).toEqual([200, 201, 200, 200]);
    // One for each few milliseconds of its work.
    for (const { turns } of made) expect(turns).toBeGreaterThanOrEqual(3);
  });
});

onEachEngine("an edit that comes too late", (engine) => {
  const times = { turnMs: 200, editMs: 300, commitMs: 200 };

  test("because another process changes fleets is refused as such, and never stored", async () => {
    const { database, open } = await engine.fresh();
    await load(database, Object.values(smallFleet));
    const number = await accountNumber(database);
    const before = await everyRow(database);
    const letGo = await loading(await open());
    const turns = new EditTurns(database, times);
    const change = { type: "device", id: van.id, revision: 1, fields: { name: "Late" } } as const;
    const account = { number, id: acme.id };
    const edit = (store: Database) =>
      editFleet(store, { account, by: { kind: "user", id: olga.id }, changes: [change], isPreview: false }, loadedAt);
    const [one, two] = await Promise.all([
      failureOf(turns.run(number, edit)),
      // Another account's, behind it.
      failureOf(turns.run(number + 1, (store) => store.transaction(async () => "nothing"))),
    ]);
    expect([one.code, two.code]).toEqual(["UNAVAILABLE", "UNAVAILABLE"]);
    await letGo();
    // A transaction after it: whatever was still waiting has ended.
    await database.transaction((tx) => tx.run(sql`update accounts set name = name where account_id < 0`));
    expect(await everyRow(database)).toEqual(before);
    expect((await new EditTurns(database).run(number, edit)).revisions).toEqual([2]);
  });

  test("because it took too long itself is not committed", async () => {
    const { database } = await engine.fresh();
    await load(database, Object.values(smallFleet));
    const before = await everyRow(database);
    const turns = new EditTurns(database, times);
    const slow = (store: Database) =>
      store.transaction(async (tx) => {
        await tx.run(sql`update devices set name = 'Late' where id = ${van.id}`);
        await Bun.sleep(times.editMs + 50);
      });
    expect((await failureOf(turns.run(1, slow))).code).toBe("UNAVAILABLE");
    await database.transaction((tx) => tx.run(sql`update accounts set name = name where account_id < 0`));
    expect(await everyRow(database)).toEqual(before);
  });
});
