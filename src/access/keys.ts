import type { Actor } from "../domain/audit.ts";
import { Failure } from "../domain/errors.ts";
import { allScopes, type Scope } from "../domain/scopes.ts";
import { isText, quantity, turnsTextAround } from "../domain/text/text.ts";
import {
  addApiKey,
  apiKeyById,
  countWorkingKeys,
  type ListedApiKeyRow,
  listApiKeys,
  replaceApiKey,
  revokeApiKey,
} from "../store/access/api-keys.ts";
import type { Database, Reader } from "../store/database.ts";
import { accountByInternalId } from "../store/fleet/accounts.ts";
import { addAuditEntries } from "../store/fleet/audit.ts";
import { activeUser, knownUser } from "./active-user.ts";
import { newCredential } from "./credential.ts";

export interface KeyRequest {
  /** The creator's e-mail: the key sees what this user sees. */
  readonly email: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly perSecond: number | null;
  readonly perDay: number | null;
  readonly expiresAt: number | null;
}

/** The only answer that ever holds the secret itself. */
export interface NewKey {
  readonly key: ListedApiKeyRow;
  readonly secret: string;
}

/**
 * How many working keys a user may have, unless the operator changes it: several for each system of a large customer, but
 * too few to get around the limits of one key. A replaced key that still works beside its successor is not counted.
 */
export const defaultMaxKeysPerUser = 100;

export const keyNameExpected = "1 to 100 characters, none of them a control character or one that turns text around";

/** Names are shown in lists, so no character may change the direction in which the text around it is read. */
export function isKeyName(name: string): boolean {
  return isText(name, 1, 100) && !turnsTextAround(name);
}

/** Who does it, unless a user is named. */
export const commandLine: Actor = { kind: "command" };

export async function createKey(
  database: Database,
  request: KeyRequest,
  now: number,
  maxKeysPerUser = defaultMaxKeysPerUser,
  by: Actor = commandLine,
): Promise<NewKey> {
  const name = request.name.trim();
  if (!isKeyName(name)) throw new Failure("INVALID_REQUEST", `the name of a key must have ${keyNameExpected}`);
  if (request.scopes.length === 0) throw new Failure("INVALID_REQUEST", "a key needs at least one scope");
  if (request.expiresAt !== null && request.expiresAt <= now) {
    throw new Failure("INVALID_REQUEST", "the expiry must be in the future");
  }
  const user = await activeUser(database, request.email);
  await requireWithinAccount(database, user.account_id, request);

  const credential = newCredential("apiKey");
  const id = crypto.randomUUID();
  await database.transaction(async (tx) => {
    const { plain } = await countWorkingKeys(tx, { account_id: user.account_id, user_id: user.id }, now);
    if (plain >= maxKeysPerUser) throw tooManyKeys(plain, maxKeysPerUser);
    await addApiKey(tx, {
      account_id: user.account_id,
      id,
      user_id: user.id,
      name,
      prefix: credential.displayPrefix,
      secret_hash: credential.hash,
      scopes: allScopes.filter((scope) => request.scopes.includes(scope)).join(" "),
      limit_per_second: request.perSecond,
      limit_per_day: request.perDay,
      expires_at: request.expiresAt,
      created_at: now,
    });
    await addAuditEntries(tx, user.account_id, [{ by, action: "key.created", id }], now);
  });
  return { key: await keyById(database, id), secret: credential.secret };
}

export async function listKeys(reader: Reader, email: string | null): Promise<ListedApiKeyRow[]> {
  return listApiKeys(reader, email === null ? null : (await knownUser(reader, email)).id);
}

/** Revokes for good. Returns whether it was still working until now. */
export function revokeKey(
  database: Database,
  id: string,
  now: number,
  by: Actor = commandLine,
): Promise<{ readonly row: ListedApiKeyRow; readonly revokedNow: boolean }> {
  return database.transaction(async (tx) => {
    const revokedNow = await revokeApiKey(tx, id, now);
    const row = await keyById(tx, id);
    if (revokedNow) await addAuditEntries(tx, row.account_id, [{ by, action: "key.revoked", id }], now);
    return { row, revokedNow };
  });
}

