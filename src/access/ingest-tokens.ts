import { Failure } from "../domain/errors.ts";
import { accountsById } from "../store/accounts.ts";
import type { Database, Reader } from "../store/database.ts";
import {
  addIngestToken,
  ingestTokenById,
  type ListedIngestTokenRow,
  listIngestTokens,
  revokeIngestToken,
} from "../store/ingest-tokens.ts";
import { newCredential } from "./credential.ts";

/** Lets a gateway send frames of its account's devices. It cannot read anything. */
export interface IngestToken {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}

export async function createIngestToken(
  database: Database,
  request: { readonly accountId: string; readonly name: string },
  now: number,
): Promise<{ readonly token: IngestToken; readonly secret: string }> {
  const name = request.name.trim();
  if (name === "" || name.length > 100)
    throw new Failure("INVALID_REQUEST", "the name of a token must have 1 to 100 characters");
  const account = await knownAccount(database, request.accountId);
  const credential = newCredential("ingestToken");
  const id = crypto.randomUUID();
  await database.transaction((tx) =>
    addIngestToken(tx, {
      account_id: account.account_id,
      id,
      name,
      prefix: credential.displayPrefix,
      secret_hash: credential.hash,
      created_at: now,
    }),
  );
  return { token: await tokenById(database, id), secret: credential.secret };
}

export async function listTokens(reader: Reader, accountId: string | null): Promise<IngestToken[]> {
  if (accountId !== null) await knownAccount(reader, accountId);
  return (await listIngestTokens(reader, accountId)).map(toIngestToken);
}

/** Revokes for good. Returns whether it was still working until now. */
export function revokeToken(
  database: Database,
  id: string,
  now: number,
): Promise<{ readonly token: IngestToken; readonly revokedNow: boolean }> {
  return database.transaction(async (tx) => {
    const revokedNow = await revokeIngestToken(tx, id, now);
    return { token: await tokenById(tx, id), revokedNow };
  });
}

async function tokenById(reader: Reader, id: string): Promise<IngestToken> {
  const row = await ingestTokenById(reader, id);
  if (!row) throw new Failure("NOT_FOUND", `there is no ingest token with the id ${id}`);
  return toIngestToken(row);
}

async function knownAccount(reader: Reader, id: string): Promise<{ readonly account_id: number }> {
  const [account] = await accountsById(reader, [id]);
  if (!account) throw new Failure("NOT_FOUND", `there is no account with the id ${id}`);
  return account;
}

function toIngestToken(row: ListedIngestTokenRow): IngestToken {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    accountId: row.account,
    accountName: row.account_name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  };
}
