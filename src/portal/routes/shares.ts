import { z } from "zod";
import {
  makeShare,
  maxSharedVehicles,
  maxShareMs,
  maxSharePeriodMs,
  revokeShare,
  shareAddress,
} from "../../access/share-links.ts";
import { instantOrNull } from "../../api/records/values.ts";
import { dayMs, formatInstant, parseInstant } from "../../domain/time/time.ts";
import type { UserVisibility } from "../../domain/visibility.ts";
import { devicesOf, type ListedShareRow, visibleShares } from "../../store/access/share-links.ts";
import { deviceIdentity } from "../../store/fleet/devices.ts";
import { type SharedVehicleRow, vehiclesInSight } from "../../store/fleet/vehicles-in-sight.ts";
import type { MadeShare, ShareRecord } from "../both-sides/contract/shares.ts";
import { originOf } from "../client.ts";
import { actorOf } from "../fleet-edit.ts";
import { readCheckedBody, readId } from "../read-body.ts";
import { noSuch } from "../refusals.ts";
import { keyName, uuidList } from "../request-fields.ts";
import { portalRoute, type SignedInCall } from "../route.ts";
import { sharedPeriod } from "../sharing/shared-view.ts";

/** The owner sees all links of the account, others their own. */
export const listShares = portalRoute("GET /shares", "signed in", async (call) => ({
  body: { data: await shareRecords(call, await visibleShares(call.parts.database, call.session.visibility)) },
}));

/** The only answer that holds the link itself. */
export const createShare = portalRoute("POST /shares", "signed in", async (call) => {
  const { parts, session, request, now } = call;
  const { name, device_ids, label, live, from, to, until } = readCheckedBody(call, newShare(now));
  const devices = await sharedDevices(call, device_ids);
  const period = from === null || to === null ? null : { fromMs: from, toMs: to };
  const wanted = { maker: session.visibility, name, label, devices, isLive: live, period, expiresAt: until };
  const { id, secret } = await makeShare(parts.database, wanted, now);
  const data = await shareWithId(call, id);
  const body: MadeShare = { data, url: shareAddress(parts.publicUrl ?? originOf(request), secret) };
  return { status: 201, body };
});

export const revokePortalShare = portalRoute("POST /shares/{share_id}/revoke", "signed in", async (call) => {
  const { parts, session, now } = call;
  const id = readId(call, "link");
  const [row] = await visibleShares(parts.database, session.visibility, id);
  if (row === undefined) throw noSuch("link");
  await revokeShare(parts.database, row, actorOf(call), now);
  return { body: { data: await shareWithId(call, id) } };
});

/** Nobody shares what they do not see. */
async function sharedDevices({ parts, session }: SignedInCall, ids: readonly string[]) {
  const devices = [];
  for (const id of new Set(ids)) {
    const device = await deviceIdentity(parts.database, session.visibility, { id });
    if (device === null) throw noSuch("vehicle");
    devices.push(device);
  }
  return devices;
}

async function shareWithId(call: SignedInCall, id: string): Promise<ShareRecord> {
  const [record] = await shareRecords(call, await visibleShares(call.parts.database, call.session.visibility, id));
  if (record === undefined) throw noSuch("link");
  return record;
}

/** With what the vehicles are called now, as far as the reader sees them. */
async function shareRecords(
  { parts, session, now }: SignedInCall,
  rows: readonly ListedShareRow[],
): Promise<ShareRecord[]> {
  const devices = new Set(rows.flatMap((row) => devicesOf(row).filter((device) => device !== null)));
  const visibility: UserVisibility = session.visibility;
  const seen = await vehiclesInSight(parts.database, visibility, devices);
  const vehicles = new Map(seen.map((vehicle) => [vehicle.device, vehicle]));
  return rows.map((row) => shareRecord(row, vehicles, now));
}

function shareRecord(row: ListedShareRow, vehicles: ReadonlyMap<number, SharedVehicleRow>, now: number): ShareRecord {
  return {
    share_id: row.id,
    name: row.name,
    label: row.label,
    maker: { user_id: row.user_id, name: row.user_name },
    vehicles: devicesOf(row).flatMap((device) => {
      const vehicle = device === null ? undefined : vehicles.get(device);
      return vehicle === undefined ? [] : [{ device_id: vehicle.id, name: vehicle.name, plate: vehicle.plate }];
    }),
    live: Boolean(row.is_live),
    period: sharedPeriod(row),
    created_at: formatInstant(row.created_at),
    until: formatInstant(row.expires_at),
    last_opened_at: instantOrNull(row.last_opened_at),
    ended_at: instantOrNull(row.ended_at),
    state: row.end_reason ?? (row.expires_at <= now ? "expired" : "open"),
  };
}

const moment = z
  .string({ error: "expected a time" })
  .transform((text) => parseInstant(text))
  .refine((at) => at !== null, { error: "expected a time" });

function newShare(now: number) {
  const untilExpected = `expected a time in the future, at most ${maxShareMs / dayMs} days from now`;
  const vehiclesExpected = `expected 1 to ${maxSharedVehicles} vehicles`;
  const periodExpected = `expected a time after the beginning, at most ${maxSharePeriodMs / dayMs} days later`;
  return z
    .object({
      name: keyName,
      device_ids: uuidList(maxSharedVehicles, vehiclesExpected).refine((ids) => ids.length > 0, {
        error: vehiclesExpected,
      }),
      label: z.enum(["name", "plate"], { error: "expected name or plate" }).default("name"),
      live: z.boolean({ error: "expected true or false" }).default(true),
      from: moment.nullish().transform((at) => at ?? null),
      to: moment.nullish().transform((at) => at ?? null),
      until: moment
        .transform((at) => at ?? 0)
        .refine((at) => at > now && at <= now + maxShareMs, { error: untilExpected }),
    })
    .superRefine(({ live, from, to }, { addIssue }) => {
      const isPeriod = from !== null && to !== null;
      if (from === null && to === null) {
        if (!live) addIssue({ code: "custom", path: ["live"], message: "expected live, a period, or both" });
      } else if (from === null)
        addIssue({ code: "custom", path: ["from"], message: "expected the beginning of the period" });
      else if (!isPeriod || to <= from || to - from > maxSharePeriodMs) {
        addIssue({ code: "custom", path: ["to"], message: periodExpected });
      }
    });
}
