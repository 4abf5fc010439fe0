import { z } from "zod";
import { instantOrNull } from "../../../api/records/values.ts";
import { formatInstant } from "../../../domain/time/time.ts";
import { fromTheBeginning } from "../../../domain/versions.ts";
import type { Effect } from "../../../fleet/consequences/effect-types.ts";
import { type FenceRequest, removeGeofence, restoreGeofence } from "../../../fleet/edit/remove-geofence.ts";
import {
  devicesOfVersion,
  type ManagedGeofenceRow,
  managedGeofences,
  settingsNamingFence,
  type VersionInList,
  versionsOfGeofence,
} from "../../../store/fleet/geofence-list.ts";
import type { Edited, EditPreview, Managed, SeenRevision } from "../../both-sides/contract/envelopes.ts";
import type { FenceDetails } from "../../both-sides/contract/fences.ts";
import { actorOf, answerEdit, asRefusals, isPreview, readChangedRecord, readNewRecord } from "../../fleet-edit.ts";
import { managementOf } from "../../management.ts";
import { readCheckedBody, readId } from "../../read-body.ts";
import { noSuch } from "../../refusals.ts";
import { seenRevision } from "../../request-fields.ts";
import { type PortalAnswer, portalRoute, type SignedInCall } from "../../route.ts";

/** All fences, or with `?removed=true` those that were removed. */
export const listFleetGeofences = portalRoute("GET /fleet/geofences", "owner", async ({ parts, session, query }) => {
  const { accountId } = session.visibility;
  const removed = new URLSearchParams(query).get("removed") === "true";
  const rows = await managedGeofences(parts.database, accountId, { removed });
  const ids = rows.map(({ id }) => id);
  const managed = await managementOf(parts.database, accountId, "geofence", ids);
  return { body: { data: rows.map((row) => record(row, managed(row.id))) } };
});

/** One fence with its vehicles, its versions, and the rules that name it. */
export const showGeofence = portalRoute("GET /fleet/geofences/{geofence_id}", "owner", async (call) => {
  return { body: { data: await details(call, readId(call, "geofence")) } };
});

export const addGeofence = portalRoute("POST /fleet/geofences", "owner", async (call) => {
  const { fields } = readNewRecord(call);
  const id = crypto.randomUUID();
  return answerEdit(call, { type: "geofence", id, revision: null, fields }, () => details(call, id));
});

export const changeGeofence = portalRoute("PUT /fleet/geofences/{geofence_id}", "owner", async (call) => {
  const id = readId(call, "geofence");
  const { revision, fields } = readChangedRecord(call);
  return answerEdit(call, { type: "geofence", id, revision, fields }, () => details(call, id));
});

/** What was removed can be put back. */
export const removePortalGeofence = portalRoute("POST /fleet/geofences/{geofence_id}/remove", "owner", (call) =>
  hideOrShow(call, removeGeofence),
);

export const restorePortalGeofence = portalRoute("POST /fleet/geofences/{geofence_id}/restore", "owner", (call) =>
  hideOrShow(call, restoreGeofence),
);

async function hideOrShow(
  call: SignedInCall<SeenRevision>,
  work: typeof removeGeofence,
): Promise<PortalAnswer<Edited<FenceDetails> | EditPreview>> {
  const { parts, session, now } = call;
  const id = readId(call, "geofence");
  const { revision } = readCheckedBody(call, z.object({ revision: seenRevision }));
  const { accountId } = session.visibility;
  const request: FenceRequest = { accountId, id, revision, by: actorOf(call), isPreview: isPreview(call) };
  const effect: Effect = await asRefusals(() => work(parts.database, request, now));
  if (request.isPreview) return { body: { data: { effect } } };
  return { body: { data: await details(call, id), effect } };
}

async function details({ parts: { database }, session }: SignedInCall, id: string): Promise<FenceDetails> {
  const { accountId } = session.visibility;
  const [row] = await managedGeofences(database, accountId, { id });
  if (row === undefined) throw noSuch("geofence");
  const versions = await versionsOfGeofence(database, accountId, id);
  const shown = versions.findLast(({ valid_from }) => row.removed_at === null || valid_from < row.removed_at);
  return {
    ...record(row, (await managementOf(database, accountId, "geofence", [id]))(id)),
    device_ids: await devicesOfVersion(database, accountId, id, shown?.valid_from ?? row.valid_from),
    versions: versions.map(version),
    rules: await settingsNamingFence(database, accountId, id),
  };
}

function record(row: ManagedGeofenceRow, managed: Managed) {
  const { id, name, description, color, updated_at, removed_at, device_count } = row;
  return {
    geofence_id: id,
    name,
    description,
    color,
    ...shapeOf(row),
    device_count,
    updated_at: formatInstant(updated_at),
    removed_at: instantOrNull(removed_at),
    ...managed,
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
