import type { Reader, Transaction } from "../database.ts";
import { vehiclesDrivenWith } from "../fleet/drivers.ts";
import { growFleetRevision } from "../fleet/fleet-context.ts";
import { listOf, sql } from "../sql.ts";
import { isNotRemoved } from "../visible.ts";

/**
 * Forgets that followers were told of tags that no vehicle in the account shows any more, and that are nobody's. A tag is
 * personal data, so no removal of it is kept either. If it is ever sent again, it is new to everyone.
 */
export async function forgetUnseenTags(tx: Transaction, accountId: number): Promise<void> {
  if ((await unseenTags(tx, accountId)).length === 0) return;
  // Nobody stores frames of the account until this ends, and nodes ask again afterwards who was told of which tag.
  await growFleetRevision(tx, [accountId]);
  const tags = await unseenTags(tx, accountId);
  await tx.run(sql`
    delete from viewer_records
    where account_id = ${accountId} and type = 'driver' and driver_id in ${listOf(tags)}`);
}

/** Of the noted tags. That one was removed since it has a name now is of use as long as it has the name. */
async function unseenTags(reader: Reader, accountId: number): Promise<readonly string[]> {
  const noted = await reader.all<{ driver_id: string }>(sql`
    select distinct r.driver_id from viewer_records r
    where r.account_id = ${accountId} and r.type = 'driver' and r.driver_id is not null
      and not exists (
        select 1 from driver_tags t where t.account_id = ${accountId} and t.driver_id = r.driver_id)`);
  if (noted.length === 0) return [];
  const tags = noted.map(({ driver_id }) => driver_id);
  const seen = await vehiclesDrivenWith(reader, accountId, tags);
  const devices = listOf(new Set(seen.map(({ device }) => device)));
  const rows = await reader.all<{ device: number }>(sql`
    select d.device from devices d where d.account_id = ${accountId} and d.device in ${devices} and ${isNotRemoved}`);
  const inSight = new Set(rows.map(({ device }) => device));
  const shown = new Set(seen.filter(({ device }) => inSight.has(device)).map(({ driver_id }) => driver_id));
  return tags.filter((tag) => !shown.has(tag));
}
