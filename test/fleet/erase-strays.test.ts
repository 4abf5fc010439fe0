import { expect, spyOn, test } from "bun:test";
import { createKey } from "../../src/access/keys.ts";
import { foreground } from "../../src/derive/pace.ts";
import { eraseMarked } from "../../src/derive/upkeep/erase-marked.ts";
import { allScopes } from "../../src/domain/scopes.ts";
import { dayMs } from "../../src/domain/time/time.ts";
import { removeUser } from "../../src/fleet/edit/remove-user.ts";
import { eraseAccount } from "../../src/fleet/erase/erase-account.ts";
import { addCharges } from "../../src/store/access/key-counters.ts";
import { addKeyUsage } from "../../src/store/access/key-usage.ts";
import type { Database } from "../../src/store/database.ts";
import { eraseStrays } from "../../src/store/erase/strays.ts";
import { saveUnknownDevices } from "../../src/store/fleet/unknown-devices.ts";
import { sql } from "../../src/store/sql.ts";
import { countRows } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { command, foundInTables } from "../support/erasing.ts";
import { load, smallFleet } from "../support/fleet.ts";
import { accountNumber } from "../support/ingest-node.ts";
import { startServer } from "../support/ingest-server.ts";
import { until } from "../support/patience.ts";

const { acme, ann, olga } = smallFleet;
const day = Math.floor(Date.now() / dayMs);

async function keyOf(database: Database, email: string) {
  const request = { scopes: allScopes, perSecond: null, perDay: null, expiresAt: null };
  return createKey(database, { ...request, email, name: `key of ${email}` }, Date.now());
}

/** What a server counted before, written late. */
async function writeLate(database: Database, accountId: number, keyId: string): Promise<void> {
  const counts = { requests: 3, not_modified: 0, refused: 0, errors: 0 };
  await database.transaction(async (tx) => {
    await addKeyUsage(tx, [{ account_id: accountId, key_id: keyId, day, endpoint: "/trips", ...counts }]);
    await addCharges(
      tx,
      [{ accountId, keyId, day, charges: 3, lastUsedAt: Date.now() }],
      [{ accountId, day, charges: 3 }],
    );
  });
}

onEachEngine("what a server writes after its keys were erased", (engine) => {
  const loaded = engine.copies(async ({ database }) => {
    await load(database, Object.values(smallFleet));
    return accountNumber(database);
  });

  test("is found and erased again, and nobody else's", async () => {
    const { database, prepared: accountId } = await loaded();
    const [annas, olgas] = [(await keyOf(database, ann.email)).key.id, (await keyOf(database, olga.email)).key.id];
    await writeLate(database, accountId, olgas);
    const removal = { accountId, id: ann.id, by: command, revision: null, history: "erase", isPreview: false } as const;
    await removeUser(database, removal, Date.now());
    const before = Date.now();
    await eraseMarked(database, foreground);
    await writeLate(database, accountId, annas);
    expect(await foundInTables(database, [annas])).not.toBeEmpty();
    // Not at once: it would have to be done again.
    expect(await eraseStrays(database, before)).toBe(0);
    expect(await eraseStrays(database, Date.now() + 5_000)).toBe(2);
    expect((await foundInTables(database, [annas])).filter((row) => !row.startsWith("audit_log"))).toEqual([]);
    expect(await countRows(database, "key_usage")).toBe(1);
    // Once more, and not for ever.
    await writeLate(database, accountId, annas);
    expect(await eraseStrays(database, Date.now() + 25_000)).toBe(2);
    expect(await eraseStrays(database, Date.now() + 70_000)).toBe(0);
    await writeLate(database, accountId, annas);
    expect(await eraseStrays(database, Date.now() + 140_000)).toBe(0);
  });

  if (engine.name === "postgres") {
    test("is erased in time by nodes with wrong clocks", async () => {
      const { database, prepared: accountId } = await loaded();
      const annas = (await keyOf(database, ann.email)).key.id;
      const real = Date.now;
      const clock = spyOn(Date, "now");
      try {
        clock.mockImplementation(() => real() + 3_600_000);
        const removal = { accountId, id: ann.id, by: command, revision: null, history: "erase" } as const;
        await removeUser(database, { ...removal, isPreview: false }, real());
        await eraseMarked(database, foreground);
        await writeLate(database, accountId, annas);
        await database.transaction((tx) => tx.run(sql`update erasure_notes set number = number - 5000`));
        clock.mockImplementation(() => real() - 3_600_000);
        await eraseMarked(database, foreground);
      } finally {
        clock.mockRestore();
      }
      expect((await foundInTables(database, [annas])).filter((row) => !row.startsWith("audit_log"))).toEqual([]);
    });
  }

  test("is no unknown tracker of an account that is erased", async () => {
    const { database, prepared: accountId } = await loaded();
    const seen = { protocol: null, imei: "490154203237518", firstSeenAt: 1, lastSeenAt: Date.now(), count: 1 };
    const save = () => database.transaction((tx) => saveUnknownDevices(tx, accountId, [seen]));
    await save();
    expect(await countRows(database, "unknown_devices")).toBe(1);
    await eraseAccount(database, acme.id, command, Date.now());
    await save();
    expect(await countRows(database, "unknown_devices")).toBe(0);
    await eraseMarked(database, foreground);
    await save();
    expect(await countRows(database, "unknown_devices")).toBe(0);
    await writeLate(database, accountId, ann.id);
    // On a cluster there is nothing to find: counts of an account that is gone are not stored.
    expect(await eraseStrays(database, Date.now() + 5_000)).toBe(database.isDistributed ? 0 : 3);
  });

  test("is erased by the running server itself", async () => {
    const { database, env, prepared: accountId } = await loaded();
    const { key, secret } = await keyOf(database, ann.email);
    const program = await startServer({ env });
    try {
      const call = async () => (await fetch(`${program.url}/v1/devices`, { headers: { "X-API-Key": secret } })).status;
      expect(await call()).toBe(200);
      const removal = { accountId, id: ann.id, by: command, revision: null, history: "erase" } as const;
      await removeUser(database, { ...removal, isPreview: false }, Date.now());
      // The server believes the key for a moment, and counts.
      await until(async () => (await call()) === 401);
      await writeLate(database, accountId, key.id);
      await until(async () => (await foundInTables(database, [key.id])).every((row) => row.startsWith("audit_log")));
    } finally {
      await program.stop();
    }
  });
});
