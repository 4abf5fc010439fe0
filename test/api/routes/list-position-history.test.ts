import { expect, test } from "bun:test";
import { thatDay } from "../../support/api-fleet.ts";
import type { FrameRow } from "../../support/frame-rows.ts";
import { iso, sortedBy } from "../../support/route-request.ts";
import { describeRoute } from "../../support/route-suite.ts";

function record(frame: FrameRow) {
  return {
    device_id: frame.device_id,
    imei: frame.imei,
    recorded_at: iso(frame.recorded_at),
    received_at: "2026-06-15T12:00:01.000Z",
    latitude: frame.valid ? 52.0123456 : null,
    longitude: frame.valid ? 13.3654321 : null,
    altitude_m: 43,
    speed_kmh: 51.3,
    heading_deg: 271.5,
    accuracy_m: 4,
    satellites: 11,
    hdop: 0.9,
    ignition: true,
    odometer_km: 123.456,
    battery_percent: 87,
    external_voltage_v: 27.4,
    event: null,
    valid: frame.valid,
    reject_reason: frame.valid ? null : "no_fix",
    discontinuity: false,
  };
}

describeRoute(
  "listPositionHistory",
  ({ devices }) => ({ path: "/positions/history", query: { ...thatDay, device_id: devices.van.id } }),
  (world) => {
    const framesOf = (id: string) =>
      sortedBy(
        world().rows.frames.filter((frame) => frame.device_id === id),
        (frame) => frame.recorded_at,
        (frame) => frame.digest,
      );

    test("lists the stored frames in ascending time; those that were rejected only where they are asked for", async () => {
      for (const { id } of Object.values(world().devices).slice(0, 5)) {
        const all = framesOf(id).map(record);
        const valid = all.filter((frame) => frame.valid);
        for (const [query, data] of [
          ["", valid],
          ["&valid_only=true", valid],
          ["&valid_only=false", all],
        ] as const) {
          const { body } = await world().get(
            `/positions/history?device_id=${id}&from=2026-06-15&to=2026-06-16${query}`,
          );
          expect(body).toEqual({ data, next_cursor: null });
        }
      }
    });

    test("needs a device, by id or by IMEI", async () => {
      for (const query of ["", "?from=2026-06-15&to=2026-06-16", "?valid_only=false", "?cursor="]) {
        const { status, body } = await world().get(`/positions/history${query}`);
        expect([status, body.error.code]).toEqual([400, "INVALID_REQUEST"]);
        expect(body.error.message).toBe("device_id: expected a device, by device_id or by imei");
      }
      const { body } = await world().get("/positions/history?limit=0&from=2026-06-16&to=2026-06-15");
      for (const name of ["limit", "from", "device_id"]) expect(body.error.message).toContain(`${name}: expected`);
    });

    test("reads a window that is half-open", async () => {
      const timesIn = async (window: string) => {
        const { body } = await world().get(`/positions/history?imei=${world().devices.van.imei}&${window}`);
        return body.data.map((frame: { recorded_at: string }) => frame.recorded_at.slice(11, 16));
      };
      expect(await timesIn("from=2026-06-15T12:00Z&to=2026-06-15T12:20Z")).toEqual(["12:00", "12:10"]);
      expect(await timesIn("from=2026-06-15T12:00:00.001Z&to=2026-06-15T12:20:00.001Z")).toEqual(["12:10", "12:20"]);
      expect(await timesIn("from=2026-06-15T14:00%2B02:00&to=2026-06-15T14:20+02:00")).toEqual(["12:00", "12:10"]);
    });
  },
);
