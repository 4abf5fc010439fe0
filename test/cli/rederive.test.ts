import { expect, test } from "bun:test";
import type { Database } from "../../src/store/database.ts";
import { plainSql } from "../../src/store/sql.ts";
import { everyRow } from "../support/catalog.ts";
import { derivedTables } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { fleetText, load, smallFleet } from "../support/fleet.ts";
import { fences, loadIngestFleet, newYear, randomFleet, truckImei, vanImei } from "../support/ingest-fleet.ts";
import { forgetFrames, take } from "../support/ingest-node.ts";
import { until } from "../support/patience.ts";
import { type RunningProgram, startOdograph } from "../support/program.ts";
import { changeFrames } from "../support/stored-frames.ts";
import { complaint, output } from "./outcome.ts";

const frames = randomFleet(5, 300);
const dayMs = 86_400_000;

/** Checkpoints are written again, were they the same: the revision says so. */
async function everyRowButRevisions(database: Database): Promise<Readonly<Record<string, readonly string[]>>> {
  const { device_folds: folds = [], ...rows } = await everyRow(database);
  return { ...rows, device_folds: folds.map((row) => row.replace(/"revision":"?\d+"?/, "")) };
}

/** As if a fault had stored all kinds of nonsense. */
async function damage(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.run(plainSql("delete from trips"));
    await tx.run(plainSql("update mileage_days set distance_mm = 5"));
    await tx.run(plainSql("update latest_positions set geofence_ids_json = '[\"x\"]'"));
    const spike = { valid: false, rejectReason: "spike", discontinuity: false } as const;
    await changeFrames(tx, (stored) => (stored.verdict.valid ? { ...stored, verdict: spike } : stored));
  });
}

async function isSettled(database: Database): Promise<boolean> {
  return (await database.all(plainSql("select 1 from device_folds where dirty_from is not null"))).length === 0;
}

onEachEngine("odograph rederive", (engine) => {
  const driven = engine.copies(async ({ database }) => {
    await loadIngestFleet(database);
    await take(database, [frames]);
  });

  test("changes nothing where nothing is wrong, and says so", async () => {
    const store = await driven();
    const before = await everyRowButRevisions(store.database);
    const text = await output(["rederive"], store);
    expect(
      text
        .trimEnd()
        .split("\n")
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      ["", "COUNT"],
      ["devices", "3"],
      ["frames read", expect.stringMatching(/^\d{3}$/)],
      ["verdicts changed", "0"],
      ["facts saved", "0"],
      ["facts removed", "0"],
      ["positions changed", "0"],
      ["nothing changed"],
    ]);
    expect(JSON.parse(await output(["rederive", "--json"], store))).toMatchObject({ facts_saved: 0, changed: false });
    expect(await everyRowButRevisions(store.database)).toEqual(before);
  });

  test("mends whatever is wrong, of one device or of all", async () => {
    const store = await driven();
    const right = await derivedTables(store.database);
    await damage(store.database);

    const one = JSON.parse(await output(["rederive", "--device", vanImei, "--json"], store));
    expect(one).toMatchObject({ devices: 1, positions_changed: 1, changed: true });
    for (const name of ["verdicts_changed", "facts_saved"]) expect([name, one[name]]).not.toEqual([name, 0]);
    const vanOnly = await derivedTables(store.database);
    const number = right.latest_positions[0]?.device;
    expect(vanOnly.trips).toEqual(right.trips.filter(({ device }) => device === number));

    expect(await output(["rederive"], store)).not.toContain("nothing changed");
    expect(await derivedTables(store.database)).toEqual(right);
  });

  test("finds drives that a slow clock has lost, with --received-now", async () => {
    const store = await driven();
    const { trips } = await derivedTables(store.database);
    await forgetFrames(store.database);
    await take(store.database, [frames.map((frame) => ({ ...frame, receivedAt: frame.receivedAt - 3_600_000 }))]);
    expect((await derivedTables(store.database)).trips).toEqual([]);

    expect(await output(["rederive"], store)).toContain("nothing changed");
    const one = JSON.parse(await output(["rederive", "--received-now", "--device", vanImei, "--json"], store));
    expect(one).toMatchObject({ devices: 1, frames_believed: 300, frames_read: 300, changed: true });
    expect(await output(["rederive", "--received-now"], store)).toMatch(/frames believed +600\n/);
    const withoutReceipt = (rows: readonly Record<string, unknown>[]) =>
      rows.map(({ updated_at: _, received_at: __, ...row }) => row);
    expect(withoutReceipt((await derivedTables(store.database)).trips)).toEqual(withoutReceipt(trips));
    expect(await output(["rederive", "--received-now"], store)).toContain("nothing changed");
  });

  test("first finishes what was still to be derived, and counts only what was wrong", async () => {
    const store = await driven();
    // Only noted, as by a load that ends right after its commit.
    const smaller = { ...fences.town, radius_m: 300, valid_from: new Date(newYear).toISOString() };
    await load(store.database, [smaller]);
    expect(await isSettled(store.database)).toBe(false);
    const pending = JSON.parse(await output(["rederive", "--json"], store));
    expect(pending).toMatchObject({ facts_saved: 0, facts_removed: 0, positions_changed: 0, changed: false });
    expect(pending.finished).toBeGreaterThan(0);
    expect(await isSettled(store.database)).toBe(true);
    expect(JSON.parse(await output(["rederive", "--json"], store))).toMatchObject({ finished: 0, changed: false });

    // Of one device, only what is its own.
    await load(store.database, [{ ...smaller, radius_m: 700 }]);
    const one = JSON.parse(await output(["rederive", "--device", vanImei, "--json"], store));
    expect(one).toMatchObject({ devices: 1, finished: 1, changed: false });
    expect(await isSettled(store.database)).toBe(false);
  });

  test("takes a time to begin from, and a device that never sent anything", async () => {
    const store = await driven();
    const all = JSON.parse(await output(["rederive", "--device", truckImei, "--json"], store));
    const late = new Date(newYear + 30 * dayMs).toISOString();
    const none = JSON.parse(await output(["rederive", "--device", truckImei, "--from", late, "--json"], store));
    expect(none.frames_read).toBeLessThan(all.frames_read);
    const before = await everyRow(store.database);
    const silent = await output(["rederive", "--device", smallFleet.rivalVan.imei, "--json"], store);
    expect(JSON.parse(silent)).toMatchObject({ devices: 0, frames_read: 0, changed: false });
    expect(await everyRow(store.database)).toEqual(before);
    expect(await complaint(["rederive", "--device", "111111111111111"], 1, store)).toBe(
      "there is no device with the IMEI 111111111111111",
    );
    expect(await complaint(["rederive", "--device", "van"], 2, store)).toContain("--device: expected an IMEI");
  });

  test("runs beside a server, which derives by itself what a load that was killed has left", async () => {
    const store = await driven();
    let server: RunningProgram | null = null;
    try {
      server = await startOdograph(["serve", "--port", "0", "--ingest-port", "0"], store);
      expect(await output(["rederive"], store)).toContain("nothing changed");
      // Only noted, as by a load that ends right after its commit.
      const smaller = { ...fences.town, radius_m: 300, valid_from: new Date(newYear).toISOString() };
      await load(store.database, [smaller]);
      await until(() => isSettled(store.database));
      const derived = await derivedTables(store.database);
      expect(await output(["rederive"], store)).toContain("nothing changed");
      await output(["load", "-"], { env: store.env, input: fleetText([smaller]) });
      expect(await derivedTables(store.database)).toEqual(derived);
    } finally {
      await server?.stop();
    }
  });
});
