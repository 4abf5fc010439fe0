import { expect, test } from "bun:test";
import type { LatestPositionRow } from "../../../src/store/frames/positions.ts";
import { seenBy } from "../../support/api-fleet.ts";
import { sortedBy } from "../../support/route-request.ts";
import { describeRoute } from "../../support/route-suite.ts";

function record(position: LatestPositionRow) {
  return {
    device_id: position.device_id,
    imei: position.imei,
    recorded_at: "2026-06-15T12:20:00.000Z",
    received_at: "2026-06-15T12:00:01.000Z",
    latitude: 52.0123456,
    longitude: 13.3654321,
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
    valid: true,
    reject_reason: null,
    discontinuity: false,
    name: position.name,
    plate: position.plate,
    ignition_since: "2026-06-15T11:00:00.000Z",
    trip_id: position.trip_id,
    geofence_ids: JSON.parse(position.geofence_ids_json ?? ""),
  };
}

describeRoute(
  "listLatestPositions",
  () => ({ path: "/positions/latest" }),
  (world) => {
    test("lists the live position of every device that has one, in ascending device id", async () => {
      for (const [viewer, count] of [
        ["olga", 3],
        ["anna", 2],
        ["ben", 2],
        ["otto", 2],
      ] as const) {
        const expected = sortedBy(seenBy(world(), viewer, world().rows.positions), (position) => position.device_id);
        expect(expected).toHaveLength(count);
        const { body } = await world().get("/positions/latest", viewer);
        expect(body).toEqual({ data: expected.map(record), next_cursor: null });
      }
    });

    test("has an empty list for a device in sight without a position", async () => {
      const { trailer, spare } = world().devices;
      for (const { id } of [trailer, spare]) {
        const { status, body } = await world().get(`/positions/latest?device_id=${id}`);
        expect([status, body]).toEqual([200, { data: [], next_cursor: null }]);
      }
    });

    test("answers 304 without a body to the tag of the same answer, and to no other's", async () => {
      const paths = [
        "/positions/latest",
        "/positions/latest?limit=1",
        `/positions/latest?imei=${world().devices.van.imei}`,
      ];
      const tags: string[] = [];
      for (const path of paths) {
        const first = await world().get(path);
        const tag = first.headers.get("ETag") ?? "";
        expect([first.status, first.headers.get("Cache-Control")]).toEqual([200, "private, no-cache"]);
        for (const header of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
          const again = await world().get(path, "olga", { "If-None-Match": header });
          expect([again.status, again.text, again.headers.get("ETag")]).toEqual([304, "", tag]);
        }
        for (const header of ['"other"', tag.slice(1, -1), ...tags, ""]) {
          expect((await world().get(path, "olga", { "If-None-Match": header })).text).toBe(first.text);
        }
        tags.push(tag);
      }
    });

    test("checks what else is wrong before it says that nothing has changed", async () => {
      const headers = { "If-None-Match": "*" };
      const { car } = world().devices;
      expect((await world().get("/positions/latest?limit=0", "anna", headers)).status).toBe(400);
      expect((await world().get(`/positions/latest?device_id=${car.id}`, "anna", headers)).status).toBe(404);
      expect((await world().api.get("/positions/latest", null, headers)).status).toBe(401);
    });
  },
);
