import type { Visibility } from "../domain/visibility.ts";
import type { Reader } from "./database.ts";
import { nothing, type Sql, sql } from "./sql.ts";
import { joinsOf, type TimedTable } from "./timed-rows.ts";
import { isVisible, ofEachDevice } from "./visible.ts";

/** A device and a moment: what is looked up in a list that is ordered by time. */
export interface DeviceMoment {
  readonly device: number;
  readonly at: number;
}

/** Lists are padded to one of these lengths, so that few different statements have to be prepared. */
const sizes = [1, 10, 50, 200] as const;
export const maxMoments = 200;

/**
 * The rows of these devices at exactly these moments, as far as the viewer sees the devices, in any order: the table's
 * columns, the moment, `device_id` and `imei`. One statement instead of one for each.
 */
export async function rowsAt<Row>(
  reader: Reader,
  table: TimedTable,
  visibility: Visibility,
  moments: readonly DeviceMoment[],
  conditions: Sql = nothing,
): Promise<(Row & DeviceMoment)[]> {
  const rows: (Row & DeviceMoment)[] = [];
  for (let start = 0; start < moments.length; start += maxMoments) {
    const keys = keysOf(moments.slice(start, start + maxMoments));
    const isThere = sql`r.account_id = ${visibility.accountId} and r.device = wanted.column1 and ${table.time} = wanted.column2
      ${conditions}`;
    rows.push(
      ...(await reader.all<Row & DeviceMoment>(sql`
        select ${table.columns}, r.device, ${table.time} as at, d.id as device_id, d.imei
        from (values ${keys}) wanted ${ofEachDevice(reader.engine, table.name, isThere, nothing)}
          ${joinsOf(table, visibility.accountId)}
        cross join devices d
        where d.device = r.device and ${isVisible(visibility)}`)),
    );
  }
  return rows;
}

/** As rows. Repeated ones would be found twice: those that pad the list are of no device. */
export function keysOf(moments: readonly DeviceMoment[]): Sql {
  const size = sizes.find((candidate) => candidate >= moments.length) ?? maxMoments;
  const padded = Array.from({ length: size }, (_, index) => moments[index] ?? { device: -1, at: 0 });
  return padded
    .map(({ device, at }) => sql`(cast(${device} as bigint), cast(${at} as bigint))`)
    .reduce((all, one) => sql`${all}, ${one}`);
}
