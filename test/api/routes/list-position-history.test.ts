import { expect, test } from "bun:test";
import type { FrameRow } from "../../support/frame-rows.ts";
import { iso, sortedBy } from "../../support/route-request.ts";
import { describeRoute } from "../../support/route-suite.ts";

function record({ device_id, recorded_at, valid }: FrameRow) {
  return { device_id, recorded_at: iso(recorded_at), valid, reject_reason: valid ? null : "no_fix" };
}

describeRoute("listPositionHistory", (world) => {
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
        const { body } = await world().get(`/positions/history?device_id=${id}&from=2026-06-15&to=2026-06-16${query}`);
        expect(body).toMatchObject({ data, next_cursor: null });
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
});
