import { expect, test } from "bun:test";
import { createKey } from "../../src/access/keys.ts";
import { foreground } from "../../src/derive/pace.ts";
import { eraseMarked } from "../../src/derive/upkeep/erase-marked.ts";
import { allScopes } from "../../src/domain/scopes.ts";
import { visibilityOf } from "../../src/domain/visibility.ts";
import { eraseRemovedUser, removeUser } from "../../src/fleet/edit/remove-user.ts";
import { eraseAccount } from "../../src/fleet/erase/erase-account.ts";
import type { Database } from "../../src/store/database.ts";
import { acknowledgeAlerts } from "../../src/store/facts/alert-acknowledgements.ts";
import { savePreferences } from "../../src/store/fleet/preferences.ts";
import { sql } from "../../src/store/sql.ts";
import { tablesOf } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { command, everythingStored, foundInFiles, foundInTables } from "../support/erasing.ts";
import { failureOf } from "../support/failures.ts";
import { device, load, smallFleet, user, uuid } from "../support/fleet.ts";
import { inOrder } from "../support/ingest-arrival.ts";
import { loadIngestFleet, randomFleet, vanImei } from "../support/ingest-fleet.ts";
import { accountNumber, newWriter, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { noReport } from "../support/random-drive.ts";

const seed = announcedSeed("erasing people and accounts");
const { ann, olga, acme, rival, rita } = smallFleet;
const ofAnn = ["Annabel", "annabel@acme.test", "Annabel's key"];

/** Ann has a key with usage, a session, preferences, and has acknowledged all alerts that she sees. */
async function loadAnn(database: Database): Promise<number> {
  await loadIngestFleet(database);
  await load(database, [{ ...ann, name: "Annabel", email: "annabel@acme.test", password: "correct horse" }]);
  await take(database, [inOrder(randomFleet(seed, 300))]);
  const request = { scopes: allScopes, perSecond: null, perDay: null, expiresAt: null };
  const { key } = await createKey(
    database,
    { ...request, email: "annabel@acme.test", name: "Annabel's key" },
    Date.now(),
  );
  const accountId = await accountNumber(database);
  const visibility = visibilityOf({ accountId, id: ann.id, role: "sub_account" });
  const alerts = await database.all<{ id: string }>(sql`select id from alerts where not withdrawn`);
  await database.transaction(async (tx) => {
    await acknowledgeAlerts(
      tx,
      visibility,
      alerts.map(({ id }) => id),
      Date.now(),
    );
    await tx.run(sql`
      insert into key_usage (account_id, key_id, day, endpoint, requests, not_modified, refused, errors)
      values (${accountId}, ${key.id}, 20000, '/v1/trips', 1, 0, 0, 0)`);
    await tx.run(sql`
      insert into sessions (token_hash, account_id, user_id, created_at, last_seen_at, expires_at, id, browser)
      values ('hash of annabel', ${accountId}, ${ann.id}, 1, 1, 2, ${uuid(77)}, 'Firefox')`);
    await savePreferences(tx, accountId, ann.id, {
      language: "de",
      distance: null,
      volume: null,
      temperature: null,
      clock: null,
      week_start: null,
    } as never);
  });
  return accountId;
}

const removal = { by: command, revision: null, isPreview: false } as const;

onEachEngine("a user who is removed", (engine) => {
  const withAnn = engine.copies(({ database }) => loadAnn(database));

  test("and kept sees nothing, has no key, and leaves the e-mail to another", async () => {
    const { database, prepared: accountId } = await withAnn();
    const effect = await removeUser(database, { ...removal, accountId, id: ann.id, history: "keep" }, Date.now());
    expect(effect).toMatchObject({ assignments_ended: 2, sub_accounts: 1 });
    const rows = await foundInTables(database, [ann.id]);
    expect(rows.filter((row) => /^(assignments|sessions|one_time_links) /.test(row))).toEqual([]);
    expect(rows.filter((row) => /^api_keys .*"revoked_at":null/.test(row))).toEqual([]);
    // A viewer of an alert still sees who acknowledged it.
    expect(rows.filter((row) => row.startsWith("alert_acknowledgements"))).not.toBeEmpty();
    expect(await foundInTables(database, ["Annabel"])).not.toBeEmpty();
    await load(database, [user(88, { email: "annabel@acme.test" })]);
    const again = await failureOf(
      removeUser(database, { ...removal, accountId, id: ann.id, history: "keep" }, Date.now()),
    );
    expect(again.code).toBe("NOT_FOUND");
  });

  test.each(["at once", "after being kept"])("and erased %s leaves nothing but the id", async (when) => {
    const store = await withAnn();
    const { database, prepared: accountId } = store;
    const acknowledged = await database.all(
      sql`select alert_id, acknowledged_at from alert_acknowledgements order by alert_id`,
    );
    expect(acknowledged).not.toBeEmpty();
    const history = when === "at once" ? "erase" : "keep";
    await removeUser(database, { ...removal, accountId, id: ann.id, history }, Date.now());
    if (history === "keep") await eraseRemovedUser(database, { accountId, id: ann.id, by: command }, Date.now());
    expect(await eraseMarked(database, foreground)).toMatchObject({ isPurged: true });
    expect(await foundInTables(database, [...ofAnn, "hash of annabel"])).toEqual([]);
    if (engine.name === "sqlite") expect(await foundInFiles(store, [...ofAnn, "hash of annabel"])).toEqual([]);
    const left = (await foundInTables(database, [ann.id])).map((row) => row.split(" ")[0]);
    expect([...new Set(left)].sort()).toEqual(["audit_log", "viewer_records"]);
    // That the alerts were acknowledged is the fleet's, not Ann's.
    const since = await database.all(
      sql`select alert_id, acknowledged_at from alert_acknowledgements order by alert_id`,
    );
    expect(since).toEqual(acknowledged);
  });

  test("is not the owner", async () => {
    const { database, prepared: accountId } = await withAnn();
    const failure = await failureOf(
      removeUser(database, { ...removal, accountId, id: olga.id, history: "erase" }, Date.now()),
    );
    expect(failure.code).toBe("CONFLICT");
    expect(failure.message).toContain("make another user the owner first");
  });
});

onEachEngine("an account that is erased", (engine) => {
  test("leaves one entry of the audit log, and others as they were", async () => {
    const store = await engine.fresh();
    const { database } = store;
    const accountId = await loadAnn(database);
    const others = async () =>
      (await everythingStored(database)).filter(
        (row) => row.includes(rival.id) || row.includes(rita.id) || /"account_id":2\b/.test(row),
      );
    const before = await others();
    await eraseAccount(database, acme.id, command, Date.now());
    expect(await eraseMarked(database, foreground)).toMatchObject({ devices: 3, accounts: 1, isPurged: true });
    expect(await others()).toEqual(before);
    const texts = [...ofAnn, acme.name, vanImei, olga.email, "Town"];
    expect(await foundInTables(database, texts)).toEqual([]);
    if (engine.name === "sqlite") expect(await foundInFiles(store, texts)).toEqual([]);
    // Whatever table is added, it must not forget to forget.
    for (const [name, { columns }] of await tablesOf(database)) {
      if (!columns.some((column) => column.name === "account_id")) continue;
      const rows = (await everythingStored(database)).filter(
        (row) => row.startsWith(`${name} `) && new RegExp(`"account_id":${accountId}\\b`).test(row),
      );
      expect([name, rows.length]).toEqual([name, name === "audit_log" ? 1 : 0]);
    }
    const [entry] = await foundInTables(database, [acme.id]);
    expect(entry).toContain('"action":"account.erased"');
  });

  test("may come back, under another number, and an IMEI of it in another account", async () => {
    const { database } = await engine.fresh();
    // The last account and the last device, whose numbers SQLite would give out again.
    await loadIngestFleet(database);
    const writer = newWriter(database);
    const number = await accountNumber(database, rival.id);
    const frame = {
      ...noReport,
      imei: smallFleet.rivalVan.imei,
      recordedAt: Date.UTC(2026, 0, 2),
      receivedAt: Date.UTC(2026, 0, 2),
    };
    await writer.submit(number, [frame]);
    await eraseAccount(database, rival.id, command, Date.now());
    await eraseMarked(database, foreground);
    await load(database, [rival, rita, device(24, { account_id: rival.id, imei: smallFleet.rivalVan.imei })]);
    const again = await accountNumber(database, rival.id);
    expect(again).not.toBe(number);
    expect((await failureOf(writer.submit(number, [frame]))).code).toBe("NOT_FOUND");
    const [outcome] = await writer.submit(again, [frame]);
    expect(outcome).not.toHaveProperty("refused");
  });
});
