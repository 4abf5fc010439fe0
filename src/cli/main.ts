import { errorTable, Failure } from "../domain/errors.ts";
import { allCommands, findCommand } from "./commands.ts";
import type { Action, Command, CommandCall, Terminal } from "./common/command.ts";
import { readCall } from "./common/options.ts";
import { fileFailure } from "./common/output-file.ts";
import { processTerminal } from "./common/terminal.ts";
import { commandHelp, overview } from "./help.ts";
import { readSettings } from "./settings/settings.ts";

/** Finds the command, reads the call, runs it. */
async function main(words: readonly string[], terminal: Terminal): Promise<void> {
  const [name, ...rest] = words;
  if (name === undefined) throw new Failure("WRONG_CALL", "COMMAND is missing; `odograph help` lists the commands");
  if (name === "--help" || name === "-h") return terminal.out(overview(await allCommands()));
  if (name === "--version" || name === "-v") return main(["version"], terminal);
  const command = await findCommand(name);
  if (rest.includes("--help") || rest.includes("-h")) return terminal.out(commandHelp(command));

  const { action, words: callWords } = chooseAction(command, rest);
  const call = readCall(command, action, callWords);
  const environment = process.env;
  const settings: CommandCall["settings"] = () => readSettings(call.options, environment);
  await action.run({ ...call, settings, environment, terminal });
}

function chooseAction(command: Command, words: readonly string[]): { action: Action; words: readonly string[] } {
  const [only] = command.actions;
  if (command.actions.length === 1 && only?.name === null) return { action: only, words };
  const action = command.actions.find((candidate) => candidate.name === words[0]);
  if (action) return { action, words: words.slice(1) };
  const known = command.actions.map((candidate) => `\`odograph ${command.name} ${candidate.name}\``).join(", ");
  throw new Failure("WRONG_CALL", `${command.name} needs an action: ${known}`);
}

const terminal = processTerminal();
try {
  await main(process.argv.slice(2), terminal);
} catch (error) {
  const failure = error instanceof Failure ? error : fileFailure(error);
  const message =
    failure?.message ?? `internal error: ${error instanceof Error ? error.message || error.name : String(error)}`;
  terminal.note(`odograph: ${message.replaceAll("\n", " ")}`);
  process.exitCode = failure ? errorTable[failure.code].exit : 1;
}
