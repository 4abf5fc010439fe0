import type { Reader } from "../database.ts";
import { type RemovableDevice, removableColumns } from "../removed-devices.ts";
import { type RemovableUser, removableUserColumns } from "../removed-users.ts";
import { sql } from "../sql.ts";

/** What somebody at the server's command line may mean: of any account, removed or not. */

export async function devicesNamed(
  reader: Reader,
  name: { id: string } | { imei: string },
): Promise<RemovableDevice[]> {
  if ("id" in name) {
    return reader.all(sql`
      select ${removableColumns} from devices d
      where d.device = (select e.device from device_directory e where e.id = ${name.id})
        and d.account_id = (select e.account_id from device_directory e where e.id = ${name.id})`);
  }
  const live = await reader.all<RemovableDevice>(sql`
    select ${removableColumns} from device_directory e join devices d on d.account_id = e.account_id and d.device = e.device
    where e.imei = ${name.imei}`);
  if (live.length > 0) return live;
  return reader.all(
    sql`select ${removableColumns} from devices d where d.removed_imei = ${name.imei} order by d.removed_at`,
  );
}

export async function usersNamed(
  reader: Reader,
  name: { id: string } | { email: string; emailKey: string },
): Promise<RemovableUser[]> {
  if ("id" in name) return reader.all(sql`select ${removableUserColumns} from users where id = ${name.id}`);
  const live = await reader.all<RemovableUser>(
    sql`select ${removableUserColumns} from users where email_key = ${name.emailKey}`,
  );
  if (live.length > 0) return live;
  return reader.all(sql`
    select ${removableUserColumns} from users where removed_at is not null and lower(removed_email) = ${name.emailKey}`);
}
