import { z } from "zod";
import { isUuid } from "../../domain/identifiers.ts";
import { assignDevices } from "../../fleet/assign-devices.ts";
import { assignmentsOfUsers } from "../../store/assignments.ts";
import { type SubAccountRow, subAccount, subAccounts } from "../../store/sub-accounts.ts";
import { readBody } from "../read-body.ts";
import { invalidFields, noSuch } from "../refusals.ts";
import type { PortalRoute, SignedInCall } from "../route.ts";

/** Far more than any account has; the page shows them all. */
const maxUsers = 10_000;

/** The owner sees all sub-accounts, a sub-account itself: as /v1/users does, with the devices of each. */
export const listPortalUsers: PortalRoute = {
  method: "GET",
  path: "/users",
  who: "signed in",
  async answer(call) {
    const { parts, session } = call;
    const users = await subAccounts(parts.database, session.visibility, { after: null, count: maxUsers });
    return { status: 200, body: { data: await withDevices(call, users) } };
  },
};

const devicesExpected = "expected a list of device ids";
const assignment = z.object({
  device_ids: z.array(
    z
      .string({ error: devicesExpected })
      .refine(isUuid, { error: devicesExpected })
      .transform((id) => id.toLowerCase()),
    { error: devicesExpected },
  ),
});

export const assignUserDevices: PortalRoute = {
  method: "PUT",
  path: "/users/{user_id}/devices",
  who: "owner",
  async answer(call) {
    const { parts, session, values, now } = call;
    const userId = (values[0] ?? "").toLowerCase();
    if (!isUuid(userId)) throw noSuch("sub-account");
    const { device_ids: deviceIds } = readBody(call, assignment);
    const { accountId } = session.visibility;
    const done = await assignDevices(parts.database, { accountId, userId, deviceIds }, now);
    if (done.outcome === "no such user") throw noSuch("sub-account");
    if (done.outcome === "no such device") {
      throw invalidFields({ device_ids: `there is no device ${done.deviceId} in this account` });
    }
    const user = await subAccount(parts.database, session.visibility, userId);
    const [data] = user === null ? [] : await withDevices(call, [user]);
    return { status: 200, body: { data } };
  },
};

async function withDevices({ parts, session }: SignedInCall, users: readonly SubAccountRow[]) {
  const ids = users.map(({ id }) => id);
  const assigned = await assignmentsOfUsers(parts.database, session.visibility.accountId, ids);
  const byUser = Map.groupBy(assigned, ({ user_id }) => user_id);
  return users.map(({ id, name, email, status }) => ({
    user_id: id,
    name,
    email,
    status,
    device_ids: (byUser.get(id) ?? []).map((device) => device.id),
  }));
}
