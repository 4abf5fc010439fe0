import { z } from "zod";
import { createPasswordLink } from "../../../access/password-links.ts";
import { workingAt } from "../../../access/sessions.ts";
import { instantOrNull } from "../../../api/records/values.ts";
import { emailKeys, isPlainEmail, isSameEmail, normalEmail } from "../../../domain/text/email.ts";
import { formatInstant } from "../../../domain/time/time.ts";
import type { EditResult, RecordEdit } from "../../../fleet/edit/edit.ts";
import { editUser, type SightChange } from "../../../fleet/edit/edit-user.ts";
import { DoesNotFit } from "../../../fleet/parse/reference.ts";
import { openLinks } from "../../../store/access/one-time-links.ts";
import { countSessions } from "../../../store/access/sessions.ts";
import { linkedUser } from "../../../store/access/sign-ins.ts";
import type { Transaction } from "../../../store/database.ts";
import { assignmentsOfUsers } from "../../../store/fleet/assignments.ts";
import { type ListedPersonRow, peopleOfAccount, usersByEmail } from "../../../store/fleet/users.ts";
import type { Person } from "../../both-sides/contract/people.ts";
import { needsConfirmation } from "../../confirmed.ts";
import { actorOf, asRefusals, isPreview, readChangedRecord, readNewRecord } from "../../fleet-edit.ts";
import { emailChangedLetter } from "../../mail/letters.ts";
import { personLanguage } from "../../mail/person-language.ts";
import { managementOf } from "../../management.ts";
import { readCheckedBody, readFields, readId } from "../../read-body.ts";
import { forbidden, invalidFields, noSuch, tooManyAttempts } from "../../refusals.ts";
import { givenPassword, uuidList } from "../../request-fields.ts";
import { portalRoute, type SentBody, type SignedInCall } from "../../route.ts";
import { handOver } from "../link-mail.ts";
import { callerLanguage } from "../preferences.ts";

export const listPeople = portalRoute("GET /fleet/users", "owner", async (call) => ({
  body: { data: await personRecords(call, null) },
}));

/** As many as a request has room for. */
const maxDevices = 30_000;
const deviceIds = uuidList(maxDevices, "expected a list of device ids");
const invited = z.object({ name: z.unknown(), email: z.unknown(), device_ids: deviceIds });

/** Makes a sub-account without a password, and the link with which the person chooses one. */
export const invitePerson = portalRoute("POST /fleet/users", "owner", async (call) => {
  const { device_ids: begins, ...own } = readFields(readNewRecord(call).fields, invited);
  const { accountId: account_id } = call.session.visibility;
  const id = crypto.randomUUID();
  const fields = { ...own, role: "sub_account", status: "active" };
  const { effect, result } = await store(
    call,
    { type: "user", id, revision: null, fields },
    { userId: id, begins, ends: [] },
    (tx) => createPasswordLink(tx, { id, account_id }, "invitation", actorOf(call), call.now),
  );
  if (result === null) return { body: { data: { effect } } };
  const link = await handOver(call, { id, account_id }, result);
  const data = await personRecord(call, id);
  return { status: 201, body: { data, effect, link } };
});

const changed = z.object({
  name: z.unknown().optional(),
  email: z.unknown().optional(),
  status: z.unknown().optional(),
});

/** Renames a person, changes the e-mail, disables or enables. To change their own e-mail, people enter their password. */
export const changePerson = portalRoute("PUT /fleet/users/{user_id}", "owner", async (call) => {
  const person = await personOf(call);
  const { id, role } = person;
  const { revision, fields: given } = readChangedRecord(call);
  const fields = readFields(given, changed);
  if (role === "owner" && fields.status !== undefined && fields.status !== "active") {
    throw invalidFields({ status: "the owner of the account cannot be disabled" });
  }
  const isOwn = isOwnEmail(call, person, fields.email);
  if (isOwn) await requireOwnPassword(call);
  const { effect } = await store(call, { type: "user", id, revision, fields }, null, async () => {});
  if (isPreview(call)) return { body: { data: { effect } } };
  if (isOwn) mailOldAddress(call, person);
  // A disabled user's keys stop at once.
  if (fields.status !== undefined) call.parts.api.forgetKeys();
  const data = await personRecord(call, id);
  return { body: { data, effect } };
});

const visibleDevices = z.object({ begins: deviceIds, ends: deviceIds });

/**
 * Which vehicles a sub-account begins to see, and which it sees no more. Only the differences are sent: what another person
 * assigned meanwhile stays.
 */
export const changeVisibleDevices = portalRoute("PUT /fleet/users/{user_id}/vehicles", "owner", async (call) => {
  const { id } = requireSubAccount(await personOf(call));
  const { effect } = await store(call, null, { userId: id, ...readCheckedBody(call, visibleDevices) }, async () => {});
  if (isPreview(call)) return { body: { data: { effect } } };
  const data = await personRecord(call, id);
  return { body: { data, effect } };
});

async function store<Result>(
  call: SignedInCall,
  user: RecordEdit | null,
  sight: SightChange | null,
  also: (tx: Transaction) => Promise<Result>,
): Promise<{ readonly effect: EditResult["effect"]; readonly result: Result | null }> {
  const { parts, session, now } = call;
  const account = { number: session.visibility.accountId, id: session.account.id };
  const request = { account, by: actorOf(call), isPreview: isPreview(call), user, sight };
  const edit = () => editUser(parts.database, request, now, also);
  const { edited, result } = await asRefusals(() => withinProbeLimits(call, user?.fields.email, edit));
  return { effect: edited.effect, result };
}

