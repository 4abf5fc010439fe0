import { z } from "zod";
import { instantOrNull } from "../../../api/records/values.ts";
import { isImei } from "../../../domain/text/identifiers.ts";
import { formatInstant } from "../../../domain/time/time.ts";
import { assignmentsOfDevices } from "../../../store/fleet/assignments.ts";
import { type DeviceRow, visibleDevice, visibleDevices } from "../../../store/fleet/devices.ts";
import { unknownDevicesOf } from "../../../store/fleet/unknown-devices.ts";
import { answerEdit, readChangedRecord, readNewRecord } from "../../fleet-edit.ts";
import { managementOf } from "../../management.ts";
import { readId, readQuery } from "../../read-body.ts";
import { noSuch } from "../../refusals.ts";
import { oneId } from "../../request-fields.ts";
import { portalRoute, type SignedInCall } from "../../route.ts";

/** A page that takes the store a moment only: the owner's list is loaded page by page. */
const maxPerPage = 1_000;

const start = z.object({ after: oneId("expected the id of a device").optional() });

/** The owner's vehicles as the fleet file has them, in ascending id, with when each reported last. */
export const listFleetDevices = portalRoute("GET /fleet/devices", "owner", async (call) => {
  const { parts, session } = call;
  const after = readQuery(call.query, start).after ?? null;
  const page = { after, count: maxPerPage + 1, status: null, search: null };
  const rows = await visibleDevices(parts.database, session.visibility, page);
  const shown = rows.slice(0, maxPerPage);
  const next = rows.length > maxPerPage ? (shown.at(-1)?.id ?? null) : null;
  return { body: { data: await deviceRecords(call, shown), next_after: next } };
});

export const addFleetDevice = portalRoute("POST /fleet/devices", "owner", async (call) => {
  const { fields } = readNewRecord(call);
  const id = crypto.randomUUID();
  return answerEdit(call, { type: "device", id, revision: null, fields }, () => deviceRecord(call, id));
});

export const changeFleetDevice = portalRoute("PUT /fleet/devices/{device_id}", "owner", async (call) => {
  const id = readId(call, "device");
  const { revision, fields } = readChangedRecord(call);
  return answerEdit(call, { type: "device", id, revision, fields }, () => deviceRecord(call, id));
});

async function deviceRecord(call: SignedInCall, id: string) {
  const row = await visibleDevice(call.parts.database, call.session.visibility, { id });
  const [record] = row === null ? [] : await deviceRecords(call, [row]);
  if (record === undefined) throw noSuch("device");
  return record;
}

/** Each with every field of its line, so that a form has a value for each. */
async function deviceRecords({ parts, session }: SignedInCall, rows: readonly DeviceRow[]) {
  const { accountId } = session.visibility;
  const ids = rows.map(({ id }) => id);
  const numbers = rows.map(({ device }) => device);
  const [assigned, managed] = await Promise.all([
    assignmentsOfDevices(parts.database, accountId, numbers),
    managementOf(parts.database, accountId, "device", ids),
  ]);
  const byDevice = Map.groupBy(assigned, ({ device }) => device);
  return rows.map((row) => ({
    device_id: row.id,
    imei: row.imei,
    name: row.name,
    plate: row.plate,
    status: row.status,
    vin: row.vin,
    vehicle_make: row.vehicle_make,
    vehicle_model: row.vehicle_model,
    vehicle_year: row.vehicle_year,
    vehicle_type: row.vehicle_type,
    tracker_model: row.tracker_model,
    tracker_clock: row.tracker_clock,
    tracker_id: row.tracker_id,
    tracker_protocol: row.tracker_protocol,
    fuel_tank_capacity_l: row.fuel_tank_capacity_l,
    tags: JSON.parse(row.tags_json) as string[],
    external_ids: JSON.parse(row.external_ids_json) as Record<string, string>,
    user_ids: (byDevice.get(row.device) ?? []).map(({ user_id }) => user_id).sort(),
    last_seen_at: instantOrNull(row.last_seen_at),
    ...managed(row.id),
  }));
}

/** Trackers that were refused lately, because no device has their IMEI or tracker id. The newest first. */
export const listUnknownDevices = portalRoute("GET /fleet/unknown-devices", "owner", async (call) => {
  const { parts, session, now } = call;
  const seen = await unknownDevicesOf(parts.database, session.visibility.accountId, now);
  const data = seen.map(({ imei: name, protocol, firstSeenAt, lastSeenAt, count }) => ({
    imei: isImei(name) ? name : null,
    tracker_id: isImei(name) ? null : name,
    protocol,
    first_seen_at: formatInstant(firstSeenAt),
    last_seen_at: formatInstant(lastSeenAt),
    count,
  }));
  return { body: { data } };
});
