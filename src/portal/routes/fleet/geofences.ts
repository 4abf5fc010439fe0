import { z } from "zod";
import { isUuid } from "../../../domain/identifiers.ts";
import { formatInstant } from "../../../domain/time.ts";
import { fromTheBeginning } from "../../../domain/versions.ts";
import type { Effect } from "../../../fleet/effect-types.ts";
import { type FenceRequest, removeGeofence, restoreGeofence } from "../../../fleet/remove-geofence.ts";
import {
  devicesOfVersion,
  type ManagedGeofenceRow,
  managedGeofences,
  settingsNamingFence,
  type VersionInList,
  versionsOfGeofence,
} from "../../../store/geofence-list.ts";
import { actorOf, answerEdit, asRefusals, isPreview, readChangedRecord, readNewRecord } from "../../fleet-edit.ts";
import { type Management, managementOf } from "../../management.ts";
import { readBody } from "../../read-body.ts";
import { noSuch } from "../../refusals.ts";
import type { PortalAnswer, PortalRoute, SignedInCall } from "../../route.ts";

/** All fences, or with `?removed=true` those that were removed. */
export const listGeofences: PortalRoute = {
  method: "GET",
  path: "/fleet/geofences",
  who: "owner",
  async answer({ parts, session, query }) {
    const { accountId } = session.visibility;
    const removed = new URLSearchParams(query).get("removed") === "true";
    const rows = await managedGeofences(parts.database, accountId, { removed });
    const ids = rows.map(({ id }) => id);
    const revisions = await managementOf(parts.database, accountId, "geofence", ids);
    return { status: 200, body: { data: rows.map((row) => record(row, revisions.get(row.id))) } };
  },
};

/** One fence with its vehicles, its versions, and the rules that name it. */
export const showGeofence: PortalRoute = {
  method: "GET",
  path: "/fleet/geofences/{geofence_id}",
  who: "owner",
  async answer(call) {
    return { status: 200, body: { data: await details(call, idOf(call)) } };
  },
};

export const addGeofence: PortalRoute = {
  method: "POST",
  path: "/fleet/geofences",
  who: "owner",
  async answer(call) {
    const { fields } = readNewRecord(call);
    const id = crypto.randomUUID();
    return answerEdit(call, { type: "geofence", id, revision: null, fields }, () => details(call, id));
  },
};

export const changeGeofence: PortalRoute = {
  method: "PUT",
  path: "/fleet/geofences/{geofence_id}",
  who: "owner",
  async answer(call) {
    const id = idOf(call);
    const { revision, fields } = readChangedRecord(call);
    return answerEdit(call, { type: "geofence", id, revision, fields }, () => details(call, id));
  },
};

/** What was removed can be put back. */
export const removePortalGeofence: PortalRoute = {
  method: "POST",
  path: "/fleet/geofences/{geofence_id}/remove",
  who: "owner",
  answer: (call) => hideOrShow(call, removeGeofence),
};

export const restorePortalGeofence: PortalRoute = {
  method: "POST",
  path: "/fleet/geofences/{geofence_id}/restore",
  who: "owner",
  answer: (call) => hideOrShow(call, restoreGeofence),
};

const seen = z.object({ revision: z.int({ error: "expected the revision that you have seen" }) });

async function hideOrShow(call: SignedInCall, work: typeof removeGeofence): Promise<PortalAnswer> {
  const { parts, session, now } = call;
  const id = idOf(call);
  const { revision } = readBody(call, seen);
  const { accountId } = session.visibility;
  const request: FenceRequest = { accountId, id, revision, by: actorOf(call), isPreview: isPreview(call) };
  const effect: Effect = await asRefusals(() => work(parts.database, request, now));
  if (request.isPreview) return { status: 200, body: { data: { effect } } };
  return { status: 200, body: { data: await details(call, id), effect } };
}

function idOf({ values }: SignedInCall): string {
  const id = (values[0] ?? "").toLowerCase();
  if (!isUuid(id)) throw noSuch("geofence");
  return id;
}

async function details({ parts: { database }, session }: SignedInCall, id: string) {
  const { accountId } = session.visibility;
  const [row] = await managedGeofences(database, accountId, { id });
  if (row === undefined) throw noSuch("geofence");
  const versions = await versionsOfGeofence(database, accountId, id);
  const shown = versions.findLast(({ valid_from }) => row.removed_at === null || valid_from < row.removed_at);
  return {
    ...record(row, (await managementOf(database, accountId, "geofence", [id])).get(id)),
    device_ids: await devicesOfVersion(database, accountId, id, shown?.valid_from ?? row.valid_from),
    versions: versions.map(version),
    rules: await settingsNamingFence(database, accountId, id),
  };
}

function record(row: ManagedGeofenceRow, revision: Management | undefined) {
  const { id, name, description, color, updated_at, removed_at, device_count } = row;
  return {
    geofence_id: id,
    name,
    description,
    color,
    ...shapeOf(row),
    device_count,
    updated_at: formatInstant(updated_at),
    removed_at: removed_at === null ? null : formatInstant(removed_at),
    revision: revision?.revision ?? 1,
    managed_by: revision?.managedBy ?? "file",
    is_made_here: revision?.isMadeHere ?? false,
  };
}

function version(row: VersionInList) {
  const { valid_from, device_count } = row;
  const from = valid_from === fromTheBeginning ? null : formatInstant(valid_from);
  return { valid_from: from, ...shapeOf(row), device_count };
}

function shapeOf({ shape, geometry_json, radius_m, width_m }: VersionInList) {
  return { shape, geometry: JSON.parse(geometry_json), radius_m, width_m };
}
