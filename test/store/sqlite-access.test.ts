import { Database as Sqlite } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { chmod, rm } from "node:fs/promises";
import { join } from "node:path";
import { platform } from "node:process";
import { fileURLToPath } from "node:url";
import { openDatabase } from "../../src/store/open.ts";
import { sql } from "../../src/store/sql.ts";
import { busyWriter } from "../support/busy-writer.ts";
import { onEachEngine } from "../support/engines.ts";
import { failureOf } from "../support/failures.ts";
import { createSupervisedDirectory } from "../support/supervised-directory.mjs";

const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65534, gid: 65534 };

/** Opens a store as a user without privileges: root may write everywhere. It reads our files before it becomes that. */
const opener = `
  import { openDatabase } from ${JSON.stringify(fileURLToPath(new URL("../../src/store/open.ts", import.meta.url)))};
  if (${isRoot}) {
    process.setgroups([]);
    process.setgid(${nobody.gid});
    process.setuid(${nobody.uid});
  }
  const { directory, create } = JSON.parse(process.env.STORE);
  try {
    await (await openDatabase({ engine: "sqlite", directory }, { create })).close();
    console.log(JSON.stringify({ code: "OPENED" }));
  } catch (error) {
    console.log(JSON.stringify({ code: error.code, message: error.message }));
  }
`;

async function openUnprivileged(directory: string, create: boolean): Promise<object> {
  const child = Bun.spawn([process.execPath, "-e", opener], {
    env: { STORE: JSON.stringify({ directory, create }) },
    stdout: "pipe",
  });
  return JSON.parse(await new Response(child.stdout).text());
}

/** A directory that the unprivileged user can enter, with a store of ours in it that it may not touch. */
async function withForeignStore(
  modes: { readonly directory: number; readonly file: number },
  work: (directory: string) => Promise<void>,
): Promise<void> {
  const place = await createSupervisedDirectory({ owner: isRoot ? nobody : null });
  const directory = join(place.directory, "data");
  try {
    await (await openDatabase({ engine: "sqlite", directory }, { create: true })).close();
    await chmod(join(directory, "odograph.db"), modes.file);
    await chmod(directory, modes.directory);
    await work(directory);
  } finally {
    await chmod(directory, 0o700);
    await rm(directory, { recursive: true });
    await place.remove();
  }
}

describe("an embedded store of another user", () => {
  const readOnly = (message: unknown) => ({ code: "STORE_READ_ONLY", message });
  test.each<[string, directory: number, file: number, answer: (directory: string) => object]>([
    [
      "whose file may not be written is said to be read-only",
      0o777,
      0o444,
      (directory) => readOnly(`the database is read-only: ${join(directory, "odograph.db")} may not be written`),
    ],
    [
      "whose directory may not be written is said to be read-only",
      0o555,
      0o666,
      (directory) => readOnly(`the database is read-only: ${directory} may not be written`),
    ],
    [
      "that may not even be looked for is not said to be missing",
      0o000,
      0o600,
      (directory) => readOnly(expect.stringMatching(new RegExp(`${directory}.*EACCES`))),
    ],
    ["opens where it may be written", 0o777, 0o666, () => ({ code: "OPENED" })],
  ])("%s", (_, directory, file, answer) =>
    withForeignStore({ directory, file }, async (place) => {
      for (const create of [true, false]) expect(await openUnprivileged(place, create)).toEqual(answer(place));
    }),
  );

  test("is not made where nothing may be written", async () => {
    await withForeignStore({ directory: 0o555, file: 0o600 }, async (directory) => {
      const inside = join(directory, "new");
      const message = `the data directory ${inside} cannot be written (EACCES)`;
      expect(await openUnprivileged(inside, true)).toEqual(readOnly(message));
    });
  });
});

onEachEngine("a store whose file another process writes to", (engine) => {
  if (engine.name !== "sqlite") return;

  async function heldStore() {
    const store = await engine.fresh();
    const holder = new Sqlite(join(store.directory, "odograph.db"));
    holder.run("begin immediate");
    holder.run("insert into secrets values ('held', '', 0)");
    return { ...store, holder };
  }
  const writer =
    platform === "linux" ? "another thread of this process" : "another process or another thread of this one";
  const add = (name: string) => sql`insert into secrets values (${name}, '', 0)`;
  const names = sql`select name from secrets order by name`;

  test("is read on meanwhile, opens, and writes when the other is done", async () => {
    const { database, holder, open } = await heldStore();
    const write = database.transaction((tx) => tx.run(add("mine")));
    const other = await open();
    expect([await database.all(names), await other.all(names)]).toEqual([[], []]);
    expect(Bun.peek.status(write)).toBe("pending");
    holder.run("commit");
    expect(await write).toBe(1);
    expect(await other.all(names)).toEqual([{ name: "held" }, { name: "mine" }]);
    holder.close();
  });

  test("says that it is locked when the other takes too long, and writes again afterwards", async () => {
    const { directory, holder } = await heldStore();
    const database = await openDatabase({ engine: "sqlite", directory, lockTimeoutMs: 30 }, { create: false });
    const failures = await Promise.all(
      ["a", "b"].map((name) => failureOf(database.transaction((tx) => tx.run(add(name))))),
    );
    for (const failure of failures) {
      expect(failure).toMatchObject({
        code: "STORE_LOCKED",
        message: `the database ${join(directory, "odograph.db")} is locked by ${writer}`,
      });
    }
    holder.run("rollback");
    holder.close();
    expect(await database.transaction((tx) => tx.run(add("c")))).toBe(1);
    expect(await database.all(names)).toEqual([{ name: "c" }]);
    await database.close();
  });

  test("says that a process holds it, if that is another", async () => {
    const { directory } = await engine.fresh();
    await using child = await busyWriter(directory, 60_000);
    const other = await openDatabase({ engine: "sqlite", directory, lockTimeoutMs: 30 }, { create: false });
    const { message } = await failureOf(other.transaction((tx) => tx.run(add("a"))));
    const process = platform === "linux" ? `another process (${child.pid})` : writer;
    expect(message).toBe(`the database ${join(directory, "odograph.db")} is locked by ${process}`);
    await other.close();
  });

  test("is written in turn with another thread or process that writes without end", async () => {
    const { directory, database } = await engine.fresh();
    await using child = await busyWriter(directory, 20);
    for (const name of ["a", "b", "c"]) {
      await child.nextTransaction();
      expect(await database.transaction((tx) => tx.run(add(name)))).toBe(1);
    }
  });

  test("is made by one of many that start at once, and the others wait", async () => {
    const { directory } = await engine.empty();
    const starts = Array.from({ length: 4 }, () =>
      Bun.spawn([process.execPath, "-e", opener.replace(`if (${isRoot})`, "if (false)")], {
        env: { STORE: JSON.stringify({ directory, create: true }) },
        stdout: "pipe",
      }),
    );
    const answers = await Promise.all(starts.map((child) => new Response(child.stdout).json()));
    expect(answers).toEqual(answers.map(() => ({ code: "OPENED" })));
  });
});
