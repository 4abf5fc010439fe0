import { expect, test } from "bun:test";
import { join } from "node:path";
import { removeDevice } from "../../src/fleet/edit/remove-device.ts";
import { removeUser } from "../../src/fleet/edit/remove-user.ts";
import { eraseAccount } from "../../src/fleet/erase/erase-account.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { command, foundInTables, keepAndHide } from "../support/erasing.ts";
import { device, load, smallFleet, user, uuid } from "../support/fleet.ts";
import { inOrder } from "../support/ingest-arrival.ts";
import { loadIngestFleet, randomFleet, vanImei } from "../support/ingest-fleet.ts";
import { accountNumber, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { complaint, output, runCall } from "./outcome.ts";

const seed = announcedSeed("which one odograph erase means");
const { acme, ann, rival, van } = smallFleet;

async function loadVan(database: Database): Promise<number> {
  await loadIngestFleet(database);
  await load(database, [{ ...van, name: "Vanessa", plate: "VAN 4711" }]);
  await take(database, [inOrder(randomFleet(seed, 60))]);
  return accountNumber(database);
}

const removal = { by: command, revision: null, isPreview: false } as const;
const inAcme = `of the account ${JSON.stringify(acme.name)} (${acme.id})`;
const inRival = `of the account ${JSON.stringify(rival.name)} (${rival.id})`;

onEachEngine("odograph erase", (engine) => {
  const withVan = engine.copies(({ database }) => loadVan(database));

  test("refuses an IMEI that a kept device had and another has now, of whichever account, and lists both", async () => {
    const { database, env, prepared: accountId } = await withVan();
    await keepAndHide(database, { accountId, id: van.id });
    await load(database, [device(99, { account_id: rival.id, imei: vanImei, name: "Other", plate: null })]);
    const refused = await complaint(["erase", "device", vanImei, "--yes"], 1, { env });
    expect(refused).toBe(
      `several have or had ${vanImei}, so name one by its id: ${uuid(99)} ("Other", ${inRival}); ` +
        `${van.id} ("Vanessa", plate "VAN 4711", ${inAcme}, removed)`,
    );
    expect(await foundInTables(database, ["Vanessa"])).not.toBeEmpty();
    expect(await output(["erase", "device", van.id, "--yes"], { env })).toBe(`erased the device ${van.id}\n`);
    expect(await foundInTables(database, ["Vanessa"])).toEqual([]);
    expect(await output(["erase", "device", vanImei, "--yes"], { env })).toBe(`erased the device ${uuid(99)}\n`);
  });

  test("refuses an e-mail that a kept user had and another has now", async () => {
    const { database, env, prepared: accountId } = await withVan();
    await removeUser(database, { ...removal, accountId, id: ann.id, history: "keep" }, Date.now());
    await load(database, [user(88, { account_id: rival.id, email: ann.email, name: "Anna" })]);
    expect(await complaint(["erase", "user", ann.email, "--yes"], 1, { env })).toBe(
      `several have or had ${ann.email}, so name one by its id: ${uuid(88)} ("Anna", ${inRival}); ` +
        `${ann.id} (${JSON.stringify(ann.name)}, ${inAcme}, removed)`,
    );
    expect(await output(["erase", "user", ann.id, "--yes"], { env })).toBe(`erased the user ${ann.id}\n`);
    expect(await output(["erase", "user", ann.email, "--yes"], { env })).toBe(`erased the user ${uuid(88)}\n`);
  });

  test("goes on with a device by its IMEI, and with an account, that an interrupted call has marked", async () => {
    const { database, env, directory, prepared: accountId } = await withVan();
    await removeDevice(database, { ...removal, accountId, id: van.id, history: "erase" }, Date.now());
    const file = join(directory, "out.ndjson");
    const again = await runCall(["erase", "device", vanImei, "--yes", "--write-out", file], { env });
    expect(again).toEqual({
      code: 0,
      stdout: `erased the device ${van.id}\n`,
      stderr: `the device ${van.id} is being erased already: going on\n${file} is not written: what is left is not whole\n`,
    });
    expect(await foundInTables(database, [vanImei, "Vanessa"])).toEqual([]);
    await eraseAccount(database, acme.id, command, Date.now());
    const ofAccount = await runCall(["erase", "account", acme.id, "--yes"], { env });
    expect(ofAccount).toMatchObject({ code: 0, stdout: `erased the account ${acme.id}\n` });
    expect(ofAccount.stderr).toContain("is being erased already: going on");
    expect(await foundInTables(database, ["account.erased"])).toHaveLength(1);
    expect(await foundInTables(database, [acme.name])).toEqual([]);
  });

  test("goes on with the store's files if the last row is gone already", async () => {
    const { database, env, prepared: accountId } = await withVan();
    await removeUser(database, { ...removal, accountId, id: ann.id, history: "erase" }, Date.now());
    expect(await complaint(["erase", "user", uuid(77), "--yes"], 1, { env })).toBe(`there is no user ${uuid(77)}`);
    const again = await runCall(["erase", "user", ann.email, "--yes", "--json"], { env });
    expect(again.code).toBe(0);
    expect(again.stderr).toBe(`there is no user ${ann.email} any more: going on with what was being erased\n`);
    expect(JSON.parse(again.stdout)).toEqual({ type: "user", id: null, erased: true, purged: true });
    const unpurged = await database.get<{ number: number }>(
      sql`select number from erasure_notes where name = 'unpurged'`,
    );
    expect(unpurged?.number).toBe(0);
    expect(await complaint(["erase", "user", ann.email, "--yes"], 1, { env })).toBe(`there is no user ${ann.email}`);
    expect(await complaint(["erase", "user", ann.id, "--yes"], 1, { env })).toBe(`there is no user ${ann.id}`);
  });
});
