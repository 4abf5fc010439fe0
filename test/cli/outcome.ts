import { expect } from "bun:test";
import { type ProgramOptions, type ProgramResult, runOdograph } from "../support/program.ts";

/** How far the work is, which a slow machine gets to hear, and a quick one does not. */
const progress = /^[a-z ]+: \d+ %\n/gm;

/** Runs a call that must fail: nothing on standard output and exactly one line on standard error, which is given. */
export async function complaint(args: readonly string[], code: 1 | 2, options: ProgramOptions = {}): Promise<string> {
  const printed = await runOdograph(args, options);
  const result = { ...printed, stderr: printed.stderr.replace(progress, "") };
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
  const result: ProgramResult = await runOdograph(args, options);
  const stderr = result.stderr.replace(progress, "");
  expect({ args, ...result, stderr }).toMatchObject({ args, code: 0, stderr: "" });
  return result.stdout;
}
