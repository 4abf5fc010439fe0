import { afterEach, describe, expect, test } from "bun:test";
import type { EffectWarning } from "../../src/portal/page/api/portal-records.ts";
import { PortalError, send } from "../../src/portal/page/api/request.ts";
import { warningSentence } from "../../src/portal/page/fleet/effect-warning.ts";
import { administration as deAdministration } from "../../src/portal/page/texts/de/administration/index.ts";
import { de } from "../../src/portal/page/texts/de/index.ts";
import { administration as enAdministration } from "../../src/portal/page/texts/en/administration/index.ts";
import { vehicles as words } from "../../src/portal/page/texts/en/administration/vehicles.ts";
import { en } from "../../src/portal/page/texts/en/index.ts";
import { administration as esAdministration } from "../../src/portal/page/texts/es/administration/index.ts";
import { es } from "../../src/portal/page/texts/es/index.ts";
import { administration as ptAdministration } from "../../src/portal/page/texts/pt/administration/index.ts";
import { pt } from "../../src/portal/page/texts/pt/index.ts";
import { vehicleProblems } from "../../src/portal/page/vehicles/field-problems.ts";
import { matchingVehicles, tagsOf } from "../../src/portal/page/vehicles/vehicle-filter.ts";
import { changedFields, formOf, lineOf } from "../../src/portal/page/vehicles/vehicle-form.ts";
import type { FleetVehicle } from "../../src/portal/page/vehicles/vehicle-records.ts";

const litres = { litres: 1 };
const gallons = { litres: 3.785411784 };

const van: FleetVehicle = {
  device_id: "1",
  imei: "356307042441013",
  name: "Van 1",
  plate: "RV 101",
  status: "active",
  vin: null,
  vehicle_make: "Ford",
  vehicle_model: null,
  vehicle_year: 2022,
  vehicle_type: null,
  tracker_model: null,
  fuel_tank_capacity_l: 70.5,
  tags: ["north"],
  external_ids: { erp: "V-0001" },
  user_ids: [],
  last_seen_at: null,
  revision: 3,
  managed_by: "file",
  is_made_here: false,
};

const compare = new Intl.Collator("en", { numeric: true }).compare;

describe("the form of a vehicle", () => {
  test("sends what was changed and nothing else, so that what others change stays", () => {
    const form = formOf(van, litres);
    expect(changedFields(form, form, litres)).toEqual({});
    const changed = { ...form, plate: " ", name: "Van 2", tags: [...form.tags, "cold"], vehicle_year: "" };
    expect(changedFields(form, changed, litres)).toEqual({
      plate: null,
      name: "Van 2",
      tags: ["north", "cold"],
      vehicle_year: null,
    });
  });

  test("takes an IMEI as it is printed, and figures with a comma", () => {
    const form = formOf(van, litres);
    const changed = { ...form, imei: "35-630704-244102 1", fuel_tank_capacity_l: "80,5", vehicle_year: "x" };
    expect(changedFields(form, changed, litres)).toEqual({
      imei: "356307042441021",
      fuel_tank_capacity_l: 80.5,
      // What is no number is for the server to refuse.
      vehicle_year: "x",
    });
  });

  test("shows a tank in the person's units, and leaves it exactly as it is unless somebody changes it", () => {
    const form = formOf(van, gallons);
    expect(form.fuel_tank_capacity_l).toBe("18.6");
    expect(changedFields(form, { ...form, name: "X" }, gallons)).toEqual({ name: "X" });
    expect(changedFields(form, { ...form, fuel_tank_capacity_l: "20" }, gallons)).toEqual({
      fuel_tank_capacity_l: 75.71,
    });
  });

  test("leaves out empty rows of ids, and refuses half of one", () => {
    const form = formOf(van, litres);
    const rows = [...form.external_ids, { system: "", id: " " }, { system: " sap ", id: "4711" }];
    expect(changedFields(form, { ...form, external_ids: rows }, litres)).toEqual({
      external_ids: { erp: "V-0001", sap: "4711" },
    });
    const half = [{ system: "", id: "4711" }];
    expect(changedFields(form, { ...form, external_ids: half }, litres)).toEqual({ external_ids: { "": "4711" } });
  });

  test("compares with what somebody else has stored, which leaves out what is not set", () => {
    expect(lineOf(van)).toEqual({
      imei: van.imei,
      name: "Van 1",
      plate: "RV 101",
      status: "active",
      vehicle_make: "Ford",
      vehicle_year: 2022,
      fuel_tank_capacity_l: 70.5,
      tags: ["north"],
      external_ids: { erp: "V-0001" },
    });
  });

  test("says what is wrong in the person's own words", () => {
    const error = (fields: Record<string, string>) => new PortalError(400, "INVALID_REQUEST", { fields });
    const problems = vehicleProblems(error({ imei: "x", "tags[3]": "x", odd: "As told." }), words.problems, {
      imei: "12",
    });
    expect(problems).toEqual({ imei: words.problems.imei, tags: words.problems.tags, odd: "As told." });
    const taken = vehicleProblems(error({ imei: "x" }), words.problems, { imei: van.imei });
    expect(taken).toEqual({ imei: words.problems.imeiTaken });
    expect(vehicleProblems(new Error("x"), words.problems, {})).toEqual({});
  });
});

