import type { ListedPersonRow } from "../store/fleet/users.ts";
import type { MailablePerson } from "./both-sides/contract/notifications.ts";
import type { PortalDeps } from "./route.ts";

type MailDeps = Pick<PortalDeps, "mail" | "publicUrl">;

/** Whether a person must confirm their address before anything is mailed to it. Where nothing is mailed, there is nothing to confirm. */
export function needsConfirmation({ mail, publicUrl }: MailDeps, isConfirmed: boolean): boolean {
  return mail !== null && publicUrl !== null && !isConfirmed;
}

/** Not those who are disabled. */
export function mailablePeople(
  parts: MailDeps,
  people: readonly ListedPersonRow[],
  unsubscribed: ReadonlySet<string>,
): MailablePerson[] {
  return people
    .filter(({ status }) => status === "active")
    .map(({ id, name, is_confirmed }) => ({
      user_id: id,
      name,
      needs_confirmation: needsConfirmation(parts, is_confirmed === 1),
      is_unsubscribed: unsubscribed.has(id),
    }));
}
