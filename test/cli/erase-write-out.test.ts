import { expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createKey } from "../../src/access/keys.ts";
import { allScopes } from "../../src/domain/scopes.ts";
import { formatInstant } from "../../src/domain/time/time.ts";
import { removeGeofence } from "../../src/fleet/edit/remove-geofence.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import type { Database } from "../../src/store/database.ts";
import { savePreferences } from "../../src/store/fleet/preferences.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { command, foundInTables } from "../support/erasing.ts";
import { recordsIn } from "../support/exported-fleet.ts";
import { load, smallFleet } from "../support/fleet.ts";
import { inOrder } from "../support/ingest-arrival.ts";
import { loadIngestFleet, randomFleet, vanImei } from "../support/ingest-fleet.ts";
import { accountNumber, take } from "../support/ingest-node.ts";
import { tokenOf } from "../support/ingest-port.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { sendFrames, startServer } from "../support/ingest-server.ts";
import { noReport } from "../support/random-drive.ts";
import { output } from "./outcome.ts";

const seed = announcedSeed("what odograph erase writes out");
const { acme, ann, olga, van } = smallFleet;

type Line = Readonly<Record<string, unknown>>;

async function linesIn(file: string): Promise<Line[]> {
  return recordsIn(await readFile(file, "utf8"));
}

const preferences = { language: "de", distance: null, volume: null, temperature: null, clock: null, week_start: null };

async function loadAll(database: Database): Promise<number> {
  await loadIngestFleet(database);
  await load(database, [
    { type: "alert_settings", account_id: acme.id, tag: "cold", rules: [{ alert_type: "speeding", enabled: false }] },
    { type: "alert_settings", account_id: acme.id, rules: [{ alert_type: "speeding", enabled: true }] },
  ]);
  await take(database, [inOrder(randomFleet(seed, 150))]);
  const accountId = await accountNumber(database);
  const request = { scopes: allScopes, perSecond: null, perDay: null, expiresAt: null };
  await createKey(database, { ...request, email: ann.email, name: "Ann's key" }, Date.now());
  await tokenOf(database);
  await database.transaction((tx) => savePreferences(tx, accountId, acme.id, preferences as never));
  return accountId;
}

