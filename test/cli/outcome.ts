import { expect } from "bun:test";
import { type ProgramOptions, runOdograph } from "../support/program.ts";

/** Runs a call that must fail: nothing on standard output and exactly one line on standard error, which is given. */
export async function complaint(args: readonly string[], code: 1 | 2, options: ProgramOptions = {}): Promise<string> {
  const result = await runOdograph(args, options);
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
  const result = await runOdograph(args, options);
  expect({ args, ...result }).toMatchObject({ args, code: 0, stderr: "" });
  return result.stdout;
}
