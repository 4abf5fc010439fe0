import { expect, test } from "bun:test";
import { describeRoute } from "../../support/route-suite.ts";

describeRoute("getDevice", (world) => {
  test("has null for what never was", async () => {
    const { trailer, spare } = world().devices;
    const unknown = { odometer_km: null, last_position_at: null };
    const { body: sent } = await world().get(`/devices/${trailer.id}`);
    expect(sent.data).toMatchObject({ ...unknown, plate: null, vin: null, last_seen_at: "2026-06-15T12:00:00.000Z" });
    const { body: silent } = await world().get(`/devices/${spare.id}`);
    expect(silent.data).toMatchObject({ ...unknown, tags: [], external_ids: {}, last_seen_at: null });
  });
});