onEachEngine("odograph erase --write-out", (engine) => {
  const withAll = engine.copies(({ database }) => loadAll(database));

  test("writes all that an account has, in the API's names and units, without a secret", async () => {
    const { database, env, directory, prepared: accountId } = await withAll();
    const [fence] = await database.all<{ id: string; name: string }>(
      sql`select id, name from geofences where account_id = ${accountId} order by id`,
    );
    if (!fence) throw new Error("the fleet has no fence");
    await removeGeofence(database, { accountId, id: fence.id, by: command, revision: 1, isPreview: false }, Date.now());
    const secrets = await database.all<{ hash: string }>(
      sql`select secret_hash as hash from api_keys union all select secret_hash from ingest_tokens`,
    );
    const file = join(directory, "acme.ndjson");
    await output(["erase", "account", acme.id, "--yes", "--json", "--write-out", file], { env });
    const lines = await linesIn(file);
    const ofType = (type: string) => lines.filter((line) => line.type === type);
    expect(lines[0]).toMatchObject({ type: "account", id: acme.id, name: acme.name, status: "active" });
    expect(ofType("ingest_token")).toMatchObject([{ name: expect.any(String), prefix: expect.any(String) }]);
    expect(ofType("preferences")).toEqual([{ type: "preferences", language: "de" }]);
    const settings = ofType("alert_settings");
    expect(settings.filter(({ tag }) => tag === "cold")).not.toBeEmpty();
    expect(settings.filter(({ tag, device_id }) => tag === undefined && device_id === undefined)).not.toBeEmpty();
    expect(ofType("geofence").find(({ removed_at }) => removed_at !== undefined)).toMatchObject({
      id: fence.id,
      name: fence.name,
      geometry: { type: expect.any(String) },
    });
    const entries = ofType("audit_entry");
    expect(entries.map(({ action }) => action)).toContain("geofence.removed");
    expect(entries[0]).toMatchObject({ at: expect.stringMatching(/^\d{4}-.*Z$/), record_type: expect.any(String) });
    expect(ofType("key")).toMatchObject([{ user_id: ann.id, scopes: expect.arrayContaining(["trips:read"]) }]);
    const text = await readFile(file, "utf8");
    for (const { hash } of secrets) expect(text).not.toContain(hash);
    expect(text).not.toMatch(/_json"|_e7"|_mm"|_ms"|m_per_h"|"day":|"password_hash|secret/);
    expect(ofType("trip")[0]).toMatchObject({
      device_id: expect.any(String),
      start_latitude: expect.any(Number),
      distance_km: expect.any(Number),
      duration_s: expect.any(Number),
      has_gap: expect.any(Boolean),
    });
    expect(ofType("mileage_day")[0]).toMatchObject({ date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) });
    expect(ofType("live_position")[0]).toMatchObject({ latitude: expect.any(Number), geofence_ids: expect.any(Array) });
    expect(await foundInTables(database, [acme.name, olga.email])).toEqual([]);
  });

  test("writes what a user did and what was done to the user", async () => {
    const { database, env, directory } = await withAll();
    await database.transaction((tx) =>
      tx.run(sql`
        insert into audit_log (account_id, entry_id, at, actor, actor_id, action, type, id)
        values (1, ${Bun.randomUUIDv7()}, 1000, 'user', ${ann.id}, 'session.started', 'session', ${ann.id}),
          (1, ${Bun.randomUUIDv7()}, 2000, 'user', ${olga.id}, 'user.changed', 'user', ${ann.id})`),
    );
    const file = join(directory, "ann.ndjson");
    await output(["erase", "user", ann.email, "--yes", "--json", "--write-out", file], { env });
    const lines = await linesIn(file);
    expect(lines.map(({ type }) => type)).toEqual(expect.arrayContaining(["user", "assignment", "key"]));
    const entries = lines.filter(({ type }) => type === "audit_entry");
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["user.changed", "session.started", "key.created"]),
    );
    expect(entries).toContainEqual(expect.objectContaining({ at: formatInstant(1000), actor_id: ann.id }));
    expect((await readdir(directory)).filter((name) => name.endsWith(".part"))).toEqual([]);
    expect(await foundInTables(database, [ann.email])).toEqual([]);
  });

  test.each(["device", "account"])(
    "erases no frame of the %s that was acknowledged and is not in the file",
    async (what) => {
      const { database, env, directory } = await withAll();
      const token = await tokenOf(database);
      const program = await startServer({ env });
      const acknowledged: string[] = [];
      let isOver = false;
      const start = Date.now() - 3_600_000;
      const send = async () => {
        for (let index = 0; !isOver; index++) {
          const recordedAt = start + index * 1000;
          const frame = {
            ...noReport,
            imei: vanImei,
            recordedAt,
            receivedAt: recordedAt,
            latitude: 50.1,
            longitude: 9.2,
          };
          const { status, body } = await sendFrames(program.ingestUrl, token, [frame as IncomingFrame]);
          if (status === 200 && body.accepted === 1) acknowledged.push(formatInstant(recordedAt));
          await Bun.sleep(1);
        }
      };
      try {
        const sending = send();
        while (acknowledged.length < 5) await Bun.sleep(5);
        const file = join(directory, "out.ndjson");
        const name = what === "device" ? van.id : acme.id;
        await output(["erase", what, name, "--yes", "--json", "--write-out", file], { env });
        isOver = true;
        await sending;
        const lines = await linesIn(file);
        const written = new Set(lines.filter(({ type }) => type === "frame").map(({ recorded_at }) => recorded_at));
        expect(acknowledged.filter((at) => !written.has(at))).toEqual([]);
        expect(lines.filter(({ type }) => type === "assignment")).not.toBeEmpty();
      } finally {
        isOver = true;
        await program.stop();
      }
    },
  );
});
