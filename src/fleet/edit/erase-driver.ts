import { Failure } from "../../domain/errors.ts";
import type { Database } from "../../store/database.ts";
import { noteErased } from "../../store/erase/notes.ts";
import { forgetUnseenTags } from "../../store/erase/unseen-tags.ts";
import { addAuditEntries } from "../../store/fleet/audit.ts";
import { deleteDriver, driverIdsIn, driversOfAccount } from "../../store/fleet/drivers.ts";
import { bumpRevisions } from "../../store/fleet/record-revisions.ts";
import { removePlansOfDriver } from "../../store/notifications/planned-reports.ts";
import { noteDrivers, showOtherDriver } from "../apply/apply-drivers.ts";
import { Consequences } from "../consequences/consequences.ts";
import type { Effect } from "../consequences/effect-types.ts";
import { fleetTransaction } from "../consequences/fleet-transaction.ts";
import { effectOf } from "./effect.ts";
import type { Removal } from "./remove-device.ts";
import { unlessChanged } from "./stored-records.ts";

/**
 * Erases who a driver is. A name is all that is stored of them, so there is nothing to keep hidden. The ids that trackers sent
 * stay with their frames and trips, and are nobody's.
 */
export function eraseDriver(database: Database, removal: Omit<Removal, "history">, now: number): Promise<Effect> {
  const { accountId, id, by } = removal;
  return fleetTransaction(database, removal.isPreview, async (tx) => {
    const [driver] = await driversOfAccount(tx, accountId, [id]);
    if (driver === undefined) throw new Failure("NOT_FOUND", "there is no such driver");
    await unlessChanged(tx, accountId, { type: "driver", id }, removal.revision);
    await removal.before?.(tx);
    const consequences = new Consequences();
    await showOtherDriver(tx, consequences, accountId, driverIdsIn(driver));
    await noteDrivers(tx, consequences, accountId, { old: [driver], rows: [] });
    const effect = await effectOf(tx, consequences, []);
    await deleteDriver(tx, accountId, id);
    await forgetUnseenTags(tx, accountId);
    await removePlansOfDriver(tx, accountId, driver.name);
    await bumpRevisions(tx, accountId, "driver", [id], "portal");
    await addAuditEntries(tx, accountId, [{ by, action: "driver.erased", id }], now);
    await noteErased(tx, "driver", id);
    await consequences.write(tx, by, now);
    return effect;
  });
}
