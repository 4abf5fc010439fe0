import type { Engine } from "./database.ts";
import { hasWithin, type Sql, sql } from "./sql.ts";

/** Who drove on a trip, as it is stored: `driver_id` is the first driver; where there were several, `drivers_json` has them all. */

type Handovers = readonly (readonly [driverId: string, from: number])[];

export interface StoredDrivers {
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly driver_id: string | null;
  readonly drivers_json: string | null;
}

export interface DriverOfTrip {
  readonly driverId: string;
  readonly from: number;
  /** Null: still driving. */
  readonly until: number | null;
}

/** First to last, each until the next. */
export function driversOfTrip({
  started_at,
  ended_at,
  driver_id,
  drivers_json,
}: StoredDrivers): readonly DriverOfTrip[] {
  if (drivers_json === null) {
    return driver_id === null ? [] : [{ driverId: driver_id, from: started_at, until: ended_at }];
  }
  const drivers = JSON.parse(drivers_json) as Handovers;
  return drivers.map(([driverId, from], index) => ({ driverId, from, until: drivers[index + 1]?.[1] ?? ended_at }));
}

/** Whether row `r` of the trips, one with a handover, has this driver. */
export function hasDriver(engine: Engine, driverId: string): Sql {
  return hasWithin(engine, sql`r.drivers_json`, `[${JSON.stringify(driverId)},`);
}

/** A row for each driver of trip `r` with a handover: `e.value ->> 0` is the id. */
export function eachDriver(engine: Engine): Sql {
  return eachDriverIn[engine];
}

const eachDriverIn: Readonly<Record<Engine, Sql>> = {
  sqlite: sql`cross join json_each(r.drivers_json) e`,
  postgres: sql`cross join lateral json_array_elements(r.drivers_json::json) e(value)`,
};
