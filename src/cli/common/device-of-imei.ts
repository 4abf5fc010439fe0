import { Failure } from "../../domain/errors.ts";
import type { Reader } from "../../store/database.ts";
import type { DeviceKey } from "../../store/device-key.ts";
import { directoryByImei } from "../../store/fleet/device-writes.ts";

export async function deviceOfImei(reader: Reader, imei: string): Promise<DeviceKey> {
  const [entry] = await directoryByImei(reader, [imei]);
  if (!entry) throw new Failure("NOT_FOUND", `there is no device with the IMEI ${imei}`);
  return { accountId: entry.account_id, device: entry.device };
}
