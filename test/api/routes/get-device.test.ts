import { expect, test } from "bun:test";
import { describeRoute } from "../../support/route-suite.ts";

describeRoute(
  "getDevice",
  ({ devices }) => ({ path: `/devices/${devices.van.id}` }),
  (world) => {
    test("answers with everything that is known of the device", async () => {
      const { van } = world().devices;
      const expected = {
        device_id: van.id,
        imei: van.imei,
        name: "Amber van",
        plate: "AC-ME 101",
        status: "active",
        vin: "W1V9076331P412073",
        vehicle_make: "Volvo",
        vehicle_model: "FH",
        vehicle_year: 2024,
        vehicle_type: "truck",
        tracker_model: "FMC130",
        fuel_tank_capacity_l: 62.5,
        tags: ["cold", "day shift"],
        external_ids: { sap: "10004711" },
        odometer_km: 123.456,
        last_seen_at: "2026-06-15T12:00:01.000Z",
        last_position_at: "2026-06-15T12:20:00.000Z",
        created_at: "2026-05-16T12:00:00.000Z",
        updated_at: "2026-05-16T12:00:00.000Z",
      };
      for (const viewer of ["olga", "anna"] as const) {
        expect((await world().get(`/devices/${van.id}`, viewer)).body).toEqual({ data: expected });
      }
    });

    test("has null for what never was", async () => {
      const { trailer, spare } = world().devices;
      const unknown = { odometer_km: null, last_position_at: null };
      const { body: sent } = await world().get(`/devices/${trailer.id}`);
      expect(sent.data).toMatchObject({ ...unknown, plate: null, vin: null, last_seen_at: "2026-06-15T12:00:00.000Z" });
      const { body: silent } = await world().get(`/devices/${spare.id}`);
      expect(silent.data).toMatchObject({ ...unknown, tags: [], external_ids: {}, last_seen_at: null });
    });
  },
);
