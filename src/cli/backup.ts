import { resolve } from "node:path";
import { Failure } from "../domain/errors.ts";
import { backupSqlite } from "../store/sqlite/backup.ts";
import type { Call, Command } from "./command.ts";

export const backupCommand: Command = {
  name: "backup",
  summary: "copy the embedded store to a file",
  details: [
    "Writes the whole store as of one moment to FILE, which must not be there yet. A server may run meanwhile. The file",
    "is a SQLite database with a checksum at its end, by which `odograph restore` finds whatever has changed in it.",
    "The file holds password hashes and secrets: only its own user may read it. PostgreSQL has its own tools for this.",
  ].join("\n"),
  actions: [
    {
      name: null,
      arguments: ["FILE"],
      summary: "copy the embedded store to a file",
      options: [{ name: "json", help: "print an object for scripts" }],
      settings: [],
      run,
    },
  ],
};

async function run(call: Call): Promise<void> {
  const [file = ""] = call.arguments;
  const { store } = call.settings();
  if (store.engine === "postgres") {
    throw postgresHasTools(`pg_dump --format=custom --file=${asWord(file)} "$DATABASE_URL"`);
  }
  const { bytes, sha256 } = await backupSqlite(store.directory, resolve(file));
  if (call.options.json) return call.terminal.out(JSON.stringify({ file, bytes, sha256 }));
  call.terminal.out(`${file} holds the store as it was: ${bytes} bytes`);
}

/** The address is left to the shell: it may hold a password. */
export function postgresHasTools(command: string): Failure {
  return new Failure("WRONG_CALL", `the store is PostgreSQL, which has tools of its own: ${command}`);
}

/** A file's name as a word of the shell. */
export function asWord(name: string): string {
  return /^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
