import { bigint, oneOf, orNull, type RowOf, text, uuid } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { nothing, type Sql, sql } from "../sql.ts";
import { listed, table } from "../table.ts";
import { isConfirmed } from "./email-confirmations.ts";

export type SignedInVia = "password" | "link" | "openid";

const sessionTable = table("sessions", ["token_hash"], {
  token_hash: text,
  /** By which people see and end it. It gives no access. */
  id: uuid,
  account_id: bigint,
  user_id: uuid,
  created_at: bigint,
  last_seen_at: bigint,
  /** It ends then, however much it is used. */
  expires_at: bigint,
  /** Such as "Firefox · Windows"; null: not known. */
  browser: orNull(text),
  via: oneOf<SignedInVia>(),
});

export type SessionRow = RowOf<typeof sessionTable.columns>;

const columns = listed(sessionTable.columns, "s");

export interface WorkingSessionRow extends SessionRow {
  readonly role: "owner" | "sub_account";
  readonly user_name: string;
  readonly user_email: string;
  readonly has_password: boolean | number;
  readonly is_confirmed: number;
  readonly account_uuid: string;
  readonly account_name: string;
  readonly account_time_zone: string;
  readonly limit_per_second: number;
  readonly limit_per_day: number;
  readonly limit_account_per_day: number | null;
  /** Whether the account's fleet is made up. */
  readonly is_demo: boolean | number;
}

export interface SessionUser {
  readonly account_id: number;
  readonly user_id: string;
}

export async function addSession(tx: Transaction, session: SessionRow): Promise<void> {
  await tx.insertMany(sessionTable, [session]);
}

/** A session of a user who is not disabled and an account that is not suspended. Expiry is not checked here. */
export function workingSession(reader: Reader, tokenHash: string): Promise<WorkingSessionRow | null> {
  return reader.get(sql`
    select ${columns}, u.role, u.name as user_name, u.email as user_email,
      u.password_hash is not null as has_password, ${isConfirmed} as is_confirmed, a.id as account_uuid, a.name as account_name,
      a.time_zone as account_time_zone, a.limit_per_second, a.limit_per_day, a.limit_account_per_day,
      exists(select 1 from demo_accounts d where d.account_id = s.account_id) as is_demo
    from sessions s
    join users u on u.id = s.user_id and u.status = 'active'
    join accounts a on a.account_id = s.account_id and a.status = 'active'
    where s.token_hash = ${tokenHash}`);
}

export async function noteSessionUse(tx: Transaction, tokenHash: string, now: number): Promise<void> {
  await tx.writeAny(sql`update sessions set last_seen_at = ${now} where token_hash = ${tokenHash}`);
}

export type EndedSession = Pick<SessionRow, "id" | "account_id" | "user_id">;

/** Null if there was none. */
export function endSession(tx: Transaction, tokenHash: string): Promise<EndedSession | null> {
  return tx.get(sql`delete from sessions where token_hash = ${tokenHash} returning id, account_id, user_id`);
}

export function endSessionById(tx: Transaction, user: SessionUser, id: string): Promise<EndedSession | null> {
  return tx.get(sql`
    delete from sessions where account_id = ${user.account_id} and user_id = ${user.user_id} and id = ${id}
    returning id, account_id, user_id`);
}

/** Ends all sessions of a user, or all but one. Returns how many there were. */
export function endSessions(tx: Transaction, user: SessionUser, exceptTokenHash: string | null): Promise<number> {
  const others = exceptTokenHash === null ? nothing : sql`and token_hash <> ${exceptTokenHash}`;
  return tx.run(sql`
    delete from sessions where account_id = ${user.account_id} and user_id = ${user.user_id} ${others}`);
}

interface SessionTimes {
  readonly expiresAfter: number;
  readonly seenAfter: number;
}

/** A user's own, the newest first. */
export function sessionsOf(reader: Reader, user: SessionUser, times: SessionTimes): Promise<SessionRow[]> {
  return reader.all(sql`
    select ${columns} from sessions s
    where s.account_id = ${user.account_id} and s.user_id = ${user.user_id} and ${isWorking(times)}
    order by s.created_at desc, s.id`);
}

export async function countSessions(
  reader: Reader,
  accountId: number,
  times: SessionTimes,
): Promise<ReadonlyMap<string, number>> {
  const rows = await reader.all<{ readonly user_id: string; readonly sessions: number }>(sql`
    select s.user_id, count(*) as sessions from sessions s where s.account_id = ${accountId} and ${isWorking(times)}
    group by s.user_id`);
  return new Map(rows.map(({ user_id, sessions }) => [user_id, Number(sessions)]));
}

function isWorking({ expiresAfter, seenAfter }: SessionTimes): Sql {
  return sql`s.expires_at > ${expiresAfter} and s.last_seen_at > ${seenAfter}`;
}

export async function removeStaleSessions(
  tx: Transaction,
  user: SessionUser,
  { expiredBy, unseenSince }: { readonly expiredBy: number; readonly unseenSince: number },
): Promise<void> {
  await tx.run(sql`
    delete from sessions where account_id = ${user.account_id} and user_id = ${user.user_id}
      and (expires_at <= ${expiredBy} or last_seen_at <= ${unseenSince})`);
}
