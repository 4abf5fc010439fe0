import { editUser } from "../../src/fleet/edit/edit-user.ts";
import type { Database } from "../../src/store/database.ts";
import { accountByInternalId } from "../../src/store/fleet/accounts.ts";
import { assignmentsOfUsers } from "../../src/store/fleet/assignments.ts";

interface Wanted {
  readonly accountId: number;
  readonly userId: string;
  /** All that the sub-account is to see. */
  readonly deviceIds: readonly string[];
}

/** Makes a sub-account see exactly these devices, as the portal does. */
export async function assignDevices(database: Database, wanted: Wanted, now: number): Promise<void> {
  const { accountId, userId, deviceIds } = wanted;
  const { id } = await accountByInternalId(database, accountId);
  const seen = (await assignmentsOfUsers(database, accountId, [userId])).map((device) => device.id);
  const sight = { userId, begins: deviceIds, ends: seen.filter((device) => !deviceIds.includes(device)) };
  const request = {
    account: { number: accountId, id },
    by: { kind: "command" },
    isPreview: false,
    user: null,
  } as const;
  await editUser(database, { ...request, sight }, now, async () => {});
}
