import { quantity } from "../../domain/text.ts";
import { dayMs } from "../../domain/time.ts";
import type { FactRow } from "../../store/facts/facts.ts";
import { coordinates, duration, instant, kilometres } from "./words.ts";

/** What a stored row says, for the case that there is nothing else. */
export function rowLines({ kind, row }: FactRow): string[] {
  switch (kind) {
    case "trip": {
      const end = row.ended_at === null ? "in progress" : `ended ${instant(Number(row.ended_at))} (${row.end_reason})`;
      const from = coordinates(row.start_latitude_e7, row.start_longitude_e7);
      return [
        `Trip from ${instant(Number(row.started_at))} at ${from}, ${end}: ${kilometres(Number(row.distance_mm))}.`,
      ];
    }
    case "crossing": {
      const where = coordinates(row.latitude_e7, row.longitude_e7);
      return [`${row.event_type} of the fence ${row.geofence_id} at ${instant(Number(row.occurred_at))}, ${where}.`];
    }
    case "day": {
      const date = instant(Number(row.day) * dayMs).slice(0, 10);
      const by = `${kilometres(Number(row.distance_mm))} (${row.distance_source})`;
      const times = `${duration(Number(row.driving_ms))} driving, ${duration(Number(row.idle_ms))} idle`;
      return [`Mileage of ${date}: ${by}, ${quantity(Number(row.trip_count), "trip")}, ${times}.`];
    }
    case "alert":
      return [];
  }
}
