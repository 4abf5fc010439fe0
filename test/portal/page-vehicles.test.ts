import { describe, expect, test } from "bun:test";
import type { FleetVehicle } from "../../src/portal/both-sides/contract/vehicles.ts";
import { vehicles as words } from "../../src/portal/both-sides/texts/en/administration/vehicles.ts";
import { errors } from "../../src/portal/both-sides/texts/en/common.ts";
import { PortalError } from "../../src/portal/page/api/request.ts";
import {
  changedVehicleFields,
  vehicleFormOf,
  vehicleLineOf,
  vehicleProblems,
} from "../../src/portal/page/vehicles/vehicle-form.ts";
import { matchingVehicles, tagsOf } from "../../src/portal/page/vehicles/vehicle-records.ts";

const litres = 1;
const gallons = 3.785411784;

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
  tracker_clock: null,
  tracker_id: null,
  tracker_protocol: null,
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
    const form = vehicleFormOf(van, litres);
    expect(changedVehicleFields(form, form, litres)).toEqual({});
    const changed = { ...form, plate: " ", name: "Van 2", tags: [...form.tags, "cold"], vehicle_year: "" };
    expect(changedVehicleFields(form, changed, litres)).toEqual({
      plate: null,
      name: "Van 2",
      tags: ["north", "cold"],
      vehicle_year: null,
    });
  });

  test("takes an IMEI as it is printed, and figures with a comma", () => {
    const form = vehicleFormOf(van, litres);
    const changed = { ...form, imei: "35-630704-244102 1", fuel_tank_capacity_l: "80,5", vehicle_year: "x" };
    expect(changedVehicleFields(form, changed, litres)).toEqual({
      imei: "356307042441021",
      fuel_tank_capacity_l: 80.5,
      // What is no number is for the server to refuse.
      vehicle_year: "x",
    });
  });

  test("takes what a tracker calls itself without blanks, and any protocol as none", () => {
    const form = vehicleFormOf({ ...van, tracker_protocol: "gt06" }, litres);
    const changed = { ...form, tracker_id: " 0138 1234 5678 ", tracker_protocol: "" };
    expect(changedVehicleFields(form, changed, litres)).toEqual({ tracker_id: "013812345678", tracker_protocol: null });
    expect(changedVehicleFields(changed, { ...changed, tracker_id: " " }, litres)).toEqual({ tracker_id: null });
  });

  test("shows a tank in the person's units, and leaves it exactly as it is unless a person changes it", () => {
    const form = vehicleFormOf(van, gallons);
    expect(form.fuel_tank_capacity_l).toBe("18.6");
    expect(changedVehicleFields(form, { ...form, name: "X" }, gallons)).toEqual({ name: "X" });
    expect(changedVehicleFields(form, { ...form, fuel_tank_capacity_l: "20" }, gallons)).toEqual({
      fuel_tank_capacity_l: 75.71,
    });
  });

  test("leaves out empty rows of ids, and refuses half of one", () => {
    const form = vehicleFormOf(van, litres);
    const rows = [...form.external_ids, { system: "", id: " " }, { system: " sap ", id: "4711" }];
    expect(changedVehicleFields(form, { ...form, external_ids: rows }, litres)).toEqual({
      external_ids: { erp: "V-0001", sap: "4711" },
    });
    const half = [{ system: "", id: "4711" }];
    expect(changedVehicleFields(form, { ...form, external_ids: half }, litres)).toEqual({
      external_ids: { "": "4711" },
    });
  });

  test("compares with what another person has stored, which leaves out what is not set", () => {
    expect(vehicleLineOf(van)).toEqual({
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
    const problems = vehicleProblems(
      error({ imei: "x", "tags[3]": "x", odd: "The server's words." }),
      { errors },
      words.problems,
      {
        imei: "12",
      },
    );
    expect(problems).toEqual({ imei: words.problems.imei, tags: errors.fields.tags ?? "", odd: "The server's words." });
    const taken = vehicleProblems(error({ imei: "x" }), { errors }, words.problems, { imei: van.imei });
    expect(taken).toEqual({ imei: words.problems.imeiTaken });
    const wrongId = vehicleProblems(error({ tracker_id: "x" }), { errors }, words.problems, { tracker_id: "é" });
    expect(wrongId).toEqual({ tracker_id: words.problems.trackerId });
    const takenId = vehicleProblems(error({ tracker_id: "x" }), { errors }, words.problems, { tracker_id: "4200" });
    expect(takenId).toEqual({ tracker_id: words.problems.trackerIdTaken });
    expect(vehicleProblems(new Error("x"), { errors }, words.problems, {})).toEqual({});
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
  expect(
    matchingVehicles([{ ...van, tracker_id: "4209" }, two], { search: "4209", tags: [], status: null }, compare),
  ).toHaveLength(1);
  expect(found("", ["north", "south"])).toEqual(["Van 1", "Van 10"]);
  expect(found("", [], "blocked")).toEqual(["Van 10"]);
  expect(tagsOf([ten, two, van], compare)).toEqual(["north", "south"]);
});
