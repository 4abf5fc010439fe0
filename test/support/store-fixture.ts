import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { SQL } from "bun";
import type { Engine } from "../../src/store/database.ts";
import { fileName } from "../../src/store/sqlite/open.ts";
import type { EmptyStore } from "./engines.ts";
import { type ProgramOptions, runOdograph } from "./program.ts";
import type { RecordedAnswer } from "./recorded-answers.ts";

const directory = new URL("../fixtures/stores/", import.meta.url).pathname;

/** The versions of which there is a store. */
export const fixtureVersions: readonly string[] = readdirSync(directory).toSorted();

export interface StoreFixture {
  readonly keys: Readonly<Record<string, string>>;
  /** Of the ingest port. */
  readonly token: string;
  /** Of a person who signs in to the portal. */
  readonly signIn: { readonly email: string; readonly password: string };
  readonly before: readonly RecordedAnswer[];
  /** A fleet file. */
  readonly laterFrames: string;
}

/** Puts the store that a released version wrote in the place of an empty one. See scripts/store-fixture.ts. */
export async function placeFixture(
  version: string,
  engine: Engine,
  store: Pick<EmptyStore, "target">,
): Promise<StoreFixture> {
  const read = (name: string) => brotliDecompressSync(readFileSync(join(directory, version, name)));
  if (store.target.engine === "sqlite") {
    await Bun.write(join(store.target.directory, fileName), read("sqlite.db.br"));
  } else {
    await runScript(store.target.url, read("postgres.sql.br").toString());
  }
  const answers = JSON.parse(read("answers.json.br").toString())[engine];
  return { ...answers, laterFrames: read("later-frames.ndjson.br").toString() };
}

/** The keys of the store, and one more that a program makes in it now: with a single request a day. */
export async function keysOf(
  { keys, signIn }: StoreFixture,
  options: ProgramOptions,
): Promise<Readonly<Record<string, string>>> {
  const words = ["--name", "one a day", "--scopes", "all", "--per-second", "1000", "--per-day", "1", "--json"];
  const { code, stdout, stderr } = await runOdograph(["keys", "create", "--user", signIn.email, ...words], options);
  if (code !== 0) throw new Error(stderr);
  return { ...keys, "one a day": JSON.parse(stdout).key };
}

/** The script leaves its settings behind, so it gets a connection of its own. */
async function runScript(url: string, script: string): Promise<void> {
  const connection = new SQL({ url, max: 1 });
  try {
    await connection.unsafe(script);
  } finally {
    await connection.close();
  }
}
