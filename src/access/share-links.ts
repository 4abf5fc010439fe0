import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Actor } from "../domain/audit.ts";
import { Failure } from "../domain/errors.ts";
import { quantity } from "../domain/text/text.ts";
import { dayMs, formatInstant } from "../domain/time/time.ts";
import { type LinkVisibility, linkVisibility, type UserVisibility, visibilityOf } from "../domain/visibility.ts";
import {
  addShare,
  countOpenShares,
  devicesOf,
  endShare,
  type ListedShareRow,
  noteShareOpened,
  type OpenedShareRow,
  type ShareLabel,
  shareByHash,
} from "../store/access/share-links.ts";
import type { Database, Reader, Transaction } from "../store/database.ts";
import { addAuditEntries } from "../store/fleet/audit.ts";
import { hashCredential } from "./credential.ts";

/** A delivery or a job takes days, not months; who needs more makes another link. */
export const maxShareMs = 30 * dayMs;
/** A page draws the whole track. */
export const maxSharePeriodMs = 31 * dayMs;
/** A visitor looks for one or a few; who needs a whole fleet needs an account. */
export const maxSharedVehicles = 20;
/** Enough for a dispatcher's day, and yet a list that a page can show. */
const maxOpenPerUser = 100;
const maxOpenPerAccount = 1_000;

/** When it was last opened need not be exact, and is not worth a write at each call. */
const noteOpenedMs = 60_000;

export interface ShareRequest {
  readonly maker: UserVisibility;
  readonly name: string;
  readonly label: ShareLabel;
  /** All of them are in the maker's sight. */
  readonly devices: readonly { readonly device: number; readonly id: string }[];
  readonly isLive: boolean;
  /** Half-open; null: no track is shown. */
  readonly period: { readonly fromMs: number; readonly toMs: number } | null;
  readonly expiresAt: number;
}

export interface NewShare {
  readonly id: string;
  /** Shown once: only its hash is stored. */
  readonly secret: string;
}

/** 128 random bits in 22 characters. */
function newSecret(): string {
  return randomBytes(16).toString("base64url");
}

function isSecret(text: string): boolean {
  return /^[\w-]{22}$/.test(text);
}

export async function makeShare(database: Database, request: ShareRequest, now: number): Promise<NewShare> {
  const { maker, name, label, devices, isLive, period, expiresAt } = request;
  const { accountId, userId } = maker;
  const secret = newSecret();
  const id = crypto.randomUUID();
  await database.transaction(async (tx) => {
    await requireRoom(tx, maker, now);
    await addShare(tx, {
      id,
      account_id: accountId,
      user_id: userId,
      secret_hash: hashCredential(secret),
      name,
      label,
      devices_json: JSON.stringify(devices.map(({ device }) => device)),
      is_live: isLive,
      from_at: period?.fromMs ?? null,
      to_at: period?.toMs ?? null,
      created_at: now,
      expires_at: expiresAt,
      last_opened_at: null,
      ended_at: null,
      end_reason: null,
    });
    const details = { vehicles: devices.map((device) => device.id), until: formatInstant(expiresAt) };
    const by = { kind: "user", id: userId } as const;
    await addAuditEntries(tx, accountId, [{ by, action: "share.created", id, details }], now);
  });
  return { id, secret };
}

/** Those who make links at once wait for each other, so that there are never too many. */
async function requireRoom(tx: Transaction, { accountId, userId }: UserVisibility, now: number): Promise<void> {
  await tx.lock(`share links of ${accountId}`);
  const open = await countOpenShares(tx, accountId, userId, now);
  const refuse = (who: string, count: number, max: number) => {
    const message = `${who} ${quantity(count, "open link")}, and may have ${max}; revoke those that are no longer needed`;
    throw new Failure("CONFLICT", message);
  };
  if (open.user >= maxOpenPerUser) refuse("you have", open.user, maxOpenPerUser);
  if (open.account >= maxOpenPerAccount) refuse("this account has", open.account, maxOpenPerAccount);
}

/** Revokes for good. Returns whether it was still open. */
export function revokeShare(
  database: Database,
  share: Pick<ListedShareRow, "account_id" | "id">,
  by: Actor,
  now: number,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const isEnded = await endShare(tx, share, "revoked", now);
    if (isEnded) await addAuditEntries(tx, share.account_id, [{ by, action: "share.revoked", id: share.id }], now);
    return isEnded;
  });
}

/** A link that was opened, and what it shows now. */
export interface OpenShare {
  readonly link: OpenedShareRow;
  readonly visibility: LinkVisibility;
}

/** What its maker would see of its devices, if the link works: a user who may not sign in shares nothing. */
export function visibilityOfShare(link: ListedShareRow): LinkVisibility | null {
  if (link.ended_at !== null || link.user_status !== "active" || link.account_status !== "active") return null;
  const maker = visibilityOf({ accountId: link.account_id, id: link.user_id, role: link.role });
  return linkVisibility(
    link.id,
    maker,
    devicesOf(link).filter((device) => device !== null),
  );
}

/** Finds the link of a visitor. It reads the store each time, so a link that has ended is over at once, on every node. */
export class ShareLinks {
  readonly #database: Database;
  /** Links whose opening is being written. */
  readonly #noting = new Set<string>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Null for a secret that no link has, and for a link that has ended. */
  async find(secret: string, now: number): Promise<OpenShare | null> {
    const link = isSecret(secret) ? await openLink(this.#database, hashCredential(secret)) : null;
    const visibility = link && now < link.expires_at ? visibilityOfShare(link) : null;
    return link && visibility && { link, visibility };
  }

  /** A visitor must not wait or fail because others write: the next call notes it again. */
  noteOpened({ id, last_opened_at }: OpenedShareRow, now: number): void {
    if (this.#noting.has(id) || (last_opened_at !== null && now - last_opened_at < noteOpenedMs)) return;
    this.#noting.add(id);
    this.#database
      .transaction((tx) => noteShareOpened(tx, id, now))
      .catch(() => {})
      .finally(() => this.#noting.delete(id));
  }
}

/** The lookup finds the row by an index; whether it is the right one is decided in constant time. */
async function openLink(reader: Reader, hash: string): Promise<OpenedShareRow | null> {
  const link = await shareByHash(reader, hash);
  return link !== null && timingSafeEqual(Buffer.from(link.secret_hash), Buffer.from(hash)) ? link : null;
}

/** The secret is in the fragment, which a browser never sends: no log of a server or a proxy holds it. */
export function shareAddress(origin: string, secret: string): string {
  return `${origin.replace(/\/+$/, "")}/share#${secret}`;
}
