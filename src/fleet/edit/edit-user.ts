import type { Database, Transaction } from "../../store/database.ts";
import { assignmentsOfUsers } from "../../store/fleet/assignments.ts";
import { revisionsOf } from "../../store/fleet/record-revisions.ts";
import { fleetTransaction } from "../consequences/fleet-transaction.ts";
import { deviceLines } from "../parse/lines.ts";
import { type EditRequest, type EditResult, edit, type RecordEdit } from "./edit.ts";
import { WrongFields } from "./edited-file.ts";

/** Which devices a sub-account begins to see, and which it sees no more. The others stay as they are. */
export interface SightChange {
  readonly userId: string;
  readonly begins: readonly string[];
  readonly ends: readonly string[];
}

export interface UserEdit extends Omit<EditRequest, "changes"> {
  readonly user: RecordEdit | null;
  readonly sight: SightChange | null;
}

/**
 * Changes a user and what it sees. What it sees stands in the devices' lines, so these are edited: their revisions and the
 * audit log follow. `also` runs in the same transaction.
 */
export async function editUser<Result>(
  database: Database,
  { user, sight, ...request }: UserEdit,
  now: number,
  also: (tx: Transaction) => Promise<Result>,
): Promise<{ readonly edited: EditResult; readonly result: Result | null }> {
  return fleetTransaction(database, request.isPreview, async (tx) => {
    const ofDevices = sight === null ? [] : await sightChanges(tx, request.account.number, sight);
    const edited = await edit(tx, { ...request, changes: [...(user === null ? [] : [user]), ...ofDevices] }, now);
    return { edited, result: request.isPreview ? null : await also(tx) };
  });
}

/** Nobody else changes the fleet meanwhile, so the present revisions are the right ones. */
async function sightChanges(
  tx: Transaction,
  accountId: number,
  { userId, begins, ends }: SightChange,
): Promise<readonly RecordEdit[]> {
  const seen = new Set((await assignmentsOfUsers(tx, accountId, [userId])).map(({ id }) => id));
  const changed = new Set([...begins.filter((id) => !seen.has(id)), ...ends.filter((id) => seen.has(id))]);
  const lines = await deviceLines(tx, accountId, changed);
  const revisions = await revisionsOf(tx, accountId, "device", changed);
  const usersOf = new Map(lines.map(({ id, user_ids }) => [String(id), (user_ids ?? []) as readonly string[]]));
  return Array.from(changed, (id): RecordEdit => {
    const users = usersOf.get(id);
    if (users === undefined) throw new WrongFields({ device_ids: `there is no vehicle ${id} in this account` });
    const others = users.filter((other) => other !== userId);
    const user_ids = seen.has(id) ? others : [...others, userId];
    return { type: "device", id, revision: revisions.get(id)?.revision ?? 1, fields: { user_ids } };
  });
}
