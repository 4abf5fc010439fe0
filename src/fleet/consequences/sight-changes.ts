import type { AlertRule } from "../../domain/fleet.ts";
import { recordsInSight, type ViewerRecord } from "../../store/changes/viewer-records.ts";
import type { Transaction } from "../../store/database.ts";
import { type Assignment, assignmentsOfUsers } from "../../store/fleet/assignments.ts";
import { newestRules } from "../../store/fleet/device-rules.ts";
import { geofencesOfUsers } from "../../store/fleet/geofences.ts";

export type NoteRecord = (
  viewer: string,
  type: ViewerRecord["type"],
  id: string,
  removed?: boolean,
  driverId?: string | null,
) => void;

interface Sights {
  /** Sub-accounts that see other devices than before. */
  readonly reassigned: ReadonlySet<string>;
  /** The changed fences, each with the devices whose viewers it concerns. */
  readonly fences: ReadonlyMap<string, readonly number[]>;
  /** Who sees these devices. */
  readonly assigned: readonly Pick<Assignment, "user_id" | "device">[];
  readonly note: NoteRecord;
}

/**
 * Notes for sub-accounts which devices and fences came into their sight or left it: what they see now is compared with what
 * their change log says. A sub-account sees the fences that have one of its devices.
 */
export async function sightChanges(tx: Transaction, accountId: number, sights: Sights): Promise<void> {
  const { reassigned, fences, note } = sights;
  const concerned = concernedBy(sights);
  const nearFences = [...concerned.keys()].filter((userId) => !reassigned.has(userId));
  const users = [...reassigned, ...nearFences];
  if (users.length === 0) return;
  const assigned = Map.groupBy(await assignmentsOfUsers(tx, accountId, users), ({ user_id }) => user_id);
  const seen = Map.groupBy(
    [
      ...(await geofencesOfUsers(tx, accountId, reassigned, null)),
      ...(await geofencesOfUsers(tx, accountId, nearFences, [...fences.keys()])),
    ],
    ({ user_id }) => user_id,
  );
  const earlier = Map.groupBy(await recordsInSight(tx, accountId, users), ({ user_id }) => user_id);
  for (const userId of users) {
    const own = assigned.get(userId) ?? [];
    const before = Map.groupBy(earlier.get(userId) ?? [], ({ type }) => type);
    const knew = { devices: idsOf(before.get("device")), fences: idsOf(before.get("geofence")) };
    const fencesNow = idsOf(seen.get(userId));
    const changedFences = concerned.get(userId);
    if (reassigned.has(userId)) noteDevices(userId, idsOf(own), knew.devices, note);
    const changed: string[] = [];
    for (const id of fencesNow) {
      if (changedFences?.has(id) || !knew.fences.has(id)) note(userId, "geofence", id);
      if (!knew.fences.has(id)) changed.push(id);
    }
    for (const id of knew.fences) {
      // Of a sub-account with the same devices, only the changed fences were looked up.
      if (fencesNow.has(id) || !(reassigned.has(userId) || fences.has(id))) continue;
      note(userId, "geofence", id, true);
      changed.push(id);
    }
    for (const id of await settingsNaming(tx, accountId, own, changed)) note(userId, "alert_settings", id);
  }
}

/** The changed fences by sub-account: one that has a device out of its sight from now on looks the same to it. */
function concernedBy({ fences, assigned }: Sights): ReadonlyMap<string, ReadonlySet<string>> {
  const viewers = Map.groupBy(assigned, ({ device }) => device);
  const concerned = new Map<string, Set<string>>();
  for (const [id, devices] of fences) {
    for (const { user_id: userId } of devices.flatMap((device) => viewers.get(device) ?? [])) {
      concerned.getOrInsertComputed(userId, () => new Set()).add(id);
    }
  }
  return concerned;
}

function noteDevices(userId: string, now: ReadonlySet<string>, before: ReadonlySet<string>, note: NoteRecord): void {
  for (const id of now) {
    if (before.has(id)) continue;
    note(userId, "device", id);
    note(userId, "alert_settings", id);
  }
  for (const id of before) {
    if (now.has(id)) continue;
    note(userId, "device", id, true);
    note(userId, "alert_settings", id, true);
  }
}

/** Devices whose alert rules name one of these fences: a sub-account is shown only those that it sees. */
async function settingsNaming(
  tx: Transaction,
  accountId: number,
  devices: readonly Assignment[],
  fences: readonly string[],
): Promise<string[]> {
  if (fences.length === 0) return [];
  const settings = await newestRules(
    tx,
    accountId,
    devices.map(({ device }) => device),
  );
  const isNamed = ({ geofenceIds }: AlertRule) => geofenceIds.some((id) => fences.includes(id));
  return settings.filter(({ rules }) => rules.some(isNamed)).map(({ id }) => id);
}

function idsOf(records: readonly { readonly id: string }[] = []): Set<string> {
  return new Set(records.map(({ id }) => id));
}
