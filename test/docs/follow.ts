import { expect, test } from "bun:test";
import { type Block, blocksOf, nameOf, stepsOf } from "./blocks.ts";
import { isNotRun } from "./not-run.ts";
import type { Stage } from "./stage.ts";

/** What is to be done with a block that is not a shell's, given what the commands before it printed. */
export type Reader = (block: Block, stage: Stage, printed: string) => Promise<void>;

export interface Following {
  /** By what stands after the fence. */
  readonly readers?: Readonly<Record<string, Reader>>;
  /** What a page tells the reader to see to in words, by how the block begins. */
  readonly before?: Readonly<Record<string, (stage: Stage) => Promise<void>>>;
  /** What a page says in words that commands print, by how the block begins. */
  readonly prints?: Readonly<Record<string, string>>;
}

/** Not every machine that runs the tests has what a page's reader needs to have. */
const tools = ["curl", "jq", "python3"];

/** Does what a page says, block by block, as a test for each. */
export function follow(
  page: string,
  stage: () => Stage,
  { readers = {}, before = {}, prints = {} }: Following = {},
): void {
  let printed = "";
  for (const block of blocksOf(page)) {
    if (isNotRun(block)) continue;
    test(nameOf(block), async () => {
      const missing = tools.filter((tool) => block.text.includes(tool) && Bun.which(tool) === null);
      if (missing.length > 0) return console.warn(`not run, for want of ${missing}: ${nameOf(block)}`);
      for (const [begins, see] of Object.entries(before)) if (block.text.startsWith(begins)) await see(stage());
      if (block.language === "sh") printed = await runCommands(block.text, stage());
      else if (block.language === "console") for (const step of stepsOf(block)) printed = await runStep(step, stage());
      else await readerOf(block, readers)(block, stage(), printed);
      for (const [begins, said] of Object.entries(prints))
        if (block.text.startsWith(begins)) expect(printed).toBe(said);
    });
  }
}

/** The json block after commands is what the last of them prints. */
export const answer: Reader = async (block, stage, printed) => {
  const last = printed.split("\n").at(-1) ?? "";
  expect(last).toBe(stage.filled(block.text, last));
};

async function runCommands(text: string, stage: Stage): Promise<string> {
  if (isServe(text)) return stage.serve(text);
  const { output, failed } = await stage.run(text);
  expect({ output, failed }).toEqual({ output, failed: [] });
  return output;
}

async function runStep({ command, output: shown }: { command: string; output: string }, stage: Stage): Promise<string> {
  const staysUp = isServe(command) && shown.includes("listening ");
  const printed = staysUp ? await stage.serve(command) : (await stage.run(command, "as it comes")).output;
  // An answer of the API has no line's end, which a page cannot show.
  const ended = printed.replace(/(?<=[^\n])$/, "\n");
  expect(`$ ${command}\n${ended}`).toBe(`$ ${command}\n${stage.filled(shown, ended)}`);
  return printed;
}

function isServe(command: string): boolean {
  return /^(?:bin\/)?odograph serve\b[^\n]*$/.test(command);
}

function readerOf(block: Block, readers: Readonly<Record<string, Reader>>): Reader {
  const reader = readers[block.language];
  if (reader) return reader;
  throw new Error(`nobody knows what to do with a block of "${block.language}" on ${block.page}`);
}
