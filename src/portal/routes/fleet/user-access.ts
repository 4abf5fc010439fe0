import { createPasswordLink } from "../../../access/password-links.ts";
import { actorOf } from "../../fleet-edit.ts";
import { personRecords } from "../../records/person-record.ts";
import { forbidden } from "../../refusals.ts";
import { portalRoute } from "../../route.ts";
import { handOver } from "../link-mail.ts";
import { personOf, requireSubAccount } from "./person.ts";

/** A new link with which somebody chooses a password. An earlier one works no longer. */
export const createPersonLink = portalRoute("POST", "/fleet/users/{user_id}/link", "owner", async (call) => {
  const { parts, now } = call;
  const person = requireSubAccount(await personOf(call));
  if (person.status !== "active") throw forbidden("a disabled user cannot sign in; enable the user first");
  const purpose = person.has_password === 1 ? "reset" : "invitation";
  const made = await parts.database.transaction((tx) => createPasswordLink(tx, person, purpose, actorOf(call), now));
  const link = await handOver(call, person, made);
  const [data] = await personRecords(call, person.id);
  return { status: 201, body: { data, link } };
});

/** Signs somebody out everywhere. */
export const endPersonSessions = portalRoute("POST", "/fleet/users/{user_id}/end-sessions", "owner", async (call) => {
  const { parts, now } = call;
  const { id, account_id } = requireSubAccount(await personOf(call));
  const ended = await parts.sessions.endAll({ account_id, user_id: id }, actorOf(call), null, now);
  const [data] = await personRecords(call, id);
  return { status: 200, body: { data, ended } };
});
