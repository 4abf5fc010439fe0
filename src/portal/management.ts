import type { Reader } from "../store/database.ts";
import { madeInPortal } from "../store/fleet/audit.ts";
import { type RevisedType, type Revision, revisionsOf } from "../store/fleet/record-revisions.ts";

/** How often a record was changed and where last, and whether it was made in the portal: then no file ever had it. */
export interface Management extends Revision {
  readonly isMadeHere: boolean;
}

export async function managementOf(
  reader: Reader,
  accountId: number,
  type: RevisedType,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, Management>> {
  const revisions = await revisionsOf(reader, accountId, type, ids);
  const ofPortal = [...revisions].flatMap(([id, { managedBy }]) => (managedBy === "portal" ? [id] : []));
  const made = await madeInPortal(reader, accountId, type, ofPortal);
  return new Map([...revisions].map(([id, revision]) => [id, { ...revision, isMadeHere: made.has(id) }]));
}
