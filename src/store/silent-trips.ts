import type { Reader } from "./database.ts";
import type { DeviceKey } from "./device-key.ts";
import { limitTo } from "./pages.ts";
import { nothing, sql } from "./sql.ts";

/**
 * Devices on a trip whose last position was recorded before one moment and received before another, in order, after one of
 * them.
 */
export async function devicesSilentOnTrip(
  reader: Reader,
  lastBefore: { readonly recorded: number; readonly received: number },
  after: DeviceKey | null,
  count: number,
): Promise<DeviceKey[]> {
  const { recorded, received } = lastBefore;
  const start = after === null ? nothing : sql`and (account_id, device) > (${after.accountId}, ${after.device})`;
  return reader.all(sql`
    select account_id as "accountId", device from trips
    where ended_at is null and started_at + duration_ms < ${recorded} and updated_at < ${received} ${start}
    order by account_id, device ${limitTo(count)}`);
}
