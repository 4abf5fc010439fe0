import { randomBytes } from "node:crypto";
import type { Database } from "./database.ts";
import { sql } from "./sql.ts";

/** `changes_epoch`: a restored store gets another, so that nobody goes on with the numbers of the one before. */
type SecretName = "cursor_signing" | "known_browser_signing" | "changes_epoch";

/** A secret that all nodes share and that survives a restart. The first node that needs it creates it. */
export async function sharedSecret(database: Database, name: SecretName, now: number): Promise<string> {
  return database.transaction(async (tx) => {
    const fresh = randomBytes(32).toString("base64");
    await tx.run(sql`
      insert into secrets (name, value, created_at) values (${name}, ${fresh}, ${now}) on conflict do nothing`);
    const row = await tx.get<{ value: string }>(sql`select value from secrets where name = ${name}`);
    return row?.value ?? fresh;
  });
}
