import { quantity } from "../../domain/text/text.ts";
import { restoreSqlite } from "../../store/sqlite/restore.ts";
import { type CommandCall, command, jsonOption } from "../common/command.ts";
import { asWord, postgresHasTools } from "./backup.ts";

export const restoreCommand = command({
  name: "restore",
  summary: "replace the embedded store with a backup",
  details: [
    "FILE is what `odograph backup` or `litestream restore` wrote. It is checked before anything is replaced. Stop",
    "the server first: nothing else may use the store during a restore. Clients that follow the fleet must begin",
    "again. For PostgreSQL use its own tools.",
  ].join("\n"),
  arguments: ["FILE"],
  options: [{ name: "replace", help: "overwrite the store that is there; its content is lost" }, jsonOption],
  run: restore,
});

async function restore(call: CommandCall): Promise<void> {
  const [file = ""] = call.arguments;
  const { store } = call.settings();
  if (store.engine === "postgres") {
    // Not with --clean: it would leave the tables of another version behind.
    const command = `pg_restore --no-owner --exit-on-error --dbname="$DATABASE_URL" ${asWord(file)}`;
    throw postgresHasTools(`${command} (into an empty database)`);
  }
  const restored = await restoreSqlite(file, store.directory, { replace: call.options.replace === true });
  if (call.options.json) return call.terminal.out(JSON.stringify({ file, ...restored }));
  const { accounts, devices, sha256 } = restored;
  if (sha256 === null) {
    call.terminal.note(
      `${file} has no checksum, since another tool wrote it: its structure was checked, but not every bit of its content`,
    );
  }
  call.terminal.out(
    `${store.directory} holds what ${file} held: ${quantity(accounts, "account")}, ${quantity(devices, "device")}`,
  );
}
