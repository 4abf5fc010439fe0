import { randomBytes } from "node:crypto";
import { dayMs } from "../domain/time.ts";
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
import { hashCredential } from "./credential.ts";

/** An invitation waits for somebody who may be on holiday; the others are asked for by somebody who waits for them. */
export const linkLifetimeMs: Readonly<Record<LinkPurpose, number>> = {
  setup: dayMs,
  invitation: 7 * dayMs,
  reset: dayMs,
};

/** How long it can be seen that a link was used. */
const rememberedMs = 31 * dayMs;

const tokenBytes = 32;
const tokenForm = /^[\w-]{43}$/;

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
}

/** Makes a link that works once. Earlier links of the same user, or of the first run, work no longer. */
export async function createLink(tx: Transaction, request: LinkRequest, now: number): Promise<NewLink> {
  const { purpose, userId, leavesOthers = false } = request;
  await removeOldLinks(tx, now - rememberedMs);
  if (!leavesOthers) await removeUnusedLinks(tx, userId);
  return add(tx, request, { createdAt: now, expiresAt: now + linkLifetimeMs[purpose], usedAt: null });
}

/** As much work as a link, but one that is used and long over: the next link that is made removes it. */
export async function createUselessLink(tx: Transaction, now: number): Promise<NewLink> {
  await removeOldLinks(tx, now - rememberedMs);
  const request = { purpose: "reset", accountId: null, userId: null } as const;
  return add(tx, request, { createdAt: now, expiresAt: now - rememberedMs - 1, usedAt: now });
}

interface LinkTimes {
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly usedAt: number | null;
}

async function add(
  tx: Transaction,
  { purpose, accountId, userId }: LinkRequest,
  { createdAt, expiresAt, usedAt }: LinkTimes,
): Promise<NewLink> {
  const token = randomBytes(tokenBytes).toString("base64url");
  await addLink(tx, {
    token_hash: hashCredential(token),
    purpose,
    account_id: accountId,
    user_id: userId,
    created_at: createdAt,
    expires_at: expiresAt,
    used_at: usedAt,
  });
  return { token, expiresAt };
}

/** A link that can still be used; null for one that is unknown, used or expired, or made for something else. */
export async function findLink(
  reader: Reader,
  token: string,
  purposes: readonly LinkPurpose[],
  now: number,
): Promise<LinkRow | null> {
  if (!tokenForm.test(token)) return null;
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
