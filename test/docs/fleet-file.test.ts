import { afterAll, beforeAll, expect } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { editFleet } from "../../src/fleet/edit/edit.ts";
import { openDatabase } from "../../src/store/open.ts";
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

/** What a page says that a person did in the portal. */
async function changeInPortal({ directory }: Stage): Promise<void> {
  const database = await openDatabase(
    { engine: "sqlite", directory: join(directory, "odograph-data") },
    { create: false },
  );
  try {
    const account = { number: 1, id: "5a0f6a52-6c1e-4d0f-9f53-0d3f1c7a1001" };
    const by = { kind: "user", id: "5a0f6a52-6c1e-4d0f-9f53-0d3f1c7a2001" } as const;
    const id = "5a0f6a52-6c1e-4d0f-9f53-0d3f1c7a3002";
    const changes = [{ type: "device" as const, id, revision: 1, fields: { plate: "RV 103" } }];
    await editFleet(database, { account, by, changes, isPreview: false }, Date.now());
  } finally {
    await database.close();
  }
}

const forgetAll = ({ directory }: Stage) => rm(join(directory, "odograph-data"), { recursive: true });

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
    "odograph: line 1: device": changeInPortal,
    // The complete example is loaded into a store that has nothing in it.
    [completeFleet.split("\n")[0] ?? ""]: forgetAll,
    "$ odograph load": forgetAll,
  },
});
