import { z } from "zod";
import { deviceStatuses } from "../../../domain/fleet.ts";
import { isUuid } from "../../../domain/text/identifiers.ts";
import type { RecordEdit } from "../../../fleet/edit/edit.ts";
import { deviceLines, type Line } from "../../../fleet/parse/lines.ts";
import { isPreview, makeEdit } from "../../fleet-edit.ts";
import { readCheckedBody } from "../../read-body.ts";
import { noSuch } from "../../refusals.ts";
import { tagList, uuidList } from "../../request-fields.ts";
import { portalRoute } from "../../route.ts";

/** More would take longer than a person waits. */
const maxAtOnce = 1_000;

const devicesExpected = `expected 1 to ${maxAtOnce} devices, each with its device_id and the revision that you have seen`;
/** Each of the devices may get each of them. */
const maxUsers = 200;
const ids = uuidList(maxUsers, `expected a list of at most ${maxUsers} ids of sub-accounts`);
/** A device has no more. */
const maxTags = 50;
const tags = tagList(maxTags, `expected a list of at most ${maxTags} tags`).default([]);

interface SeenDevice {
  readonly device_id: string;
  readonly revision: number;
}

const body = z.object({
  devices: z
    .array(z.custom<SeenDevice>(isSeenDevice, { error: devicesExpected }), { error: devicesExpected })
    .min(1, { error: devicesExpected })
    .max(maxAtOnce, { error: devicesExpected }),
  status: z.enum(deviceStatuses, { error: `expected one of ${deviceStatuses.join(", ")}` }).optional(),
  add_tags: tags,
  remove_tags: tags,
  add_user_ids: ids,
  remove_user_ids: ids,
});

type Wanted = z.output<typeof body>;

/** Changes several devices in the same way: all of them or none. */
export const changeFleetDevices = portalRoute("POST /fleet/devices/change", "owner", async (call) => {
  const wanted = readCheckedBody(call, body);
  const { accountId } = call.session.visibility;
  const revisions = new Map(wanted.devices.map(({ device_id, revision }) => [device_id.toLowerCase(), revision]));
  // Read before the edit, which refuses every device that was changed since the person saw it.
  const lines = await deviceLines(call.parts.database, accountId, revisions.keys());
  if (lines.length < revisions.size) throw noSuch("device");
  const changes = lines.flatMap((line): RecordEdit[] => {
    const id = String(line.id);
    const fields = differing(line, wanted);
    return fields === null ? [] : [{ type: "device", id, revision: revisions.get(id) ?? 0, fields }];
  });
  const { effect } = await makeEdit(call, changes);
  const changed = changes.length;
  if (isPreview(call)) return { body: { data: { effect, changed } } };
  return { body: { data: { changed }, effect } };
});

function isSeenDevice(value: unknown): boolean {
  const { device_id, revision } = (value ?? {}) as Partial<SeenDevice>;
  return typeof device_id === "string" && isUuid(device_id) && Number.isSafeInteger(revision);
}

/** Null if the device is as wanted already. */
function differing(line: Line, wanted: Wanted): Record<string, unknown> | null {
  const fields: Record<string, unknown> = {};
  if (wanted.status !== undefined && wanted.status !== line.status) fields.status = wanted.status;
  const tags = changedList(line.tags, wanted.add_tags, wanted.remove_tags);
  if (tags !== null) fields.tags = tags;
  const users = changedList(line.user_ids, wanted.add_user_ids, wanted.remove_user_ids);
  if (users !== null) fields.user_ids = users;
  return Object.keys(fields).length === 0 ? null : fields;
}

function changedList(stored: unknown, added: readonly string[], removed: readonly string[]): readonly string[] | null {
  const before = new Set(Array.isArray(stored) ? (stored as string[]) : []);
  const after = new Set([...before, ...added]).difference(new Set(removed));
  const isSame = after.size === before.size && [...after].every((item) => before.has(item));
  return isSame ? null : [...after];
}
