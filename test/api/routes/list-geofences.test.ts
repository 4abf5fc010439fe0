import { expect, test } from "bun:test";
import type { VisibleGeofenceRow } from "../../../src/store/fleet/geofences.ts";
import { sortedBy } from "../../support/route-request.ts";
import { describeRoute } from "../../support/route-suite.ts";

const record = ({ id, name, shape }: VisibleGeofenceRow) => ({ geofence_id: id, name, shape });

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
        expect((await world().get("/geofences", viewer)).body).toMatchObject({ data, next_cursor: null });
      }
    });
  },
);
