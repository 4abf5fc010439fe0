import { formatInstant } from "../../domain/time/time.ts";
import type { SessionRow, SessionUser } from "../../store/access/sessions.ts";
import { actorOf } from "../fleet-edit.ts";
import { readId } from "../read-body.ts";
import { noSuch } from "../refusals.ts";
import { portalRoute, type SignedInCall } from "../route.ts";

/** The person's own sessions, the newest first. */
export const listSessions = portalRoute("GET /sessions", "signed in", async (call) => {
  const rows = await call.parts.sessions.list(ownUser(call), call.now);
  return { body: { data: rows.map((row) => sessionRecord(row, call.session.tokenHash)) } };
});

export const endOwnSession = portalRoute("DELETE /sessions/{session_id}", "signed in", async (call) => {
  const id = readId(call, "session");
  const isEnded = await call.parts.sessions.endOne(ownUser(call), id, actorOf(call), call.now);
  if (!isEnded) throw noSuch("session");
  return { status: 204 };
});

/** All but the one that asks. */
export const endOtherSessions = portalRoute("POST /sessions/end-others", "signed in", async (call) => {
  const { parts, session, now } = call;
  const ended = await parts.sessions.endAll(ownUser(call), actorOf(call), session.tokenHash, now);
  return { body: { ended } };
});

function ownUser({ session: { visibility, user } }: SignedInCall): SessionUser {
  return { account_id: visibility.accountId, user_id: user.id };
}

function sessionRecord(row: SessionRow, ownTokenHash: string) {
  return {
    session_id: row.id,
    browser: row.browser,
    via: row.via,
    started_at: formatInstant(row.created_at),
    last_seen_at: formatInstant(row.last_seen_at),
    expires_at: formatInstant(row.expires_at),
    is_current: row.token_hash === ownTokenHash,
  };
}
