import { afterAll, beforeAll, expect } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { runOdograph } from "../support/program.ts";
import { completeFleet } from "./fleet.ts";
import { follow, type Reader } from "./follow.ts";
import { Stage } from "./stage.ts";
import { fileThatSays } from "./wrong-files.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
  await stage.write("fleet.ndjson", completeFleet);
  await load(completeFleet);
});
afterAll(() => stage.close());

function load(input: string) {
  return runOdograph(["load", "-", "--data", join(stage.directory, "odograph-data")], { input });
}

/** "The example line of each record below can be loaded once the complete example is." */
const lines: Reader = async (block) => {
  expect(await load(`${block.text}\n`)).toMatchObject({ code: 0, stderr: "" });
};

/** What stands there without a language is what a wrong file is answered with. */
const messages: Reader = async (block) => {
  const shown = block.text.split("\n");
  const printed = await Promise.all(shown.map(async (message) => (await load(fileThatSays(message))).stderr.trimEnd()));
  expect(printed).toEqual(shown);
};

follow("docs/fleet-file.md", () => stage, {
  readers: { json: lines, "": messages },
  before: {
    // The complete example is loaded into a store that has nothing in it.
    "$ odograph load": () => rm(join(stage.directory, "odograph-data"), { recursive: true }),
  },
});
