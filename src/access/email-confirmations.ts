import type { Actor } from "../domain/audit.ts";
import { dayMs } from "../domain/time/time.ts";
import {
  addConfirmation,
  type ConfirmableUser,
  confirmableUser,
  confirmationByHash,
  confirmationsSince,
  confirmEmail,
  forgetConfirmations,
  removeConfirmation,
} from "../store/access/email-confirmations.ts";
import type { Database, Reader, Transaction } from "../store/database.ts";
import { addAuditEntries } from "../store/fleet/audit.ts";
import { releaseUnconfirmed } from "../store/notifications/unconfirmed.ts";
import { hashCredential, isToken, newToken } from "./credential.ts";
import { mailboxKey } from "./mailbox.ts";

/** As long as an invitation: the person may be on holiday. */
const linkLifetimeMs = 7 * dayMs;

/** Enough for a person who does not find the first, in all accounts together: nobody's mailbox is filled. */
const maxPerMailbox = 3;
/** A company whose people confirm at once, not one that writes to strangers in the operator's name. */
const maxPerAccount = 50;

/** Without being asked, one mailbox gets one link in this time, whatever becomes of it. */
const unaskedMs = 365 * dayMs;

export type ConfirmationWish =
  /** The person asks for it. */
  | "asked"
  /** Something is to be mailed, and the address is not confirmed. */
  | "unasked";

export type NewConfirmation =
  | { readonly outcome: "made"; readonly token: string; readonly email: string; readonly expiresAt: number }
  /** There is nothing to confirm: it is confirmed, or nobody may sign in. */
  | { readonly outcome: "needless" }
  | { readonly outcome: "too_many" };

/** Makes a link that confirms a person's address. It must be mailed there and shown to nobody. */
export function createConfirmation(
  database: Database,
  userId: string,
  wish: ConfirmationWish,
  now: number,
): Promise<NewConfirmation> {
  return database.transaction(async (tx): Promise<NewConfirmation> => {
    const user = await confirmableUser(tx, userId);
    if (user === null || user.is_confirmed === 1) return { outcome: "needless" };
    const { account_id, email } = user;
    // The lock keeps two requests at once from having one too many.
    await tx.lock(`e-mail confirmations ${account_id}`);
    await forgetOldConfirmations(tx, now);
    const mailbox = { mailbox_hash: hashCredential(mailboxKey(email)), account_id };
    const { ofMailbox, ofAccount } = await confirmationsSince(tx, mailbox, now - dayMs);
    if (ofMailbox >= maxPerMailbox || ofAccount >= maxPerAccount) return { outcome: "too_many" };
    if (wish === "unasked" && (await confirmationsSince(tx, mailbox, now - unaskedMs)).ofMailbox > 0) {
      return { outcome: "too_many" };
    }
    const token = newToken();
    const hashes = { token_hash: hashCredential(token), email_hash: hashCredential(email) };
    await addConfirmation(tx, { ...hashes, ...mailbox, user_id: user.id, mailed_at: now });
    if (wish === "asked") {
      const by = { kind: "user", id: user.id } as const;
      await addAuditEntries(tx, account_id, [{ by, action: "email.link_sent", id: user.id }], now);
    }
    return { outcome: "made", token, email, expiresAt: now + linkLifetimeMs };
  });
}

/** What counts no more. That something was mailed to a person who was erased counts for a day. */
export function forgetOldConfirmations(tx: Transaction, now: number): Promise<void> {
  return forgetConfirmations(tx, { before: now - unaskedMs, erasedBefore: now - dayMs });
}

/** The mail server did not take the mail, so it counts as none. */
export function undoConfirmation(database: Database, token: string): Promise<void> {
  return database.transaction((tx) => removeConfirmation(tx, hashCredential(token)));
}

interface FoundConfirmation {
  readonly user: ConfirmableUser;
  readonly expiresAt: number;
}

/** Whose address a link confirms. Null: it has expired, or the person has another address now, or may not sign in. */
export async function findConfirmation(reader: Reader, token: string, now: number): Promise<FoundConfirmation | null> {
  if (!isToken(token)) return null;
  const row = await confirmationByHash(reader, hashCredential(token));
  if (row?.user_id == null || row.mailed_at + linkLifetimeMs <= now) return null;
  const user = await confirmableUser(reader, row.user_id);
  if (user === null || hashCredential(user.email) !== row.email_hash) return null;
  return { user, expiresAt: row.mailed_at + linkLifetimeMs };
}

/** Opening it again does no harm. Returns whether the link was good. */
export function useConfirmation(database: Database, token: string, now: number): Promise<boolean> {
  return database.transaction(async (tx) => {
    const found = await findConfirmation(tx, token, now);
    if (found === null) return false;
    await noteConfirmed(tx, found.user, { by: { kind: "user", id: found.user.id }, via: "link" }, now);
    return true;
  });
}

/** The address is the person's: what waited for that is sent. Returns whether it is new. */
export async function noteConfirmed(
  tx: Transaction,
  user: Pick<ConfirmableUser, "id" | "account_id" | "email">,
  { by, via }: { readonly by: Actor; readonly via: "link" | "openid" | "command" },
  now: number,
): Promise<boolean> {
  if (!(await confirmEmail(tx, user))) return false;
  await releaseUnconfirmed(tx, user.account_id, user.id, now);
  await addAuditEntries(tx, user.account_id, [{ by, action: "email.confirmed", id: user.id, details: { via } }], now);
  return true;
}
