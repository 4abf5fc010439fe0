import { expect, test } from "bun:test";
import type { Database } from "../../src/store/database.ts";
import { everyRow } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { circle, device, type FleetRecord, hourMs, load, loadedAt, smallFleet, uuid } from "../support/fleet.ts";

const { acme, olga, ann, bob, van, truck, car, depot } = smallFleet;
const fleet = [acme, olga, ann, bob, van, truck, car, depot];
const yard = circle(33, { name: "Yard", device_ids: [truck.id] });

function settings(of: { readonly id: string }, ...rules: FleetRecord[]): FleetRecord {
  return { type: "alert_settings", device_id: of.id, rules };
}

function speeding(...geofence_ids: string[]): FleetRecord {
  return { alert_type: "speeding", parameters: { limit_kmh: 50 }, geofence_ids };
}

async function warningsOf(database: Database, records: Iterable<FleetRecord>, now = loadedAt): Promise<string[]> {
  const warnings: string[] = [];
  await load(database, records, now, (warning) => warnings.push(warning));
  return warnings;
}

function cannotApply(line: number, rule: string, of: { id: string; imei: string }, ...fences: string[]): string {
  const what = `the ${rule} rule of device ${of.id} (IMEI ${of.imei})`;
  return `line ${line}: ${what} cannot apply: the device is assigned to none of its geofences (${fences.join(", ")})`;
}

onEachEngine("loading alert rules", (engine) => {
  test("warns of each rule whose device is assigned to none of its fences, and stores it all the same", async () => {
    const { database } = await engine.fresh();
    const rules = settings(car, { alert_type: "sos" }, speeding(depot.id, yard.id), {
      alert_type: "geofence_exit",
      geofence_ids: [yard.id],
    });
    expect(await warningsOf(database, [...fleet, yard, rules])).toEqual([
      cannotApply(10, "speeding", car, depot.id, yard.id),
      cannotApply(10, "geofence_exit", car, yard.id),
    ]);
    const none = settings(truck, { alert_type: "geofence_enter", geofence_ids: [] });
    expect(await warningsOf(database, [none])).toEqual([
      `line 1: the geofence_enter rule of device ${truck.id} (IMEI ${truck.imei}) cannot apply: it names no geofences`,
    ]);
    const stored = await everyRow(database);
    // Still true when the file is loaded again.
    expect(await warningsOf(database, [rules])).toHaveLength(2);
    expect(await everyRow(database)).toEqual(stored);
  });

  test("says nothing where one of a rule's fences has the device, wherever in the file that stands", async () => {
    const { database } = await engine.fresh();
    const rules = settings(van, speeding(yard.id, depot.id), speeding(depot.id));
    const fences = new Set<FleetRecord>([depot, yard]);
    expect(await warningsOf(database, [...fleet.filter((line) => !fences.has(line)), rules, yard, depot])).toEqual([]);
    // Assigned by a line behind the settings, to a fence that is stored without the device.
    const joined = { ...yard, device_ids: [truck.id, van.id] };
    const later = loadedAt + hourMs;
    expect(await warningsOf(database, [settings(van, speeding(yard.id)), joined], later)).toEqual([]);
  });

  test("warns when a file takes the device out of the last fence of a rule that is stored", async () => {
    const { database } = await engine.fresh();
    await load(database, [...fleet, settings(van, speeding(depot.id))]);
    const without = { ...depot, device_ids: [truck.id] };
    const later = loadedAt + hourMs;
    expect(await warningsOf(database, [acme, without], later)).toEqual([cannotApply(2, "speeding", van, depot.id)]);
    // Nothing changes any more, and the file says nothing of the van.
    expect(await warningsOf(database, [acme, without], later + hourMs)).toEqual([]);
    expect(await warningsOf(database, [depot], later + 2 * hourMs)).toEqual([]);
  });

  test("judges the newest rules alone, and not those that switch off the alerts of a crossing", async () => {
    const { database } = await engine.fresh();
    const history = [
      { ...settings(van, speeding(yard.id)), valid_from: "2025-01-01" },
      { ...settings(van, speeding(depot.id)), valid_from: "2025-06-01" },
    ];
    const off = settings(car, { alert_type: "geofence_enter", enabled: false, geofence_ids: [depot.id] });
    expect(await warningsOf(database, [...fleet, yard, ...history, off])).toEqual([]);
  });

  test("names twenty, and counts the others", async () => {
    const { database } = await engine.fresh();
    const many = Array.from({ length: 25 }, (_, index) => device(100 + index));
    const warnings = await warningsOf(database, [
      ...fleet,
      ...many,
      ...many.map((one) => settings(one, speeding(depot.id))),
    ]);
    expect(warnings).toHaveLength(21);
    expect(warnings[0]).toStartWith(`line 34: the speeding rule of device ${uuid(100)}`);
    expect(warnings.at(-1)).toBe("and 5 more alert rules that cannot apply");
  });
});
