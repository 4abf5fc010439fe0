import { startSession } from "../../access/sessions.ts";
import { Failure } from "../../domain/errors.ts";
import type { Reader } from "../../store/database.ts";
import {
  type DemoAccountRow,
  demoAccounts,
  endDemo,
  onlyAccount,
  saveDemoAccount,
} from "../../store/fleet/demo-accounts.ts";
import { peopleOfAccount } from "../../store/fleet/users.ts";
import type { DemoAccountRecord } from "../both-sides/contract/demo.ts";
import { homeCookie, sessionCookie } from "../cookie.ts";
import { noSuch, notSignedIn } from "../refusals.ts";
import { portalRoute, type SignedInCall } from "../route.ts";
import { newSessionBody, presented } from "./session.ts";

/** Of the caller's account; null: it has none. */
async function ownDemo(reader: Reader, { session }: Pick<SignedInCall, "session">): Promise<DemoAccountRow | null> {
  const { accountId } = session.visibility;
  return (await demoAccounts(reader)).find(({ wanted_by }) => wanted_by === accountId) ?? null;
}

function stateOf(row: DemoAccountRow | null): DemoAccountRecord["state"] {
  if (row === null) return "none";
  if (row.ends_at !== null) return "ending";
  return row.is_ready ? "ready" : "making";
}

async function recordOf(call: SignedInCall): Promise<{ readonly body: { readonly data: DemoAccountRecord } }> {
  const { database } = call.parts;
  const state = stateOf(await ownDemo(database, call));
  const is_offered = state !== "none" || (await mayHaveOne(database, call));
  return { body: { data: { state, is_offered } } };
}

/** What one tenant looks at must not take room from others. In a fleet to look at there is none. */
async function mayHaveOne(reader: Reader, { parts, session }: SignedInCall): Promise<boolean> {
  return parts.makesDemos && (await onlyAccount(reader)) === session.visibility.accountId;
}

export const showDemoAccount = portalRoute("GET /demo-account", "owner", recordOf);

/** Another part of the program makes it (`src/cli/demo/demo-beside.ts`), and erases it. */
export const wantDemoAccount = portalRoute("POST /demo-account", "owner", async (call) => {
  const { parts, session, now } = call;
  const { accountId } = session.visibility;
  const isOffered = await parts.database.transaction(async (tx) => {
    await tx.lock("fleet");
    if ((await ownDemo(tx, call)) !== null) return true;
    if (!(await mayHaveOne(tx, call))) return false;
    const row = { id: crypto.randomUUID(), account_id: null, wanted_by: accountId, wanted_at: now };
    await saveDemoAccount(tx, { ...row, state_json: null, is_ready: false, ends_at: null });
    return true;
  });
  if (!isOffered) throw new Failure("CONFLICT", "a fleet to look at is made only where the server has one account");
  return recordOf(call);
});

export const endDemoAccount = portalRoute("DELETE /demo-account", "owner", async (call) => {
  await call.parts.database.transaction(async (tx) => {
    const row = await ownDemo(tx, call);
    if (row === null) throw noSuch("demo");
    await endDemo(tx, row.id, call.now);
  });
  return recordOf(call);
});

/** Signs the owner in there, as its owner. Their own session stays, and its cookie is kept beside. */
export const enterDemoAccount = portalRoute("POST /demo-account/enter", "owner", async (call) => {
  const { parts, request, now } = call;
  const { database } = parts;
  const row = await ownDemo(database, call);
  const own = sessionCookie.read(request);
  if (row === null || row.account_id === null || stateOf(row) !== "ready" || own === null) throw noSuch("demo");
  const accountId = row.account_id;
  const [owner] = (await peopleOfAccount(database, accountId, null)).filter(({ role }) => role === "owner");
  if (owner === undefined) throw noSuch("demo");
  const { browser, language } = presented(request);
  const user = { account_id: accountId, user_id: owner.id };
  const token = await database.transaction((tx) =>
    startSession(tx, user, { via: "link", browser, language, oldToken: null }, now),
  );
  const cookies = [sessionCookie.set(request, token), homeCookie.set(request, own)];
  const body = await newSessionBody(call, token);
  return { body: { ...body, demo: { may_leave: true } }, cookies };
});

/** Back to the session that was kept. */
export const leaveDemoAccount = portalRoute("POST /demo-account/leave", "signed in", async (call) => {
  const { parts, request, now } = call;
  const [token, left] = [homeCookie.read(request), sessionCookie.read(request)];
  if (token === null) throw noSuch("demo");
  if ((await parts.sessions.find(token, now)) === null) throw notSignedIn();
  if (left !== null) await parts.sessions.end(left, now);
  return {
    body: await newSessionBody(call, token),
    cookies: [sessionCookie.set(request, token), homeCookie.end(request)],
  };
});
