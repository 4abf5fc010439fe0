import type { Reader } from "../database.ts";
import { listOf } from "../in-list.ts";
import { type Sql, sql } from "../sql.ts";

/** How many facts there are. */
export interface FactCounts {
  readonly trips: number;
  readonly crossings: number;
  readonly alerts: number;
}

/** The facts of these devices that are not over by a moment. */
export async function countFactsOfDevices(
  reader: Reader,
  accountId: number,
  devices: Iterable<number>,
  from: number,
): Promise<FactCounts> {
  return sum(await reader.all<FactCounts>(countsOf(accountId, from, sql`and device in ${listOf(devices)}`)));
}

/** The same for all devices of an account. */
export async function countFactsOfAccount(reader: Reader, accountId: number, from: number): Promise<FactCounts> {
  return sum(await reader.all<FactCounts>(countsOf(accountId, from, sql``)));
}

function countsOf(accountId: number, from: number, ofDevices: Sql): Sql {
  return sql`select
    (select count(*) from trips
      where account_id = ${accountId} ${ofDevices} and (ended_at is null or ended_at >= ${from})) as trips,
    (select count(*) from geofence_events
      where account_id = ${accountId} ${ofDevices} and occurred_at >= ${from}) as crossings,
    (select count(*) from alerts
      where account_id = ${accountId} ${ofDevices} and occurred_at >= ${from}) as alerts`;
}

function sum(parts: readonly FactCounts[]): FactCounts {
  return parts.reduce(
    (all, part) => ({
      trips: all.trips + part.trips,
      crossings: all.crossings + part.crossings,
      alerts: all.alerts + part.alerts,
    }),
    { trips: 0, crossings: 0, alerts: 0 },
  );
}