test("vehicles are found by name, plate, IMEI and other ids, by any of the tags and by status, in counting order", () => {
  const ten = { ...van, device_id: "2", name: "Van 10", tags: ["south"], status: "blocked", imei: "1" } as const;
  const two = { ...van, device_id: "3", name: "Van 2", tags: [], external_ids: {}, plate: null } as const;
  const found = (search: string, tags: readonly string[] = [], status: FleetVehicle["status"] | null = null) =>
    matchingVehicles([ten, two, van], { search, tags, status }, compare).map(({ name }) => name);
  expect(found("")).toEqual(["Van 1", "Van 2", "Van 10"]);
  expect(found(" rv 101 ")).toEqual(["Van 1", "Van 10"]);
  expect(found("v-0001", ["north"])).toEqual(["Van 1"]);
  expect(found("", ["north", "south"])).toEqual(["Van 1", "Van 10"]);
  expect(found("", [], "blocked")).toEqual(["Van 10"]);
  expect(tagsOf([ten, two, van], compare)).toEqual(["north", "south"]);
});

const show = { number: String } as never;
const id = "0f7a6f1c-1111-4222-8333-944444444444";
const rule = {
  rules_of: id,
  vehicle_name: "Van 7",
  alert_type: "geofence_exit",
  fence_names: [],
  more_fences: 0,
} as const;
const fences = { fence_names: ["Depot", "Yard", "Pier"], more_fences: 2 };

const warnings: readonly EffectWarning[] = [
  { kind: "no_fence", ...rule },
  { kind: "fences_not_assigned", ...rule, ...fences },
  { kind: "fences_not_assigned", ...rule, ...fences, rules_of: "tag:cold", vehicle_name: null },
  { kind: "no_fence", ...rule, rules_of: "all", vehicle_name: null },
  { kind: "tag_not_used", tag: "cold" },
  { kind: "more", count: 3 },
];

test("a rule that cannot apply is named by type and vehicle, not by line and id", () => {
  const said = warnings.map((warning) => warningSentence(warning, show, en, enAdministration));
  const type = en.alerts.types.geofence_exit;
  expect(said).toEqual([
    `The rule “${type}” of Van 7 cannot apply: it names no fence.`,
    `The rule “${type}” of Van 7 cannot apply: the vehicle is assigned to none of its fences (Depot, Yard, Pier and 2 more).`,
    `The rule “${type}” of the tag cold cannot apply: no vehicle is assigned to one of its fences (Depot, Yard, Pier and 2 more).`,
    `The rule “${type}” of all vehicles cannot apply: it names no fence.`,
    "The rules of the tag cold cannot apply: no vehicle has this tag.",
    "And 3 more rules cannot apply.",
  ]);
});

test.each([
  ["es", es, esAdministration],
  ["pt", pt, ptAdministration],
  ["de", de, deAdministration],
] as const)("the same in %s", (_, texts, administration) => {
  for (const warning of warnings) {
    const said = warningSentence(warning, show, texts, administration);
    expect(said).toEndWith(".");
    expect(said).not.toContain(id);
    expect(said).not.toBe(warningSentence(warning, show, en, enAdministration));
    if (warning.kind === "no_fence" && warning.vehicle_name !== null) expect(said).toContain("Van 7");
    if ("fence_names" in warning && warning.fence_names.length > 0) expect(said).toContain("Depot, Yard, Pier");
  }
});

const { fetch: realFetch } = globalThis;
afterEach(() => {
  globalThis.fetch = realFetch;
});

/** A server that refuses so often, then answers. Returns how often it was asked. */
function serverThatRefuses(times: number): { asked: number } {
  const server = { asked: 0 };
  globalThis.fetch = (async () => {
    server.asked++;
    if (server.asked > times) return Response.json({ data: "seen" });
    const error = { code: "RATE_LIMITED", message: "others are under way" };
    return Response.json({ error }, { status: 429, headers: { "Retry-After": "0.01" } });
  }) as unknown as typeof fetch;
  return server;
}

test("the preview of a change waits for its turn by itself", async () => {
  const server = serverThatRefuses(3);
  expect(await send<unknown>("PUT", "/fleet/account?preview=true", {})).toEqual({ data: "seen" });
  expect(server.asked).toBe(4);
});

test("a preview that nobody needs any more stops waiting", async () => {
  const server = serverThatRefuses(Number.POSITIVE_INFINITY);
  const outdated = new AbortController();
  const waiting = send("PUT", "/fleet/account?preview=true", {}, outdated.signal);
  outdated.abort(new Error("outdated"));
  expect(waiting).rejects.toThrow("outdated");
  await waiting.catch(() => {});
  expect(server.asked).toBe(1);
});

test("a change is sent once: the person decides whether to try again", async () => {
  const server = serverThatRefuses(1);
  const refused = await send("PUT", "/fleet/account", {}).catch((error: unknown) => error);
  expect(refused instanceof PortalError && refused.code).toBe("RATE_LIMITED");
  expect(server.asked).toBe(1);
});
