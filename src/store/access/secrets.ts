import { randomBytes } from "node:crypto";
import { type Database, isEmbedded } from "../database.ts";
import { sql } from "../sql.ts";

type SecretName =
  | "cursor_signing"
  | "known_browser_signing"
  | "openid_sign_in"
  | "unsubscribe_signing"
  | "changes_epoch";

/** A secret that all nodes share and that survives a restart. The first node that needs it creates it. */
export async function sharedSecret(database: Database, name: SecretName, now: number): Promise<string> {
  return database.transaction(async (tx) => {
    const fresh = randomBytes(32).toString("base64");
    await tx.writeAny(sql`
      insert into secrets (name, value, created_at) values (${name}, ${fresh}, ${now}) on conflict do nothing`);
    const row = await tx.get<{ value: string }>(sql`select value from secrets where name = ${name}`);
    return row?.value ?? fresh;
  });
}

/**
 * Differs between a store and one that was restored from its backup: there the numbers of changes begin again at an
 * earlier one, and nobody may go on with those that were given before. A restored SQLite store has lost the secret
 * (sqlite/restore.ts); a dump of PostgreSQL is restored into another database, whose number is another one on the same
 * server, but often the same on another server.
 */
export async function changesEpoch(database: Database, now: number): Promise<string> {
  const secret = await sharedSecret(database, "changes_epoch", now);
  if (isEmbedded(database)) return secret;
  const row = await database.get<{ oid: number; server: string }>(sql`
    select oid::bigint as oid, (select system_identifier from pg_control_system())::text as server
    from pg_database where datname = current_database()`);
  return `${secret} ${row?.server} ${row?.oid}`;
}
