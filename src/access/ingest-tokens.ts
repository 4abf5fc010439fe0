import type { Actor } from "../domain/audit.ts";
import { Failure } from "../domain/errors.ts";
import { quantity } from "../domain/text/text.ts";
import {
  addIngestToken,
  countWorkingTokens,
  ingestTokenById,
  type ListedIngestTokenRow,
  listIngestTokens,
  revokeIngestToken,
} from "../store/access/ingest-tokens.ts";
import type { Database, Reader, Transaction } from "../store/database.ts";
import { accountsById } from "../store/fleet/accounts.ts";
import { addAuditEntries } from "../store/fleet/audit.ts";
import { newCredential } from "./credential.ts";
import { commandLine, isKeyName, keyNameExpected } from "./keys.ts";

/** One for each phone of a large fleet, and yet a list that a page can show. Commands may make more. */
export const maxTokensPerAccount = 1_000;

/** For a token, which lets a gateway send frames of its account's devices. It cannot read anything. */
interface TokenRequest {
  readonly accountId: string;
  readonly name: string;
  readonly by?: Actor;
  /** How many working tokens the account may have. */
  readonly max?: number;
}

export async function createIngestToken(
  database: Database,
  { accountId, name: given, by = commandLine, max = Number.POSITIVE_INFINITY }: TokenRequest,
  now: number,
): Promise<{ readonly token: ListedIngestTokenRow; readonly secret: string }> {
  const name = given.trim();
  if (!isKeyName(name)) throw new Failure("INVALID_REQUEST", `the name of a token must have ${keyNameExpected}`);
  const { account_id } = await knownAccount(database, accountId);
  const credential = newCredential("ingestToken");
  const id = crypto.randomUUID();
  await database.transaction(async (tx) => {
    // Those who make tokens at once wait for each other, so that there are never too many.
    if (max !== Number.POSITIVE_INFINITY) await requireFewerThan(tx, account_id, max);
    await addIngestToken(tx, {
      account_id,
      id,
      name,
      prefix: credential.displayPrefix,
      secret_hash: credential.hash,
      created_at: now,
    });
    await addAuditEntries(tx, account_id, [{ by, action: "token.created", id }], now);
  });
  return { token: await tokenById(database, id), secret: credential.secret };
}

async function requireFewerThan(tx: Transaction, accountId: number, max: number): Promise<void> {
  await tx.lock(`ingest tokens of ${accountId}`);
  const count = await countWorkingTokens(tx, accountId);
  if (count < max) return;
  const has = quantity(count, "working token");
  throw new Failure("CONFLICT", `this account has ${has}, and may have ${max}; revoke those that are no longer used`);
}

export async function listTokens(reader: Reader, accountId: string | null): Promise<ListedIngestTokenRow[]> {
  if (accountId !== null) await knownAccount(reader, accountId);
  return listIngestTokens(reader, accountId);
}

/** Revokes for good. Returns whether it was still working until now. */
export function revokeToken(
  database: Database,
  id: string,
  now: number,
  by: Actor = commandLine,
): Promise<{ readonly row: ListedIngestTokenRow; readonly revokedNow: boolean }> {
  return database.transaction(async (tx) => {
    const accountId = await revokeIngestToken(tx, id, now);
    const revokedNow = accountId !== null;
    if (revokedNow) await addAuditEntries(tx, accountId, [{ by, action: "token.revoked", id }], now);
    return { row: await tokenById(tx, id), revokedNow };
  });
}

async function tokenById(reader: Reader, id: string): Promise<ListedIngestTokenRow> {
  const token = await ingestTokenById(reader, id);
  if (!token) throw new Failure("NOT_FOUND", `there is no ingest token with the id ${id}`);
  return token;
}

async function knownAccount(reader: Reader, id: string): Promise<{ readonly account_id: number }> {
  const [account] = await accountsById(reader, [id]);
  if (!account) throw new Failure("NOT_FOUND", `there is no account with the id ${id}`);
  return account;
}
