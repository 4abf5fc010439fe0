import { expect, spyOn } from "bun:test";
import { AsyncLocalStorage } from "node:async_hooks";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findCommand } from "../../src/cli/commands.ts";
import { readCall } from "../../src/cli/common/options.ts";
import { fileFailure } from "../../src/cli/common/output-file.ts";
import { readSettings } from "../../src/cli/settings/settings.ts";
import { errorTable, Failure } from "../../src/domain/errors.ts";
import { type ProgramOptions, type ProgramResult, runOdograph } from "../support/program.ts";

/** Commands that use nothing of their process but standard input. To start a process takes longer than most of them. */
const runHere = new Set([
  "alerts",
  "config",
  "distribute",
  "erase",
  "explain",
  "export",
  "help",
  "import",
  "ingest-tokens",
  "keys",
  "load",
  "rederive",
  "version",
]);

/** Those of them that use no store, so that it does not matter where one would be. */
const withoutStore = new Set(["config", "help", "version"]);

const standardInput = new AsyncLocalStorage<string>();
const readStream = Bun.stdin.stream.bind(Bun.stdin);
spyOn(Bun.stdin, "stream").mockImplementation(() => {
  const input = standardInput.getStore();
  return input === undefined ? readStream() : new Blob([input]).stream();
});

/** Runs a call on a store to its end: in this process if it can be, as `src/cli/main.ts` does. */
export async function runCall(
  args: readonly string[],
  options: ProgramOptions = {},
  mustFail = false,
): Promise<ProgramResult> {
  const [name = "", ...rest] = args;
  const asks = name === "erase" && !args.includes("--yes");
  // It writes records to the standard output of its process.
  const isExport = name === "export" && !mustFail && !args.includes("--output");
  const isElsewhere = options.cwd !== undefined || (options.env === undefined && !withoutStore.has(name));
  if (!runHere.has(name) || asks || isExport || isElsewhere) return runOdograph(args, options);
  const command = await findCommand(name);
  const action = command.actions.find((each) => each.name === null || each.name === rest[0]);
  if (!action) return runOdograph(args, options);
  const { env: environment = {}, input = "" } = options;
  let [stdout, stderr] = ["", ""];
  const terminal = {
    out: (text: string) => {
      stdout += `${text}\n`;
    },
    note: (text: string) => {
      stderr += `${text}\n`;
    },
    progress: () => {},
  };
  try {
    const call = readCall(command, action, action.name === null ? rest : rest.slice(1));
    const settings = () => readSettings(call.options, environment);
    await standardInput.run(input, () => action.run({ ...call, settings, environment, terminal }));
    return { code: 0, stdout, stderr };
  } catch (error) {
    const failure = error instanceof Failure ? error : fileFailure(error);
    if (!failure) throw error;
    terminal.note(`odograph: ${failure.message.replaceAll("\n", " ")}`);
    return { code: errorTable[failure.code].exit, stdout, stderr };
  }
}

/** Runs a call that must fail: nothing on standard output and exactly one line on standard error, which is given. */
export async function complaint(args: readonly string[], code: 1 | 2, options: ProgramOptions = {}): Promise<string> {
  const result = await runCall(args, options, true);
  expect({ args, ...result }).toEqual({
    args,
    code,
    stdout: "",
    stderr: expect.stringMatching(/^odograph: [^\n]+\n$/),
  });
  return result.stderr.slice("odograph: ".length, -1);
}

/** Runs a call that must succeed and complain of nothing. */
export async function output(args: readonly string[], options: ProgramOptions = {}): Promise<string> {
  const result = await runCall(args, options);
  expect({ args, ...result }).toMatchObject({ args, code: 0, stderr: "" });
  return result.stdout;
}

/** A name in a new directory: nothing is there. */
export async function newPath(name: string): Promise<string> {
  return join(await mkdtemp(join(tmpdir(), "odograph-")), name);
}
