import type { Reader } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { limitTo } from "../pages.ts";
import { sql } from "../sql.ts";

/**
 * An account's devices on a trip whose last position was recorded before one moment and received before another, in order, after one of
 * them.
 */
export async function devicesSilentOnTrip(
  reader: Reader,
  accountId: number,
  lastBefore: { readonly recorded: number; readonly received: number },
  after: number,
  count: number,
): Promise<DeviceKey[]> {
  const { recorded, received } = lastBefore;
  const rows = await reader.all<{ device: number }>(sql`
    select device from trips
    where account_id = ${accountId} and device > ${after} and ended_at is null
      and started_at + duration_ms < ${recorded} and updated_at < ${received}
    order by device ${limitTo(count)}`);
  return rows.map(({ device }) => ({ accountId, device }));
}
