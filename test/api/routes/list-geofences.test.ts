import { expect, test } from "bun:test";
import type { VisibleGeofenceRow } from "../../../src/store/fleet/geofences.ts";
import { sortedBy } from "../../support/route-request.ts";
import { describeRoute } from "../../support/route-suite.ts";

function record(fence: VisibleGeofenceRow) {
  const isCircle = fence.shape === "circle";
  const corners = [
    [13, 52],
    [14, 52],
    [14, 53],
    [13, 52],
  ];
  return {
    geofence_id: fence.id,
    name: fence.name,
    description: isCircle ? null : "Quay 7",
    shape: isCircle ? "circle" : "polygon",
    geometry: isCircle ? { type: "Point", coordinates: [13.3, 52] } : { type: "Polygon", coordinates: [corners] },
    radius_m: isCircle ? 150 : null,
    width_m: null,
    bbox: isCircle ? [13.29, 51.99, 13.31, 52.01] : [13, 52, 14, 53],
    color: "#336699",
    created_at: "2026-05-26T12:00:00.000Z",
    updated_at: "2026-05-26T12:00:00.000Z",
  };
}

describeRoute(
  "listGeofences",
  () => ({ path: "/geofences" }),
  (world) => {
    test("lists the owner all fences, a sub-account those of its devices, in ascending id", async () => {
      const { yard, harbour, depot, nobodys, pier } = world().fences;
      const expected = {
        olga: [yard, harbour, depot, nobodys],
        anna: [yard, depot],
        ben: [yard, harbour],
        otto: [pier],
      };
      for (const viewer of ["olga", "anna", "ben", "otto"] as const) {
        const data = sortedBy(expected[viewer], (fence) => fence.id).map(record);
        expect((await world().get("/geofences", viewer)).body).toEqual({ data, next_cursor: null });
      }
    });
  },
);
