import { workingAt } from "../../access/sessions.ts";
import { instantOrNull } from "../../api/records/values.ts";
import { formatInstant } from "../../domain/time/time.ts";
import { openLinks } from "../../store/access/one-time-links.ts";
import { countSessions } from "../../store/access/sessions.ts";
import { assignmentsOfUsers } from "../../store/fleet/assignments.ts";
import { type PersonRow, peopleOfAccount } from "../../store/fleet/users.ts";
import type { Person } from "../both-sides/contract/people.ts";
import { needsConfirmation } from "../confirmed.ts";
import { managementOf } from "../management.ts";
import { noSuch } from "../refusals.ts";
import type { SignedInCall } from "../route.ts";

type Call = Pick<SignedInCall, "parts" | "session" | "now">;

export async function personRecord(call: Call, id: string): Promise<Person> {
  const [person] = await personRecords(call, id);
  if (person === undefined) throw noSuch("person");
  return person;
}

/** The people of the caller's account as the portal shows them to the owner; all, or the one named. */
export async function personRecords({ parts, session, now }: Call, id: string | null): Promise<Person[]> {
  const { database } = parts;
  const { accountId } = session.visibility;
  const people = await peopleOfAccount(database, accountId, id);
  const ids = people.map((person) => person.id);
  const [assigned, managed, links, sessions] = await Promise.all([
    assignmentsOfUsers(database, accountId, ids),
    managementOf(database, accountId, "user", ids),
    openLinks(database, accountId, now),
    countSessions(database, accountId, workingAt(now)),
  ]);
  const seenBy = Map.groupBy(assigned, ({ user_id }) => user_id);
  const linkOf = new Map(links.map((link) => [link.user_id, link]));
  return people.map((person) => {
    const link = linkOf.get(person.id);
    return {
      ...fieldsOf(person),
      needs_confirmation: needsConfirmation(parts, person.is_confirmed === 1),
      device_ids: (seenBy.get(person.id) ?? []).map((device) => device.id),
      sessions: sessions.get(person.id) ?? 0,
      /** The newest link that can still be used. */
      link: link === undefined ? null : { purpose: link.purpose, expires_at: formatInstant(link.expires_at) },
      ...managed(person.id),
    };
  });
}

function fieldsOf({ id, name, email, role, status, has_password, last_login_at, created_at }: PersonRow) {
  return {
    user_id: id,
    name,
    email,
    role,
    status,
    has_password: has_password === 1,
    last_login_at: instantOrNull(last_login_at),
    created_at: formatInstant(created_at),
  };
}
