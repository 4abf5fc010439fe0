import { randomBytes } from "node:crypto";
import type { AccountLimits } from "../domain/fleet.ts";
import { dayMs } from "../domain/time.ts";
import { type Visibility, visibilityOf } from "../domain/visibility.ts";
import type { Database, Transaction } from "../store/database.ts";
import {
  addSession,
  endSession,
  noteSessionUse,
  removeStaleSessions,
  type SessionUser,
  type WorkingSessionRow,
  workingSession,
} from "../store/sessions.ts";
import { hashCredential } from "./credential.ts";

/** Someone who leaves in the evening signs in again in the morning. */
const idleMs = dayMs / 2;
/** Even a busy session ends, in case it was stolen. */
export const sessionLifetimeMs = 7 * dayMs;
/** The last use of a session need not be exact, and is not worth a write at each call. */
const noteUseMs = 60_000;
const noteWaitMs = 250;

const tokenBytes = 32;
const tokenForm = /^[\w-]{43}$/;

/** Someone who is signed in to the portal, and what they may see. */
export interface Session {
  readonly tokenHash: string;
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly role: "owner" | "sub_account";
  };
  readonly account: {
    readonly id: string;
    readonly name: string;
    /** The IANA name. */
    readonly timeZone: string;
    readonly limits: AccountLimits;
  };
  readonly visibility: Visibility;
}

/** Starts a session and returns its token, of which only a hash is stored. A session with the old token ends. */
export async function startSession(
  tx: Transaction,
  user: SessionUser,
  oldToken: string | null,
  now: number,
): Promise<string> {
  if (oldToken !== null) await endSession(tx, hashCredential(oldToken));
  await removeStaleSessions(tx, user, { expiredBy: now, unseenSince: now - idleMs });
  const token = randomBytes(tokenBytes).toString("base64url");
  const times = { created_at: now, last_seen_at: now, expires_at: now + sessionLifetimeMs };
  const { account_id, user_id } = user;
  await addSession(tx, { token_hash: hashCredential(token), account_id, user_id, ...times });
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
    if (!tokenForm.test(token)) return null;
    const row = await workingSession(this.#database, hashCredential(token));
    if (row === null || now >= row.expires_at || now - row.last_seen_at >= idleMs) return null;
    if (!isUnattended && now - row.last_seen_at >= noteUseMs) await this.#noteUse(row.token_hash, now);
    return toSession(row);
  }

  async end(token: string): Promise<void> {
    await this.#database.transaction((tx) => endSession(tx, hashCredential(token)));
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

function toSession(row: WorkingSessionRow): Session {
  const { role } = row;
  return {
    tokenHash: row.token_hash,
    user: { id: row.user_id, name: row.user_name, email: row.user_email, role },
    account: {
      id: row.account_uuid,
      name: row.account_name,
      timeZone: row.account_time_zone,
      limits: {
        perSecond: row.limit_per_second,
        perDay: row.limit_per_day,
        accountPerDay: row.limit_account_per_day,
      },
    },
    visibility: visibilityOf({ accountId: row.account_id, id: row.user_id, role }),
  };
}