/** No two users have the same e-mail, so a person who enters one learns whether another account has it. One's own are known. */
async function withinProbeLimits<Result>(
  { parts, session, now }: SignedInCall,
  email: unknown,
  edit: () => Promise<Result>,
): Promise<Result> {
  const { accountId } = session.visibility;
  const { takenEmails } = parts.probeLimits;
  const given = typeof email === "string" && isPlainEmail(normalEmail(email)) ? [email] : [];
  const holders = await usersByEmail(parts.database, given);
  const isOwn = holders.length > 0 && holders.every(({ account_id }) => account_id === accountId);
  const probed = isOwn ? [] : given.map((one) => emailKeys(one).normal);
  takenEmails.check(accountId, probed, now);
  try {
    return await edit();
  } catch (error) {
    if (error instanceof DoesNotFit && error.field === "email") takenEmails.count(accountId, probed, now);
    throw error;
  }
}

/** A new link with which a person chooses a password. An earlier one works no longer. */
export const createPersonLink = portalRoute("POST /fleet/users/{user_id}/link", "owner", async (call) => {
  const { parts, now } = call;
  const person = requireSubAccount(await personOf(call));
  if (person.status !== "active") throw forbidden("a disabled user cannot sign in; enable the user first");
  const purpose = person.has_password === 1 ? "reset" : "invitation";
  const made = await parts.database.transaction((tx) => createPasswordLink(tx, person, purpose, actorOf(call), now));
  const link = await handOver(call, person, made);
  const data = await personRecord(call, person.id);
  return { status: 201, body: { data, link } };
});

/** Signs a person out everywhere. */
export const endPersonSessions = portalRoute("POST /fleet/users/{user_id}/end-sessions", "owner", async (call) => {
  const { parts, now } = call;
  const { id, account_id } = requireSubAccount(await personOf(call));
  const ended = await parts.sessions.endAll({ account_id, user_id: id }, actorOf(call), null, now);
  const data = await personRecord(call, id);
  return { body: { data, ended } };
});

/** Whether a person is about to change their own e-mail. A person who reads the mailbox can choose a new password. */
function isOwnEmail({ session }: SignedInCall, person: ListedPersonRow, email: unknown): boolean {
  return person.id === session.user.id && typeof email === "string" && !isSameEmail(normalEmail(email), person.email);
}

const ownPassword = z.object({ current_password: givenPassword });

/** A session may be borrowed or stolen; only the password shows that it is the person. */
async function requireOwnPassword(call: SignedInCall): Promise<void> {
  const { parts, session, request, now } = call;
  if (!session.user.hasPassword) {
    throw invalidFields({ email: "you have no password to confirm this with; choose one on the account page first" });
  }
  if (isPreview(call)) return;
  const body = call.body as SentBody<z.input<typeof ownPassword>>;
  const { current_password: given } = readCheckedBody({ body }, ownPassword);
  const { outcome, ...rest } = await parts.signIn.checkPassword(session, given, request.signal, now);
  if (outcome === "throttled") throw tooManyAttempts("waitMs" in rest ? rest.waitMs : 0);
  if (outcome === "wrong") throw invalidFields({ current_password: "this is not your password" });
}

/** Mails a notice to the old address. Nobody waits for it. */
function mailOldAddress(call: SignedInCall, { id, account_id, email, is_confirmed }: ListedPersonRow): void {
  const { parts, session, now } = call;
  const { mail, database } = parts;
  if (mail === null) return;
  const allowances = is_confirmed === 1 ? mail.notices : mail.unconfirmedNotices;
  if (!allowances.take(email, account_id, now)) return;
  const sendNotice = async () => {
    const spoken_language = (await linkedUser(database, id))?.spoken_language ?? null;
    const known = await personLanguage(database, account_id, { id, account_uuid: session.account.id, spoken_language });
    const language = known ?? (await callerLanguage(call));
    await mail.send({ accountId: account_id, name: "", email }, emailChangedLetter(language));
  };
  sendNotice().catch((cause) => parts.observe({ kind: "maintenance_failed", task: "mailing a notice", cause }));
}

/** The person of the caller's account whom the address names. */
async function personOf({ parts, session, values }: SignedInCall): Promise<ListedPersonRow> {
  const id = readId({ values }, "person");
  const [person] = await peopleOfAccount(parts.database, session.visibility.accountId, id);
  if (person === undefined) throw noSuch("person");
  return person;
}

/** The owner sees every vehicle, and is there as long as the account. */
function requireSubAccount(person: ListedPersonRow): ListedPersonRow {
  if (person.role === "owner") throw forbidden("this can only be done to a sub-account");
  return person;
}

type Call = Pick<SignedInCall, "parts" | "session" | "now">;

async function personRecord(call: Call, id: string): Promise<Person> {
  const [person] = await personRecords(call, id);
  if (person === undefined) throw noSuch("person");
  return person;
}

/** The people of the caller's account as the portal shows them to the owner; all, or the one named. */
async function personRecords({ parts, session, now }: Call, id: string | null): Promise<Person[]> {
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

function fieldsOf({ id, name, email, role, status, has_password, last_login_at, created_at }: ListedPersonRow) {
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
