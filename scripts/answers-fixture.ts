/**
 * Records what a released version answers, from the store that it wrote itself (scripts/store-fixture.ts): statuses,
 * headers and bodies of a few hundred requests. Run it once for each release, with the program that is released, and never
 * again:
 *
 *   node_modules/.bin/bun scripts/answers-fixture.ts VERSION PATH/TO/ITS/bin/odograph
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import type { StoreTarget } from "../src/store/open.ts";
import { createPostgresDatabase, dropsDone } from "../test/support/postgres-databases.ts";
import { startOdograph } from "../test/support/program.ts";
import { ask, questionsAbout } from "../test/support/questions.ts";
import { keysOf, placeFixture } from "../test/support/store-fixture.ts";

const [version, program] = process.argv.slice(2);
if (version === undefined || program === undefined) throw new Error("expected a version and its program");

const scratch = await mkdtemp(join(tmpdir(), "odograph-answers-"));
const postgres = await createPostgresDatabase("nothing");
try {
  const recorded = {
    sqlite: await record({ engine: "sqlite", directory: scratch }, { ODOGRAPH_DATA: scratch }),
    postgres: await record({ engine: "postgres", url: postgres.url }, { DATABASE_URL: postgres.url }),
  };
  const directory = new URL(`../test/fixtures/answers/${version}/`, import.meta.url).pathname;
  await mkdir(directory, { recursive: true });
  // The answers of the two engines are nearly the same: a window that holds both.
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  await writeFile(join(directory, "answers.json.br"), brotliCompressSync(JSON.stringify(recorded), { params }));
} finally {
  postgres.drop();
  await dropsDone();
  await rm(scratch, { recursive: true, force: true });
}

async function record(target: StoreTarget, env: Readonly<Record<string, string>>) {
  const fixture = await placeFixture(version ?? "", target.engine, { target });
  const keys = await keysOf(fixture, { program: program ?? "", env });
  const server = await startOdograph(["serve", "--port", "0", "--ingest-port", "0"], { program: program ?? "", env });
  try {
    const questions = questionsAbout(fixture.before);
    const answers = await ask(server.url, keys, questions);
    return questions.map((question, index) => ({ question, answer: answers[index] }));
  } finally {
    await server.stop();
  }
}
