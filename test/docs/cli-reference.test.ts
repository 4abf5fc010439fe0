import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { cliReference } from "../../scripts/cli-reference.ts";
import { allCommands, commandNames } from "../../src/cli/commands.ts";

const page = readFileSync("docs/cli.md", "utf8");

test("calls, options and settings in the reference are those of the program: scripts/cli-reference.ts writes them", async () => {
  const commands = await allCommands();
  expect(cliReference(page, commands)).toBe(page);
  const other = commands.map((command) => ({ ...command, details: `${command.details} And more.` }));
  expect(cliReference(page, other)).not.toBe(page);
  expect(() => cliReference(page.replace("## odograph load", "## odograph fly"), commands)).toThrow("## odograph load");
});

test("the reference has no command that the program lacks", () => {
  const headings = [...page.matchAll(/^## odograph (.+)$/gm)].map(([, name = ""]) => name);
  expect(headings).toEqual([...commandNames]);
});
