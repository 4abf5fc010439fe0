import type { Actor } from "../../domain/audit.ts";
import type { Transaction } from "../../store/database.ts";
import { forgetDeviceRecord, markErasing } from "../../store/erase/device-mark.ts";
import { addAuditEntries } from "../../store/fleet/audit.ts";
import type { RemovableDevice } from "../../store/fleet/removed.ts";
import { sql } from "../../store/sql.ts";

/** Marks a device that nobody sees any more: it cannot be put back. The audit log says so from now on. */
export async function markDevice(
  tx: Transaction,
  { account_id: accountId, device, id, imei, removed_imei }: RemovableDevice,
  by: Actor,
  now: number,
): Promise<void> {
  await markErasing(tx, accountId, sql`and device = ${device}`, now);
  await forgetDeviceRecord(tx, accountId, { id, imei: removed_imei ?? imei });
  await addAuditEntries(tx, accountId, [{ by, action: "device.erased", id }], now);
}
