import { afterAll, beforeAll } from "bun:test";
import { completeFleet } from "./fleet.ts";
import { follow, type Reader } from "./follow.ts";
import { morningDrive } from "./morning-drive.ts";
import { Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
  await stage.write("fleet.ndjson", completeFleet);
});
afterAll(() => stage.close());

/** Calls and lists that `scripts/cli-reference.ts` writes: cli-reference.test.ts holds them to the program. */
const written: Reader = async () => {};

follow("docs/cli.md", () => stage, {
  readers: { "": written, text: written },
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
