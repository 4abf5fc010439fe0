import { exportFleet } from "../fleet/export.ts";
import { type CommandCall, command } from "./common/command.ts";
import { uuidOption } from "./common/options.ts";
import { writePrivateFile } from "./common/private-file.ts";
import { textTable } from "./common/table.ts";
import { standardOutput } from "./export/export-output.ts";
import { withStore } from "./store/open-store.ts";

export const fleetCommand = command({
  name: "fleet",
  summary: "write the whole fleet as a fleet file",
  details: [
    "Writes what `odograph load` reads: accounts, users with the hashes of their passwords, devices, geofences and",
    "alert settings with all their versions. Loading it into an empty store gives the same fleet. It holds no keys,",
    "tokens or sessions, no frames, and nothing that was removed. Without FILE, or with -, it goes to standard",
    "output. FILE can be read by its owner only.",
  ].join("\n"),
  actions: [
    {
      name: "export",
      arguments: ["[FILE]"],
      summary: "write the fleet as a fleet file",
      options: [
        { name: "account", placeholder: "ID", help: "only this account" },
        { name: "force", help: "replace FILE if it exists" },
      ],
      run: exportAll,
    },
  ],
});

async function exportAll(call: CommandCall): Promise<void> {
  const [path = "-"] = call.arguments;
  const account = uuidOption(call, "account");
  const { terminal } = call;
  if (path === "-") {
    const output = standardOutput();
    // Nothing is reported between the lines if both go to the same terminal.
    const progress = process.stdout.isTTY === true ? () => {} : terminal.progress;
    await withStore(call, (database) => exportFleet(database, account, output.write, progress));
    return;
  }
  const counts = await withStore(call, (database) =>
    writePrivateFile(path, { replace: call.options.force === true }, (write) =>
      exportFleet(database, account, write, terminal.progress),
    ),
  );
  const rows = Object.entries(counts).map(([type, count]) => [type.replace("_", " "), String(count)]);
  terminal.out(textTable([path, "WRITTEN"], rows));
}
