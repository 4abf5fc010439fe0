import { Failure } from "../domain/errors.ts";
import type { FleetFile } from "../fleet/fleet-file.ts";
import { type LoadSummary, loadFleet } from "../fleet/load.ts";
import { collectFleet } from "../fleet/parse.ts";
import type { Call, Command, Terminal } from "./command.ts";
import { withStore } from "./open-store.ts";
import { readLines } from "./read-lines.ts";
import { textTable } from "./table.ts";

export const loadCommand: Command = {
  name: "load",
  summary: "load a fleet file: accounts, users, devices, geofences, alert settings",
  details: [
    "FILE holds one JSON object a line, each with a `type`; - reads standard input. docs/fleet-file.md lists the fields.",
    "A line that is wrong stops it, with the line's number and what was expected, and nothing is stored.",
    "A line is the whole record: what it leaves out is unset (a password stays). Loading a file again changes nothing.",
  ].join("\n"),
  actions: [
    {
      name: null,
      arguments: ["FILE|-"],
      summary: "load a fleet file, all of it or nothing",
      options: [{ name: "json", help: "print what was done as an object for scripts" }],
      settings: [],
      run: load,
    },
  ],
};

async function load(call: Call): Promise<void> {
  const [path = "-"] = call.arguments;
  const { terminal } = call;
  // The settings are read first, so that a wrong one is told before a long file is.
  const { store } = call.settings();
  const file = await readFleetFile(path, terminal);
  for (const [field, { line, count }] of file.unknownFields) {
    terminal.note(`odograph: ${field} is not known and was left out (line ${line}, ${count} in all)`);
  }
  if (file.firstFrameLine !== null) {
    throw new Failure("FLEET_FILE_INVALID", `line ${file.firstFrameLine}: frames cannot be loaded yet, only the fleet`);
  }
  const summary = await withStore(store, { create: true }, (database) =>
    loadFleet(database, file, Date.now(), terminal.progress),
  );
  terminal.out(call.options.json ? JSON.stringify(summary) : summaryText(summary));
}

async function readFleetFile(path: string, terminal: Terminal): Promise<FleetFile> {
  const fleet = collectFleet();
  await readLines(path, fleet.add, (done, total) => terminal.progress("reading", done, total));
  return fleet.finish();
}

function summaryText(summary: LoadSummary): string {
  const rows = Object.entries(summary).map(([type, { added, changed, unchanged }]) => [
    type.replace("_", " "),
    ...[added, changed, unchanged].map(String),
  ]);
  return textTable(["", "ADDED", "CHANGED", "UNCHANGED"], rows);
}
