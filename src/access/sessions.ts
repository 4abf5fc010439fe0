import type { Actor } from "../domain/audit.ts";
import type { AccountLimits } from "../domain/fleet.ts";
import type { Preferences } from "../domain/preferences.ts";
import { dayMs } from "../domain/time/time.ts";
import { type UserVisibility, visibilityOf } from "../domain/visibility.ts";
import { removeUnusedLinks } from "../store/access/one-time-links.ts";
import {
  addSession,
  endSession,
  endSessionById,
  endSessions,
  noteSessionUse,
  removeStaleSessions,
  type SessionRow,
  type SessionUser,
  type SignedInVia,
  sessionsOf,
  type WorkingSessionRow,
  workingSession,
} from "../store/access/sessions.ts";
import { noteSpokenLanguage } from "../store/access/sign-ins.ts";
import type { Database, Transaction } from "../store/database.ts";
import { addAuditEntries } from "../store/fleet/audit.ts";
import { hashCredential, isToken, newToken } from "./credential.ts";

/** Someone who leaves in the evening signs in again in the morning. */
const idleMs = dayMs / 2;
/** Even a busy session ends, in case it was stolen. */
export const sessionLifetimeMs = 7 * dayMs;
/** The last use of a session need not be exact, and is not worth a write at each call. */
const noteUseMs = 60_000;
const noteWaitMs = 250;

/** Someone who is signed in to the portal, and what they may see. */
export interface Session {
  readonly tokenHash: string;
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly role: "owner" | "sub_account";
    /** Who signs in elsewhere only has none. */
    readonly hasPassword: boolean;
    /** Whether the person has confirmed the address. */
    readonly isConfirmed: boolean;
  };
  readonly account: {
    readonly id: string;
    readonly name: string;
    readonly timeZone: string;
    readonly limits: AccountLimits;
    /** Whether its fleet is made up. */
    readonly isDemo: boolean;
  };
  readonly visibility: UserVisibility;
}

/** What is known of a user who has just signed in. */
export interface NewSession {
  readonly via: SignedInVia;
  /** Such as "Firefox · Windows". */
  readonly browser: string | null;
  readonly oldToken: string | null;
  /** What the browser speaks; null: it does not say, or nothing that we speak. */
  readonly language: Preferences["language"];
}

/**
 * Starts a session and returns its token, of which only a hash is stored. A session with the old token ends. The audit log
 * holds that it was started.
 */
export async function startSession(
  tx: Transaction,
  user: SessionUser,
  { via, browser, oldToken, language }: NewSession,
  now: number,
): Promise<string> {
  if (oldToken !== null) await endSession(tx, hashCredential(oldToken));
  await removeStaleSessions(tx, user, { expiredBy: now, unseenSince: now - idleMs });
  const token = newToken();
  const times = { created_at: now, last_seen_at: now, expires_at: now + sessionLifetimeMs };
  const { account_id, user_id } = user;
  const id = crypto.randomUUID();
  await noteSpokenLanguage(tx, user, language);
  await addSession(tx, { token_hash: hashCredential(token), id, account_id, user_id, ...times, browser, via });
  const by = { kind: "user", id: user_id } as const;
  const details = { session: id, via };
  await addAuditEntries(tx, account_id, [{ by, action: "session.started", id: user_id, details }], now);
  return token;
}

/** Finds who calls. It reads the store each time, so an ended session is over at once, on every node. */
export class Sessions {
  readonly #database: Database;
  /** Sessions whose use is being written. */
  readonly #noting = new Set<string>();

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * The session of a token; null if there is none, if it has expired, or if its user is disabled or the account suspended.
   * An unattended call, such as that of a map refreshing itself, does not count as use.
   */
  async find(token: string, now: number, isUnattended = false): Promise<Session | null> {
    if (!isToken(token)) return null;
    const row = await workingSession(this.#database, hashCredential(token));
    if (row === null || now >= row.expires_at || now - row.last_seen_at >= idleMs) return null;
    if (!isUnattended && now - row.last_seen_at >= noteUseMs) await this.#noteUse(row.token_hash, now);
    return toSession(row);
  }

  async end(token: string, now: number): Promise<void> {
    await this.#database.transaction(async (tx) => {
      const ended = await endSession(tx, hashCredential(token));
      if (ended !== null) await noteEnd(tx, ended, { kind: "user", id: ended.user_id }, { session: ended.id }, now);
    });
  }

  /** The user's sessions that can still be used, the newest first. */
  list(user: SessionUser, now: number): Promise<SessionRow[]> {
    return sessionsOf(this.#database, user, workingAt(now));
  }

  /** Ends one of a user's sessions. Returns whether there was such a one. */
  endOne(user: SessionUser, id: string, by: Actor, now: number): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const ended = await endSessionById(tx, user, id);
      if (ended !== null) await noteEnd(tx, user, by, { session: ended.id }, now);
      return ended !== null;
    });
  }

  /**
   * Ends all sessions of a user, or all but one. Returns how many. With all of them go links that nobody has used: they
   * start a session, too.
   */
  endAll(user: SessionUser, by: Actor, exceptTokenHash: string | null, now: number): Promise<number> {
    return this.#database.transaction(async (tx) => {
      const count = await endSessions(tx, user, exceptTokenHash);
      if (exceptTokenHash === null) await removeUnusedLinks(tx, user.user_id);
      if (count > 0) await noteEnd(tx, user, by, { count }, now);
      return count;
    });
  }

  /** A reader must not wait or fail because others write: the next call notes the use again. */
  async #noteUse(tokenHash: string, now: number): Promise<void> {
    if (this.#noting.has(tokenHash)) return;
    this.#noting.add(tokenHash);
    const noted = this.#database
      .transaction((tx) => noteSessionUse(tx, tokenHash, now))
      .catch(() => {})
      .finally(() => this.#noting.delete(tokenHash));
    await Promise.race([noted, Bun.sleep(noteWaitMs)]);
  }
}

/** Which sessions can still be used. */
export function workingAt(now: number): { readonly expiresAfter: number; readonly seenAfter: number } {
  return { expiresAfter: now, seenAfter: now - idleMs };
}

/** In the audit log, sessions are those of a user. */
async function noteEnd(
  tx: Transaction,
  { account_id, user_id }: SessionUser,
  by: Actor,
  details: { readonly session: string } | { readonly count: number },
  now: number,
): Promise<void> {
  await addAuditEntries(tx, account_id, [{ by, action: "session.ended", id: user_id, details }], now);
}

function toSession(row: WorkingSessionRow): Session {
  const { role } = row;
  return {
    tokenHash: row.token_hash,
    user: {
      id: row.user_id,
      name: row.user_name,
      email: row.user_email,
      role,
      hasPassword: Boolean(row.has_password),
      isConfirmed: row.is_confirmed === 1,
    },
    account: {
      id: row.account_uuid,
      name: row.account_name,
      timeZone: row.account_time_zone,
      limits: {
        perSecond: row.limit_per_second,
        perDay: row.limit_per_day,
        accountPerDay: row.limit_account_per_day,
      },
      isDemo: Boolean(row.is_demo),
    },
    visibility: visibilityOf({ accountId: row.account_id, id: row.user_id, role }),
  };
}
