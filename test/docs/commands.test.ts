import { afterAll, beforeAll, expect } from "bun:test";
import { allCommands } from "../../src/cli/commands.ts";
import { settingsTable } from "../../src/cli/settings/settings-table.ts";
import { completeFleet } from "./fleet.ts";
import { follow, type Reader } from "./follow.ts";
import { morningDrive } from "./morning-drive.ts";
import { Stage } from "./stage.ts";

const commands = await allCommands();

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
  await stage.write("fleet.ndjson", completeFleet);
});
afterAll(() => stage.close());

/** What stands there without a language is how a command is called. Its options are those that the program has. */
const synopsis: Reader = async (block) => {
  if (block.text === "odograph COMMAND [ARGUMENTS] [OPTIONS]") return;
  const actions = commands.flatMap((command) => command.actions.map((action) => ({ command, action })));
  const found = actions.find(({ command, action }) =>
    `${block.text} `.startsWith(["odograph", command.name, ...(action.name ? [action.name] : []), ""].join(" ")),
  );
  if (!found) throw new Error(`no command is called like this: ${block.text}`);
  const { options, settings } = found.action;
  const known = [...options.map(({ name }) => name), ...settings.map((name) => settingsTable[name].flag ?? name)];
  const written = new Set([...block.text.matchAll(/--([\w-]+)/g)].map(([, name]) => name));
  // Every command takes it.
  written.delete("data");
  expect([...written].sort()).toEqual(known.sort());
};

follow("docs/cli.md", () => stage, {
  readers: { "": synopsis },
  before: {
    // "The van was driven on 3 March."
    "$ odograph explain": async (stage) => {
      await stage.write("drive.ndjson", morningDrive());
      await stage.run("odograph load drive.ndjson");
    },
    // "No server and no other command may use the store meanwhile."
    "$ odograph restore": (stage) => stage.stopServer(),
  },
});
