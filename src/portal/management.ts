import type { Reader } from "../store/database.ts";
import { madeInPortal } from "../store/fleet/audit.ts";
import { type RevisedType, revisionsOf } from "../store/fleet/record-revisions.ts";
import type { Managed } from "./both-sides/contract/envelopes.ts";

/** How often a record was changed and where last, and whether it was made in the portal: then no file ever had it. */
export async function managementOf(
  reader: Reader,
  accountId: number,
  type: RevisedType,
  ids: Iterable<string>,
): Promise<(id: string) => Managed> {
  const revisions = await revisionsOf(reader, accountId, type, ids);
  const ofPortal = [...revisions].flatMap(([id, { managedBy }]) => (managedBy === "portal" ? [id] : []));
  const made = await madeInPortal(reader, accountId, type, ofPortal);
  return (id) => {
    const { revision = 1, managedBy = "file" } = revisions.get(id) ?? {};
    return { revision, managed_by: managedBy, is_made_here: made.has(id) };
  };
}
