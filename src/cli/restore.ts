import { counted } from "../domain/text.ts";
import { restoreSqlite } from "../store/sqlite/restore.ts";
import { asWord, postgresHasTools } from "./backup.ts";
import type { Call, Command } from "./command.ts";

export const restoreCommand: Command = {
  name: "restore",
  summary: "put a backup in the place of the embedded store",
  details: [
    "FILE is what `odograph backup` wrote. It is checked before anything is replaced, every bit by its checksum, and then",
    "takes the store's place at once. No server and no other command may use the store meanwhile. PostgreSQL has its own",
    "tools for this.",
  ].join("\n"),
  actions: [
    {
      name: null,
      arguments: ["FILE"],
      summary: "put a backup in the place of the embedded store",
      options: [
        { name: "replace", help: "also if there is a store already, which is lost" },
        { name: "json", help: "print an object for scripts" },
      ],
      settings: [],
      run,
    },
  ],
};

async function run(call: Call): Promise<void> {
  const [file = ""] = call.arguments;
  const { store } = call.settings();
  if (store.engine === "postgres") {
    // Not with --clean: pg_restore cannot drop what partitions inherit.
    const command = `pg_restore --no-owner --exit-on-error --dbname="$DATABASE_URL" ${asWord(file)}`;
    throw postgresHasTools(`${command} (into an empty database)`);
  }
  const restored = await restoreSqlite(file, store.directory, { replace: call.options.replace === true });
  if (call.options.json) return call.terminal.out(JSON.stringify({ file, ...restored }));
  const { accounts, devices, sha256 } = restored;
  if (sha256 === null) {
    call.terminal.note(
      `${file} carries no checksum (1.0.0 wrote none): its structure was checked, but not every bit of its content`,
    );
  }
  call.terminal.out(
    `${store.directory} holds what ${file} held: ${counted(accounts, "account")}, ${counted(devices, "device")}`,
  );
}
