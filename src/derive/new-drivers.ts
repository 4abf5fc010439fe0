import { reportedDrivers, tagRecordId, type ViewerRecord } from "../store/changes/viewer-records.ts";
import { accountViewer } from "../store/changes/viewers.ts";
import type { Reader } from "../store/database.ts";
import { driverTagHolders } from "../store/fleet/drivers.ts";
import { driversOfTrip, type StoredDrivers } from "../store/trip-drivers.ts";
import type { TrackedContext } from "./context.ts";
import type { DeviceChanges } from "./device-changes.ts";

/** Which followers have not heard of a driver yet whose tag is in a vehicle that they see. */

/** Tags of vehicles whose viewers all know them: a tag comes with every frame. Each revision of the fleet begins anew. */
const knownTags = new WeakMap<TrackedContext, Set<string>>();

/** By tag: the vehicles that show it, of those where it may be new. */
export type TagSightings = ReadonlyMap<string, ReadonlySet<TrackedContext>>;

export function tagSightings(changes: readonly DeviceChanges[]): TagSightings {
  const found = new Map<string, Set<TrackedContext>>();
  for (const { tracked, latest, facts } of changes) {
    const add = (tag: string | null | undefined) => {
      if (!tag || knownTags.get(tracked)?.has(tag)) return;
      found.getOrInsertComputed(tag, () => new Set()).add(tracked);
    };
    add(latest?.driver_id);
    // A trip whose drivers have changed is saved, not continued.
    for (const { kind, row } of facts.toSave) {
      if (kind !== "trip") continue;
      for (const { driverId } of driversOfTrip(row as unknown as StoredDrivers)) add(driverId);
    }
  }
  return found;
}

export type NewDriver = Pick<ViewerRecord, "user_id" | "id" | "driver_id">;

/** A person whom the account named is nothing new to its owner. */
export async function unreportedDrivers(
  reader: Reader,
  accountId: number,
  sightings: TagSightings,
): Promise<readonly NewDriver[]> {
  if (sightings.size === 0) return [];
  const holders = await driverTagHolders(reader, accountId, sightings.keys());
  const people = new Map(holders.map(({ driver_id, id }) => [driver_id, id]));
  const concerned = Array.from(sightings, ([tag, vehicles]) => {
    const person = people.get(tag);
    const about = { id: person ?? tagRecordId(tag), driver_id: person === undefined ? tag : null };
    const users = new Set([...vehicles].flatMap(({ subAccounts }) => subAccounts));
    if (person === undefined) users.add(accountViewer);
    return { tag, vehicles, drivers: Array.from(users, (user_id): NewDriver => ({ ...about, user_id })) };
  });
  const all = concerned.flatMap(({ drivers }) => drivers);
  const users = new Set(all.map(({ user_id }) => user_id));
  const reported =
    users.size === 0
      ? new Set<string>()
      : await reportedDrivers(reader, accountId, users, new Set(all.map(({ id }) => id)));
  const isNew = ({ user_id, id }: NewDriver) => !reported.has(`${user_id} ${id}`);
  for (const { tag, vehicles, drivers } of concerned) {
    if (drivers.some(isNew)) continue;
    for (const tracked of vehicles) {
      const known = knownTags.get(tracked) ?? new Set();
      knownTags.set(tracked, known.add(tag));
    }
  }
  // Two people's tags in one transaction may be one person's.
  return [...new Map(all.filter(isNew).map((one) => [`${one.user_id} ${one.id}`, one])).values()];
}
