import { existsSync } from "node:fs";
import { copyFile, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase } from "../../src/store/open.ts";
import { fileName } from "../../src/store/sqlite/open.ts";

/** Migrating takes far longer than copying, so it is done once in a run. `bun test` alone migrates each file. */
const run = process.env.ODOGRAPH_TEST_RUN;

/** Puts a file with the schema in it, and no rows, into a directory. */
export async function placeSqliteFile(directory: string): Promise<void> {
  if (run === undefined) return;
  const template = join(run, "template.db");
  if (!existsSync(template)) await makeTemplate(run, template);
  await copyFile(template, join(directory, fileName));
}

/** Under another name until it is complete. Two processes may both make it: either is a good one. */
async function makeTemplate(run: string, template: string): Promise<void> {
  const directory = await mkdtemp(join(run, "unfinished-"));
  const database = await openDatabase({ engine: "sqlite", directory }, { create: true });
  await database.close();
  await rename(join(directory, fileName), template);
  await rm(directory, { recursive: true });
}
