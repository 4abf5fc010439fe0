import { resolve } from "node:path";
import { Failure } from "../../domain/errors.ts";
import { backupSqlite } from "../../store/sqlite/backup.ts";
import { lastBackupFile, markFile } from "../../store/time-files.ts";
import { type CommandCall, command, jsonOption } from "../common/command.ts";

export const backupCommand = command({
  name: "backup",
  summary: "copy the embedded store to a file",
  details: [
    "Writes the store as it is at one moment to FILE, which must not exist yet. A server may be running. The file",
    "is a SQLite database with a checksum, which `odograph restore` checks. It holds password hashes and secrets,",
    "so only its owner may read it. The file `last-backup` of the data directory gets the time of it, for the",
    "server's metrics. For PostgreSQL use its own tools.",
  ].join("\n"),
  arguments: ["FILE"],
  options: [jsonOption],
  run: backup,
});

async function backup(call: CommandCall): Promise<void> {
  const [file = ""] = call.arguments;
  const { store } = call.settings();
  if (store.engine === "postgres") {
    throw postgresHasTools(`pg_dump --format=custom --file=${asWord(file)} "$DATABASE_URL"`);
  }
  const { bytes, sha256 } = await backupSqlite(store.directory, resolve(file));
  // The server's metrics say how old it is.
  const noted = lastBackupFile(store.directory);
  if (!markFile(noted, Date.now())) call.terminal.note(`the backup is made, but ${noted} could not be written`);
  if (call.options.json) return call.terminal.out(JSON.stringify({ file, bytes, sha256 }));
  call.terminal.out(`${file} holds the store as it was: ${bytes} bytes`);
}

/** The shell fills in the address, which may hold a password. */
export function postgresHasTools(command: string): Failure {
  return new Failure("WRONG_CALL", `the store is PostgreSQL; use its own tool: ${command}`);
}

/** A file's name as a word of the shell. */
export function asWord(name: string): string {
  return /^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
