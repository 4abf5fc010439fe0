import { expect, test } from "bun:test";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { foundInTables, keepAndHide } from "../support/erasing.ts";
import { recordsIn } from "../support/exported-fleet.ts";
import { load, smallFleet, uuid } from "../support/fleet.ts";
import { inOrder } from "../support/ingest-arrival.ts";
import { loadIngestFleet, randomFleet, vanImei } from "../support/ingest-fleet.ts";
import { accountNumber, newWriter, take } from "../support/ingest-node.ts";
import { tokenOf } from "../support/ingest-port.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { sendFrames, startServer } from "../support/ingest-server.ts";
import { until } from "../support/patience.ts";
import { callsOfOwner, fleetWithOwner } from "../support/portal-program.ts";
import { complaint, output } from "./outcome.ts";

const seed = announcedSeed("odograph erase");
const frames = inOrder(randomFleet(seed, 150));
const { acme, ann, olga, van } = smallFleet;

async function loadVan(database: Database): Promise<void> {
  await loadIngestFleet(database);
  await load(database, [{ ...van, name: "Vanessa", plate: "VAN 4711" }]);
  await take(database, [frames]);
}

onEachEngine("odograph erase", (engine) => {
  const withVan = engine.copies(({ database }) => loadVan(database));

  test("writes out what is stored of a device, then erases it, beside a node that goes on", async () => {
    const { database, env, directory } = await withVan();
    const writer = newWriter(database);
    await take(database, [frames.slice(-1)], writer);
    const trips = await database.get<{ count: number }>(sql`
      select count(*) as count from trips t join devices d on d.account_id = t.account_id and d.device = t.device
      where d.id = ${van.id}`);
    const file = join(directory, "van.ndjson");
    const said = await output(["erase", "device", vanImei, "--write-out", file, "--yes", "--json"], { env });
    const lines = recordsIn(await readFile(file, "utf8"));
    expect(JSON.parse(said)).toEqual({
      type: "device",
      id: van.id,
      file,
      lines: lines.length,
      erased: true,
      purged: true,
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const own = frames.filter(({ imei }) => imei === vanImei);
    expect(lines[0]).toMatchObject({ type: "device", id: van.id, imei: vanImei, name: "Vanessa", plate: "VAN 4711" });
    expect(lines.filter(({ type }) => type === "frame")).toHaveLength(
      new Set(own.map((frame) => JSON.stringify(frame))).size,
    );
    expect(lines.filter(({ type }) => type === "trip")).toHaveLength(trips?.count ?? -1);
    expect(lines.map(({ type }) => type)).toContain("alert_settings");
    expect(JSON.stringify(lines)).not.toContain('"account_id":1');
    expect(await foundInTables(database, [vanImei, "Vanessa", "VAN 4711"])).toEqual([]);
    expect(await take(database, [own.slice(-1)], writer)).toEqual([{ refused: "unknown_device" }]);
  });

  test("erases nothing if it cannot write out, or nobody says to go on", async () => {
    const { database, env, directory } = await withVan();
    const file = join(directory, "there");
    await Bun.write(file, "mine");
    const call = ["erase", "device", van.id, "--yes", "--write-out"];
    expect(await complaint([...call, file], 1, { env })).toContain("is there already, and is not overwritten");
    expect(await complaint([...call, join(directory, "no", "such")], 1, { env })).toContain("cannot be written");
    expect(await complaint(["erase", "device", vanImei], 2, { env })).toBe(
      "this cannot be undone: a script must say --yes",
    );
    expect(await readFile(file, "utf8")).toBe("mine");
    expect(await foundInTables(database, ["Vanessa"])).not.toBeEmpty();
  });

  test("erases a removed device by its old IMEI, a user by e-mail, and an account", async () => {
    const { database, env } = await withVan();
    await keepAndHide(database, { accountId: await accountNumber(database), id: uuid(21) });
    expect(await output(["erase", "device", vanImei, "--yes"], { env })).toBe(`erased the device ${van.id}\n`);
    expect(await complaint(["erase", "device", vanImei, "--yes"], 1, { env })).toBe(`there is no device ${vanImei}`);
    expect(await output(["erase", "user", ann.email.toUpperCase(), "--yes"], { env })).toBe(
      `erased the user ${ann.id}\n`,
    );
    expect(await complaint(["erase", "user", olga.email, "--yes"], 1, { env })).toContain("owns an account");
    expect(await output(["erase", "account", acme.id, "--yes"], { env })).toBe(`erased the account ${acme.id}\n`);
    expect(await foundInTables(database, [vanImei, ann.email, olga.email, acme.name])).toEqual([]);
    expect(await complaint(["erase", "device", "van", "--yes"], 2, { env })).toBe(
      'expected an IMEI or a UUID, got "van"',
    );
  });

  test("is done within a second by a running server for what the portal removes, and seen by it for what the command erases", async () => {
    const { database, env } = await engine.fresh();
    await load(database, Object.values(fleetWithOwner));
    await take(database, [frames]);
    const token = await tokenOf(database);
    const program = await startServer({ env });
    try {
      const call = await callsOfOwner(program.url);
      const send = (imei: string) => sendFrames(program.ingestUrl, token, [{ ...frames[0], imei } as IncomingFrame]);
      // The server remembers both.
      for (const { imei } of [smallFleet.truck, van]) expect((await send(imei)).status).toBe(200);
      const truck = smallFleet.truck.id;
      await call("POST", `/fleet/devices/${truck}/remove`, { revision: 1, history: "erase" });
      expect((await send(smallFleet.truck.imei)).body.refused).toMatchObject([{ reason: "unknown_device" }]);
      await until(async () =>
        (await foundInTables(database, [truck])).every((row) => /^(audit_log|viewer_records) /.test(row)),
      );
      expect((await call("GET", "/fleet/removed-devices")).being_erased).toEqual([]);
      await output(["erase", "device", vanImei, "--yes"], { env });
      expect((await send(vanImei)).body.refused).toMatchObject([{ reason: "unknown_device" }]);
      expect(
        (await call("GET", "/data/devices")).data.map(({ device_id }: { device_id: string }) => device_id),
      ).toEqual([smallFleet.car.id]);
    } finally {
      await program.stop();
    }
  });
});
