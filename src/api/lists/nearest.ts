import { metresBetween } from "../../domain/geometry/distance.ts";
import type { Nearby } from "../input/near.ts";
import { inParts, type RowsPart } from "./parts.ts";

type AtDistance<Row> = Row & { readonly distance_m: number };

/** The rows nearest to a place. All are looked at, since no index knows places; of many it holds few: a row may be large. */
export async function nearestRows<Row extends { readonly device_id: string }, Start>(
  { place, radiusMetres }: Nearby,
  count: number,
  read: (start: Start | null) => Promise<RowsPart<readonly Row[], Start>>,
  placeOf: (row: Row) => { readonly latitude: number | null; readonly longitude: number | null },
): Promise<AtDistance<Row>[]> {
  let nearest: AtDistance<Row>[] = [];
  for await (const { rows } of inParts(read)) {
    for (const row of rows) {
      const { latitude, longitude } = placeOf(row);
      if (latitude === null || longitude === null) continue;
      // As it is shown, so that a reader finds the order and the bound to hold.
      const distance_m = Math.round(metresBetween(place, { latitude, longitude }) * 10) / 10;
      if (radiusMetres !== null && distance_m > radiusMetres) continue;
      nearest.push({ ...row, distance_m });
      if (nearest.length >= 2 * count) nearest = nearest.sort(byDistance).slice(0, count);
    }
  }
  return nearest.sort(byDistance).slice(0, count);
}

function byDistance(one: AtDistance<{ device_id: string }>, other: AtDistance<{ device_id: string }>): number {
  return one.distance_m - other.distance_m || (one.device_id < other.device_id ? -1 : 1);
}
