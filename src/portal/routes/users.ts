import { assignmentsOfUsers } from "../../store/fleet/assignments.ts";
import { type SubAccountRow, subAccounts } from "../../store/fleet/users.ts";
import { portalRoute, type SignedInCall } from "../route.ts";

/** Far more than any account has; the page shows them all. */
const maxUsers = 10_000;

/** The owner sees all sub-accounts, a sub-account itself: as /v1/users does, with the devices of each. */
export const listPortalUsers = portalRoute("GET /users", "signed in", async (call) => {
  const { parts, session } = call;
  const users = await subAccounts(parts.database, session.visibility, { after: null, count: maxUsers });
  return { body: { data: await withDevices(call, users) } };
});

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
