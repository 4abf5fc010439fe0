import { z } from "zod";
import { instantOrNull } from "../../../api/records/values.ts";
import { formatInstant } from "../../../domain/time/time.ts";
import type { Effect } from "../../../fleet/consequences/effect-types.ts";
import {
  eraseRemovedDevice,
  type HistoryChoice,
  removeDevice,
  restoreDevice,
} from "../../../fleet/edit/remove-device.ts";
import { eraseRemovedUser, removeUser } from "../../../fleet/edit/remove-user.ts";
import { namesOfWorkingKeys } from "../../../store/access/api-keys.ts";
import { storedOfDevice } from "../../../store/facts/fact-counts.ts";
import { removableDevice, removedDevices, removedUsers } from "../../../store/fleet/removed.ts";
import { takenNames } from "../../../store/fleet/tracker-names.ts";
import type { RemovalRequest } from "../../both-sides/contract/envelopes.ts";
import { actorOf, asRefusals, isPreview } from "../../fleet-edit.ts";
import { readCheckedBody, readId } from "../../read-body.ts";
import { seenRevision } from "../../request-fields.ts";
import { portalRoute, type SignedInCall } from "../../route.ts";

/** What was removed: kept and hidden, put back, or erased. */

const removal = z.object({
  revision: seenRevision,
  history: z.enum(["keep", "erase"] satisfies HistoryChoice[], { error: 'expected "keep" or "erase"' }),
});

/** The record that the path names, of the caller's own account. */
function named(call: SignedInCall, noun: string) {
  return { accountId: call.session.visibility.accountId, id: readId(call, noun), by: actorOf(call) };
}

function removalOf(call: SignedInCall<RemovalRequest>, noun: string) {
  return { ...named(call, noun), ...readCheckedBody(call, removal), isPreview: isPreview(call) };
}

export const removeFleetDevice = portalRoute("POST /fleet/devices/{device_id}/remove", "owner", async (call) => {
  const wanted = removalOf(call, "vehicle");
  const { database } = call.parts;
  const stored = wanted.isPreview ? await storedOf(call, wanted) : null;
  const effect = await asRefusals(() => removeDevice(database, wanted, call.now));
  if (wanted.isPreview) return { body: { data: { effect, stored } } };
  return removed(wanted, effect);
});

function removed({ id, history }: { readonly id: string; readonly history: HistoryChoice }, effect: Effect) {
  return { body: { data: { id, history }, effect } };
}

/** What would be lost. */
async function storedOf({ parts }: SignedInCall, { accountId, id }: { accountId: number; id: string }) {
  const device = await removableDevice(parts.database, accountId, id);
  if (device === null) return null;
  const { first_at, last_at, ...counts } = await storedOfDevice(parts.database, { accountId, device: device.device });
  return { ...counts, from: instantOrNull(first_at), to: instantOrNull(last_at) };
}

/** Those that are kept, and the ids of those that are being erased in the background. */
export const listRemovedDevices = portalRoute("GET /fleet/removed-devices", "owner", async ({ parts, session }) => {
  const { accountId } = session.visibility;
  const rows = await removedDevices(parts.database, accountId);
  const [kept = [], erasing = []] = [false, true].map((isErasing) =>
    rows.filter(({ erasing_at }) => (erasing_at !== null) === isErasing),
  );
  const wanted = kept.map((row) => ({ ...row, imei: row.removed_imei ?? "" }));
  const taken = await takenNames(parts.database, wanted);
  const data = wanted.map((row) => {
    const other = taken.get(row);
    return {
      device_id: row.id,
      name: row.name,
      plate: row.plate,
      imei: row.imei,
      removed_at: formatInstant(row.removed_at),
      taken: other === undefined ? null : { field: other.name, value: other.value },
      // By a vehicle of another account, which its owner cannot change.
      is_taken_elsewhere: other !== undefined && other.holder.account_id !== accountId,
    };
  });
  return { body: { data, being_erased: erasing.map(({ id }) => id) } };
});

export const restoreRemovedDevice = portalRoute(
  "POST /fleet/removed-devices/{device_id}/restore",
  "owner",
  async (call) => {
    const wanted = named(call, "removed vehicle");
    await restoreDevice(call.parts.database, wanted, call.now);
    return { body: { data: { device_id: wanted.id } } };
  },
);

/** The ingest side of some node erases it, step by step; until then the list says so. */
export const eraseRemoved = portalRoute("POST /fleet/removed-devices/{device_id}/erase", "owner", async (call) => {
  const wanted = named(call, "removed vehicle");
  await eraseRemovedDevice(call.parts.database, wanted, call.now);
  return { status: 202, body: { data: { device_id: wanted.id } } };
});

export const removeFleetUser = portalRoute("POST /fleet/users/{user_id}/remove", "owner", async (call) => {
  const wanted = removalOf(call, "user");
  const { database } = call.parts;
  const effect = await asRefusals(() => removeUser(database, wanted, call.now));
  if (wanted.isPreview) {
    const keys = await namesOfWorkingKeys(database, { account_id: wanted.accountId, user_id: wanted.id }, call.now);
    return { body: { data: { effect, keys } } };
  }
  call.parts.api.forgetKeys();
  return removed(wanted, effect);
});

export const listRemovedUsers = portalRoute("GET /fleet/removed-users", "owner", async ({ parts, session }) => {
  const rows = await removedUsers(parts.database, session.visibility.accountId);
  const data = rows.map(({ id, name, email, removed_at }) => ({
    user_id: id,
    name,
    email,
    removed_at: formatInstant(removed_at),
  }));
  return { body: { data } };
});

export const eraseRemovedFleetUser = portalRoute("POST /fleet/removed-users/{user_id}/erase", "owner", async (call) => {
  const wanted = named(call, "removed user");
  await eraseRemovedUser(call.parts.database, wanted, call.now);
  return { body: { data: { user_id: wanted.id } } };
});
