import { type PersonRow, peopleOfAccount } from "../../../store/fleet/users.ts";
import { readId } from "../../read-body.ts";
import { forbidden, noSuch } from "../../refusals.ts";
import type { SignedInCall } from "../../route.ts";

/** The person of the caller's account whom the address names. */
export async function personOf({ parts, session, values }: SignedInCall): Promise<PersonRow> {
  const id = readId({ values }, "person");
  const [person] = await peopleOfAccount(parts.database, session.visibility.accountId, id);
  if (person === undefined) throw noSuch("person");
  return person;
}

/** The owner sees every vehicle, and is there as long as the account. */
export function requireSubAccount(person: PersonRow): PersonRow {
  if (person.role === "owner") throw forbidden("this can only be done to a sub-account");
  return person;
}
