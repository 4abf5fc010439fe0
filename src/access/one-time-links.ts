import { dayMs } from "../domain/time/time.ts";
import {
  addLink,
  type LinkPurpose,
  type LinkRow,
  linkByHash,
  removeOldLinks,
  removeUnusedLinks,
  takeLink,
} from "../store/access/one-time-links.ts";
import type { Reader, Transaction } from "../store/database.ts";
import { hashCredential, isToken, newToken } from "./credential.ts";

/** A person who is invited may be on holiday; one who asks for a link waits for it. */
export const linkLifetimeMs: Readonly<Record<LinkPurpose, number>> = {
  setup: dayMs,
  invitation: 7 * dayMs,
  reset: dayMs,
};

/** How long it can be seen that a link was used. */
const rememberedMs = 31 * dayMs;

export interface NewLink {
  /** Shown once: only its hash is stored. */
  readonly token: string;
  readonly expiresAt: number;
}

export interface LinkRequest {
  readonly purpose: LinkPurpose;
  /** Null for the first run, when there is neither an account nor a user. */
  readonly accountId: number | null;
  readonly userId: string | null;
  /**
   * Whether earlier links of the user work on. For links that anybody can ask for: a stranger must not be able to make
   * those useless that the user was given.
   */
  readonly leavesOthers?: boolean;
  /** The only address that gets the link, by mail: using it confirms the address. */
  readonly mailedTo?: string;
}

/** Makes a link that works once. Earlier links of the same user, or of the first run, work no longer. */
export async function createLink(tx: Transaction, request: LinkRequest, now: number): Promise<NewLink> {
  const { purpose, accountId, userId, leavesOthers = false, mailedTo = null } = request;
  await removeOldLinks(tx, now - rememberedMs);
  if (!leavesOthers) await removeUnusedLinks(tx, userId);
  const owner = { account_id: accountId, user_id: userId };
  const times = { created_at: now, expires_at: now + linkLifetimeMs[purpose], used_at: null };
  return add(tx, { purpose, ...owner, ...times, mailed_to: mailedTo });
}

/** As much work as a link, but one that is used and long over: the next link that is made removes it. */
export async function createUselessLink(tx: Transaction, now: number): Promise<NewLink> {
  await removeOldLinks(tx, now - rememberedMs);
  const nobody = { account_id: null, user_id: null };
  const expires_at = now - rememberedMs - 1;
  return add(tx, { purpose: "reset", ...nobody, created_at: now, expires_at, used_at: now, mailed_to: null });
}

async function add(tx: Transaction, link: Omit<LinkRow, "token_hash">): Promise<NewLink> {
  const token = newToken();
  await addLink(tx, { token_hash: hashCredential(token), ...link });
  return { token, expiresAt: link.expires_at };
}

/** A link that can still be used; null for one that is unknown, used or expired, or made for something else. */
export async function findLink(
  reader: Reader,
  token: string,
  purposes: readonly LinkPurpose[],
  now: number,
): Promise<LinkRow | null> {
  if (!isToken(token)) return null;
  const link = await linkByHash(reader, hashCredential(token));
  const isOpen = link !== null && link.used_at === null && link.expires_at > now;
  return isOpen && purposes.includes(link.purpose) ? link : null;
}

/** Uses a link up. Null as above. If the transaction fails, the link can still be used. */
export async function useLink(
  tx: Transaction,
  token: string,
  purposes: readonly LinkPurpose[],
  now: number,
): Promise<LinkRow | null> {
  if ((await findLink(tx, token, purposes, now)) === null) return null;
  return takeLink(tx, hashCredential(token), now);
}

/** The token is in the fragment, which a browser never sends: no log of a server or a proxy holds it. */
export function linkAddress(origin: string, token: string): string {
  return `${origin.replace(/\/+$/, "")}/portal/link#${token}`;
}
