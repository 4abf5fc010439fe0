import { randomInt } from "node:crypto";
import { hashPassword, verifyPassword } from "../../access/passwords.ts";
import { people } from "../../simulator/fleet/records.ts";
import { endSessions } from "../../store/access/sessions.ts";
import { replacePassword, type SignInRow, signInByEmail } from "../../store/access/sign-ins.ts";
import type { Database } from "../../store/database.ts";

/** How one of the demo's people signs in. Null: with a password that only they know. */
export interface DemoSignIn {
  readonly email: string;
  readonly password: string | null;
  readonly isNew: boolean;
}

/** Without characters that look alike, since people type it from a screen. */
const alphabet = "abcdefghijkmnpqrstuvwxyz23456789";
const groups = 4;
const groupLength = 4;

/**
 * How the demo's people sign in, the owner first. Their passwords are part of the program, so they are public. If
 * others can reach the demo, they are replaced by one new password before it starts; a password that a person has chosen
 * stays. Only hashes are stored.
 */
export async function demoSignIns(
  database: Database,
  { isPublic, isRenewed }: { readonly isPublic: boolean; readonly isRenewed: boolean },
): Promise<readonly DemoSignIn[]> {
  const fresh = randomPassword();
  const signIns: DemoSignIn[] = [];
  for (const { email, password } of Object.values(people)) {
    const user = await signInByEmail(database, email);
    const isPublished = await hasPassword(user, password);
    if (user !== null && (isRenewed || (isPublished && isPublic))) {
      await setPassword(database, user, fresh);
      signIns.push({ email, password: fresh, isNew: true });
    } else signIns.push({ email, password: isPublished ? password : null, isNew: false });
  }
  return signIns;
}

/** Whether anybody who has read the source could sign in. */
export async function hasPublishedPassword(database: Database): Promise<boolean> {
  for (const { email, password } of Object.values(people)) {
    if (await hasPassword(await signInByEmail(database, email), password)) return true;
  }
  return false;
}

async function hasPassword(user: SignInRow | null, password: string): Promise<boolean> {
  return user?.password_hash != null && (await verifyPassword(password, user.password_hash));
}

async function setPassword(database: Database, user: SignInRow, password: string): Promise<void> {
  const { id, account_id, password_hash: checked } = user;
  const next = await hashPassword(password);
  await database.transaction(async (tx) => {
    await replacePassword(tx, id, { checked: checked ?? "", next }, Date.now());
    await endSessions(tx, { account_id, user_id: id }, null);
  });
}

/** 80 bits. */
export function randomPassword(): string {
  const character = () => alphabet.charAt(randomInt(alphabet.length));
  const group = () => Array.from({ length: groupLength }, character).join("");
  return Array.from({ length: groups }, group).join("-");
}
