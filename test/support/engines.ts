import { afterAll, afterEach, beforeAll, describe, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { copyFile, cp, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Database, Engine } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/open.ts";
import { fileName } from "../../src/store/sqlite/open.ts";
import { circle, enginesOf } from "./circles.mjs";
import { createPostgresDatabase, dropsDone } from "./postgres-databases.ts";

export interface EmptyStore {
  readonly target: Parameters<typeof openDatabase>[0];

  /** The settings with which a spawned `odograph` finds the same store. */
  readonly env: Readonly<Record<string, string>>;

  /** A temporary directory for the test's files. With SQLite it is the store's data directory as well. */
  readonly directory: string;

  /** Opens the store once more, as another node would. Closed with the store. */
  open(): Promise<Database>;

  /** Closes what was opened, and leaves the store as it is. */
  close(): Promise<void>;

  /** Closes and removes everything. Happens by itself after the test; a second call does nothing. */
  dispose(): Promise<void>;
}

export interface FreshDatabase extends EmptyStore {
  readonly database: Database;
}

export interface EngineUnderTest {
  readonly name: Engine;

  /** A store of the test's own with the schema in it and no rows. */
  fresh(): Promise<FreshDatabase>;

  /** A store in which nothing has been created yet: no SQLite file, no PostgreSQL table. */
  empty(): Promise<EmptyStore>;

  /**
   * What `prepare` makes of one store, for all tests of the block: for those that only read. Declare it outside of the
   * tests, and ask what it gives inside of them.
   */
  shared<Prepared>(
    prepare: (store: FreshDatabase) => Promise<Prepared>,
    finish?: (prepared: Prepared) => Promise<void>,
  ): () => Prepared;

  /**
   * Gives a store of the test's own as `prepare` left one: it is prepared once, and copied for each test. For tests that
   * begin with the same rows and change them. What `prepare` returns must not hold on to the store that it was given.
   */
  copies<Prepared>(
    prepare: (store: FreshDatabase) => Promise<Prepared>,
  ): () => Promise<FreshDatabase & { readonly prepared: Prepared }>;

  /** Declares a test that mostly waits: all of these in a block begin together, each on a store of its own. */
  testTogether(name: string, use: (store: FreshDatabase) => Promise<void>): void;
}

const repository = join(import.meta.dir, "../..");

/** What is in a store at first. */
type Content = "schema" | "nothing" | { readonly copyOf: EmptyStore };

/**
 * Declares the same tests for both engines, or for those of the circle that runs (circles.mjs). Ask for a store inside a test or a `beforeEach`: what one test was given is
 * taken away after it, so tests declared here must not be concurrent.
 */
export function onEachEngine(name: string, declare: (engine: EngineUnderTest) => void): void {
  for (const engine of enginesHere()) {
    describe(`${name} on ${engine}`, () => {
      const given: EmptyStore[] = [];
      const ends: (() => Promise<void>)[] = [];
      const takeBack = async () => {
        const results = await Promise.allSettled(given.splice(0).map((store) => store.dispose()));
        const failed = results.find((result) => result.status === "rejected");
        if (failed) throw failed.reason;
      };
      afterEach(takeBack);
      // Once more at the end, because `afterEach` does not follow a hook that fails.
      afterAll(async () => {
        await takeBack();
        for (const end of ends) await end();
        await dropsDone();
      });

      const give = async (content: Content) => {
        const store = await (engine === "sqlite" ? sqliteStore(content) : postgresStore(content));
        given.push(store);
        return store;
      };
      const open = async (store: EmptyStore) => ({ ...store, database: await store.open() });
      const fresh = async () => open(await give("schema"));
      /** Not among those that are taken away after each test. */
      const lasting = async () => {
        const store = await fresh();
        given.pop();
        return store;
      };
      const shared: EngineUnderTest["shared"] = (prepare, finish) => {
        const block = sharedStore(lasting, prepare, finish);
        beforeAll(block.begin);
        ends.push(block.end);
        return block.prepared;
      };
      const copies: EngineUnderTest["copies"] = (prepare) => {
        const original = sharedStore(lasting, async (store) => {
          const prepared = await prepare(store);
          await store.close();
          return { store, prepared };
        });
        ends.push(original.end);
        let begun: Promise<void> | undefined;
        return async () => {
          begun ??= original.begin();
          await begun;
          const { store, prepared } = original.prepared();
          return { ...(await open(await give({ copyOf: store }))), prepared };
        };
      };
      const testTogether: EngineUnderTest["testTogether"] = (name, use) => {
        const begun = shared(async (store) => {
          const done = use(store);
          // Its test says so.
          done.catch(() => {});
          return { done };
        });
        test(name, () => begun().done);
      };
      declare({ name: engine, empty: () => give("nothing"), fresh, shared, copies, testTogether });
    });
  }
}

function enginesHere(): readonly Engine[] {
  return enginesOf(circle(), relative(repository, Bun.main), readFileSync(Bun.main, "utf8"));
}

function sharedStore<Prepared>(
  fresh: () => Promise<FreshDatabase>,
  prepare: (store: FreshDatabase) => Promise<Prepared>,
  finish: (prepared: Prepared) => Promise<void> = async () => {},
) {
  let store: FreshDatabase | undefined;
  let made: { readonly prepared: Prepared } | undefined;
  return {
    begin: async () => {
      store = await fresh();
      made = { prepared: await prepare(store) };
    },
    prepared: () => {
      if (!made) throw new Error("a shared store is there inside of tests only");
      return made.prepared;
    },
    end: async () => {
      try {
        if (made) await finish(made.prepared);
      } finally {
        await store?.dispose();
      }
    },
  };
}

async function sqliteStore(content: Content): Promise<EmptyStore> {
  const directory = await temporaryDirectory();
  if (content === "schema") await placeSqliteFile(directory);
  if (typeof content === "object") await cp(content.copyOf.directory, directory, { recursive: true });
  return store({ engine: "sqlite", directory }, { ODOGRAPH_DATA: directory }, directory, () => {});
}

async function postgresStore(content: Content): Promise<EmptyStore> {
  const { url, drop } = await createPostgresDatabase(
    typeof content === "string" ? content : { copyOf: content.copyOf.env.DATABASE_URL ?? "" },
  );
  const directory = await temporaryDirectory();
  // Four times as patient as a server: a busy machine is no silent one.
  const target = { engine: "postgres", url, statementTimeoutMs: 60_000 } as const;
  return store(target, { DATABASE_URL: url, ODOGRAPH_DATA: directory }, directory, drop);
}

function store(target: EmptyStore["target"], env: EmptyStore["env"], directory: string, drop: () => void): EmptyStore {
  const opened: Database[] = [];
  const close = async () => {
    await Promise.all(opened.splice(0).map((database) => database.close()));
  };
  const dispose = async () => {
    // Whatever fails, the rest goes too.
    try {
      await close();
    } finally {
      drop();
      await rm(directory, { recursive: true, force: true });
    }
  };
  let disposed: Promise<void> | undefined;
  return {
    target,
    env,
    directory,
    open: async () => {
      const database = await openDatabase(target, { create: true });
      opened.push(database);
      return database;
    },
    close,
    dispose: () => {
      disposed ??= dispose();
      return disposed;
    },
  };
}

function temporaryDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), "odograph-"));
}

/** Migrating takes far longer than copying, so it is done once in a run. `bun test` alone migrates each file. */
const run = process.env.ODOGRAPH_TEST_RUN;

/** Puts a file with the schema in it, and no rows, into a directory. */
async function placeSqliteFile(directory: string): Promise<void> {
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
