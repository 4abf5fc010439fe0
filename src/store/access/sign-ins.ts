import type { UserRole } from "../../domain/fleet.ts";
import type { Preferences } from "../../domain/preferences.ts";
import { emailKeys, isSameEmail } from "../../domain/text/email.ts";
import { logUserChange } from "../changes/change-writes.ts";
import type { Reader, Transaction } from "../database.ts";
import { limitTo, type Sql, sql } from "../sql.ts";
import { isConfirmed } from "./email-confirmations.ts";

export interface SignInRow {
  readonly id: string;
  readonly account_id: number;
  readonly email: string;
  /** Null: nobody can sign in as this user. */
  readonly password_hash: string | null;
  readonly user_status: "active" | "disabled";
  readonly account_status: "active" | "suspended";
}

export function signInByEmail(reader: Reader, email: string): Promise<SignInRow | null> {
  return reader.get(sql`
    select u.id, u.account_id, u.email, u.password_hash, u.status as user_status, a.status as account_status
    from users u join accounts a on a.account_id = u.account_id where ${hasEmail(email)}`);
}

/** One user at most: the address as it is given comes before its normal form. */
function hasEmail(email: string): Sql {
  const { given, normal } = emailKeys(email);
  return sql`u.email_key in (${given}, ${normal}) order by u.email_key = ${given} desc ${limitTo(1)}`;
}

/** Returns whether the password that was checked is still the user's. It stays so until the transaction ends. */
export async function noteSignIn(
  tx: Transaction,
  userId: string,
  checked: { readonly passwordHash: string },
  now: number,
): Promise<boolean> {
  const signedIn = await tx.get<ChangedUser>(sql`
    update users set last_login_at = ${now} where id = ${userId} and password_hash = ${checked.passwordHash}
    returning account_id, role`);
  return noteChange(tx, userId, signedIn, now);
}

/**
 * Another service has proved whose e-mail it is. Returns the user; null if nobody may sign in with it: it is unknown, the user
 * is disabled or the account suspended. Keys of e-mails take a Kelvin sign for a k, providers do not: the e-mail itself must
 * be the same.
 */
export async function noteSignInByEmail(
  tx: Transaction,
  email: string,
  now: number,
): Promise<Pick<SignInRow, "id" | "account_id" | "email"> | null> {
  const stored = await tx.get<{ readonly id: string; readonly email: string }>(
    sql`select u.id, u.email from users u where ${hasEmail(email)}`,
  );
  if (stored === null || !isSameEmail(stored.email, email)) return null;
  const signedIn = await tx.get<ChangedUser & Pick<SignInRow, "id" | "email">>(sql`
    update users set last_login_at = ${now} where id = ${stored.id} and email = ${stored.email} and removed_at is null and status = 'active'
      and account_id in (select account_id from accounts where status = 'active')
    returning id, account_id, email, role`);
  if (signedIn !== null) await noteChange(tx, signedIn.id, signedIn, now);
  return signedIn;
}

/** Replaces the password that was checked by one that the person chose. Returns whether it was still the user's. */
export async function replacePassword(
  tx: Transaction,
  userId: string,
  hashes: { readonly checked: string | null; readonly next: string },
  now: number,
): Promise<boolean> {
  const isChecked = hashes.checked === null ? sql`is null` : sql`= ${hashes.checked}`;
  const changed = await tx.get<ChangedUser>(sql`
    update users set password_hash = ${hashes.next}, password_managed_by = 'portal', updated_at = ${now}
    where id = ${userId} and password_hash ${isChecked}
    returning account_id, role`);
  return noteChange(tx, userId, changed, now);
}

/** Sets the password of a user who may sign in, whatever it was before. Returns whether there is such a user. */
export async function setPassword(tx: Transaction, userId: string, hash: string, now: number): Promise<boolean> {
  const changed = await tx.get<ChangedUser>(sql`
    update users set password_hash = ${hash}, password_managed_by = 'portal', last_login_at = ${now}, updated_at = ${now}
    where id = ${userId} and status = 'active' and removed_at is null
      and account_id in (select a.account_id from accounts a where a.status = 'active')
    returning account_id, role`);
  return noteChange(tx, userId, changed, now);
}

export interface LinkedUser {
  readonly name: string;
  readonly email: string;
  /** 1: the person has confirmed the address. To others only the link that confirms it is mailed. */
  readonly is_confirmed: number;
  readonly account_uuid: string;
  readonly account_name: string;
  /** The account's; the IANA name. */
  readonly time_zone: string;
  /** Of the browser in which the person last signed in. */
  readonly spoken_language: Preferences["language"];
}

/** Null for a user who may not sign in. */
export function linkedUser(reader: Reader, userId: string): Promise<LinkedUser | null> {
  return reader.get(sql`
    select u.name, u.email, ${isConfirmed} as is_confirmed, a.id as account_uuid, a.name as account_name, a.time_zone,
      u.spoken_language
    from users u join accounts a on a.account_id = u.account_id and a.status = 'active'
    where u.id = ${userId} and u.status = 'active' and u.removed_at is null`);
}

/** The browser's language goes with the person who signs in. One that says none leaves the last. */
export async function noteSpokenLanguage(
  tx: Transaction,
  { account_id, user_id }: { readonly account_id: number; readonly user_id: string },
  language: Preferences["language"],
): Promise<void> {
  if (language === null) return;
  await tx.writeAny(sql`
    update users set spoken_language = ${language}
    where account_id = ${account_id} and id = ${user_id} and coalesce(spoken_language, '') <> ${language}`);
}

interface ChangedUser {
  readonly account_id: number;
  readonly role: UserRole;
}

/** The list of users shows both times. The owner is not in it. */
async function noteChange(tx: Transaction, userId: string, changed: ChangedUser | null, now: number): Promise<boolean> {
  if (changed?.role === "sub_account") await logUserChange(tx, changed.account_id, userId, now);
  return changed !== null;
}