/**
 * Creates a successor with the same creator, name, scopes, limits and lifetime. The old key works for the overlap, so that
 * its users have time to switch. It cannot have a second successor: its expiry is now the end of the overlap, so its
 * lifetime is no longer known.
 *
 * The successor takes the old key's place in the count of a user's keys, so a key can be replaced at the limit, too. The
 * number of replaced keys that still work is limited as well; otherwise replacing would be a way around the limit.
 */
export function rotateKey(
  database: Database,
  id: string,
  overlapMs: number,
  now: number,
  maxKeysPerUser = defaultMaxKeysPerUser,
  by: Actor = commandLine,
): Promise<NewKey> {
  const credential = newCredential("apiKey");
  const successorId = crypto.randomUUID();
  return database.transaction(async (tx) => {
    const old = await keyById(tx, id);
    await activeUser(tx, old.user_email);
    const { replaced } = await countWorkingKeys(tx, old, now);
    if (overlapMs > 0 && replaced >= maxKeysPerUser) throw tooManyReplaced(replaced);
    if (!(await replaceApiKey(tx, id, { successorId, expiresAt: now + overlapMs }, now))) {
      throw noSuccessor(await apiKeyById(tx, id), now);
    }
    await addApiKey(tx, {
      ...old,
      id: successorId,
      prefix: credential.displayPrefix,
      secret_hash: credential.hash,
      expires_at: old.expires_at === null ? null : now + (old.expires_at - old.created_at),
      created_at: now,
    });
    const details = { successor: successorId };
    await addAuditEntries(tx, old.account_id, [{ by, action: "key.rotated", id, details }], now);
    return { key: await keyById(tx, successorId), secret: credential.secret };
  });
}

function tooManyKeys(working: number, maxKeysPerUser: number): Failure {
  const has = `this user has ${quantity(working, "working key")}`;
  return new Failure("CONFLICT", `${has}, and may have ${maxKeysPerUser}; revoke keys that are no longer used`);
}

function tooManyReplaced(replaced: number): Failure {
  const has = `this user has ${quantity(replaced, "key")} that still ${replaced === 1 ? "works" : "work"} beside a successor`;
  return new Failure("CONFLICT", `${has}; revoke one of them, or replace this key without an overlap`);
}

function noSuccessor(key: ListedApiKeyRow | null, now: number): Failure {
  const isOver = key === null || key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= now);
  return isOver
    ? new Failure("INVALID_REQUEST", "a key that is revoked or expired has no successor; create a new one")
    : new Failure("CONFLICT", "this key is being replaced already; rotate its successor, or create a new key");
}

async function keyById(reader: Reader, id: string): Promise<ListedApiKeyRow> {
  const key = await apiKeyById(reader, id);
  if (!key) throw new Failure("NOT_FOUND", `there is no key with the id ${id}`);
  return key;
}

/** A key may have less than its account, never more. */
async function requireWithinAccount(reader: Reader, accountId: number, request: KeyRequest): Promise<void> {
  const account = await accountByInternalId(reader, accountId);
  if (account.status !== "active") throw new Failure("FORBIDDEN", `the account ${account.name} is suspended`);
  const perSecond = account.limit_per_second;
  const perDay = Math.min(account.limit_per_day, account.limit_account_per_day ?? account.limit_per_day);
  if (request.perSecond !== null && request.perSecond > perSecond) {
    throw new Failure("INVALID_REQUEST", `the account allows at most ${quantity(perSecond, "request")} per second`);
  }
  if (request.perDay !== null && request.perDay > perDay) {
    throw new Failure("INVALID_REQUEST", `the account allows at most ${quantity(perDay, "request")} per day`);
  }
}
