import { accountLine } from "../../../fleet/parse/lines.ts";
import type { Reader } from "../../../store/database.ts";
import { answerEdit, readChangedRecord } from "../../fleet-edit.ts";
import { managementOf } from "../../management.ts";
import { invalidFields } from "../../refusals.ts";
import { portalRoute, type SignedInCall } from "../../route.ts";

/** What an owner may change. The rest is set by the people who run the server. */
const ownFields: readonly string[] = ["name", "time_zone"];

export const showPortalAccount = portalRoute("GET /fleet/account", "owner", async (call) => ({
  body: { data: await accountRecord(call) },
}));

export const changePortalAccount = portalRoute("PUT /fleet/account", "owner", async (call) => {
  const { revision, fields } = readChangedRecord(call);
  const others = Object.keys(fields).filter((name) => !ownFields.includes(name));
  if (others.length > 0) {
    const problem = "is set by the people who run this server";
    throw invalidFields(Object.fromEntries(others.map((name) => [name, problem])));
  }
  const { id } = call.session.account;
  return answerEdit(call, { type: "account", id, revision, fields }, () => accountRecord(call));
});

async function accountRecord({ parts, session }: Pick<SignedInCall, "parts" | "session">) {
  const reader: Reader = parts.database;
  const { accountId } = session.visibility;
  const { id } = session.account;
  const [{ type: _, ...line }, managed] = await Promise.all([
    accountLine(reader, accountId),
    managementOf(reader, accountId, "account", [id]),
  ]);
  return { ...line, ...managed(id) };
}
