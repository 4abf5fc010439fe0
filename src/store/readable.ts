import { Failure } from "../domain/errors.ts";
import { hasTable } from "./conversion.ts";
import type { Reader } from "./database.ts";
import { allAccounts } from "./each-account.ts";
import { requireKnownForms, whatToDo } from "./forms.ts";
import { lastVersion, predecessor } from "./migrations.ts";
import { sql } from "./sql.ts";

/** A store or a backup of one, as messages call it. */
interface NamedStore {
  readonly name: string;
  readonly isBackup: boolean;
}

/** Refuses what a newer program wrote, and what the release before 2.0 has not brought up to date. Changes nothing. */
export async function requireReadable(reader: Reader, version: number, store: NamedStore): Promise<void> {
  if (version === 0) return;
  requireKnownVersion(version, store);
  await requireKnownForms(reader);
  if (version === predecessor.schema) await requireFinished(reader, store);
}

export function requireKnownVersion(version: number, store: NamedStore): void {
  const found = `${store.name} has schema version ${version}`;
  if (version > lastVersion) {
    throw new Failure("STORE_TOO_NEW", `${found}, this program knows only up to ${lastVersion}: ${whatToDo}`);
  }
  if (version < predecessor.schema)
    throw tooOld(store, `${found}, this program reads only from ${predecessor.schema} on`);
}

/** The predecessor converts rows when it opens a store, and derives devices again while it serves. Either may have been stopped. */
async function requireFinished(reader: Reader, store: NamedStore): Promise<void> {
  for (const table of predecessor.rewrites) {
    if (await hasTable(reader, table)) throw tooOld(store, `${store.name} is converted only in part`);
  }
  let waiting = 0;
  for await (const account of allAccounts(reader)) {
    const found = await reader.get<{ count: number }>(
      sql`select count(*) as count from device_folds where account_id = ${account} and rules < ${predecessor.rules}`,
    );
    waiting += found?.count ?? 0;
  }
  if (waiting > 0) throw tooOld(store, `${store.name} has devices that wait to be derived again (${waiting})`);
}

function tooOld({ isBackup }: NamedStore, why: string): Failure {
  const how = isBackup ? "restore it with" : "open it with";
  const until = "let its `odograph serve` run until no device waits to be derived again";
  return new Failure("STORE_TOO_OLD", `${why}: ${how} version ${predecessor.release} first, and ${until}`);
}
