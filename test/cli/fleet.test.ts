import { expect, test } from "bun:test";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { everyRow } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { fleetText, smallFleet, uuid } from "../support/fleet.ts";
import { runOdograph } from "../support/program.ts";
import { complaint, output } from "./outcome.ts";

const fleet = fleetText(Object.values({ ...smallFleet, olga: { ...smallFleet.olga, password: "correct horse" } }));

onEachEngine("odograph fleet export", (engine) => {
  const loaded = async () => {
    const store = await engine.empty();
    await output(["load", "-"], { env: store.env, input: fleet });
    return store;
  };

  test("writes a file that changes nothing in the same store and makes the same fleet in an empty one", async () => {
    const store = await loaded();
    const before = await everyRow(await store.open());
    const file = join(store.directory, "fleet.ndjson");
    const table = await output(["fleet", "export", file], store);
    expect(table.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      [file, "WRITTEN"],
      ["accounts", "2"],
      ["users", "4"],
      ["devices", "4"],
      ["drivers", "0"],
      ["geofences", "2"],
      ["alert settings", "1"],
      [""],
    ]);
    const text = await readFile(file, "utf8");
    const unchanged = JSON.parse(await output(["load", file, "--json"], store));
    expect(unchanged).toMatchObject({ users: { added: 0, changed: 0, unchanged: 4 }, devices: { unchanged: 4 } });
    expect(await everyRow(await store.open())).toEqual(before);

    const other = await engine.empty();
    await output(["load", "-"], { env: other.env, input: text });
    expect(await output(["fleet", "export"], other)).toBe(text);
    expect(await output(["fleet", "export", "-"], other)).toBe(text);
  });

  test("the file is its owner's alone, and another one is replaced only with --force", async () => {
    const store = await loaded();
    const directory = join(store.directory, "exports");
    await mkdir(directory);
    const file = join(directory, "fleet.ndjson");
    await writeFile(file, "precious");
    expect(await complaint(["fleet", "export", file], 1, store)).toBe(`${file} exists already; --force replaces it`);
    expect(await readFile(file, "utf8")).toBe("precious");
    await output(["fleet", "export", file, "--force"], store);
    expect(await readFile(file, "utf8")).toStartWith('{"type":"account"');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    // A directory, a missing one, and what is no file.
    expect(await complaint(["fleet", "export", directory], 2, store)).toBe(`FILE: ${directory} is not a file`);
    const nowhere = join(directory, "nowhere", "fleet.ndjson");
    expect(await complaint(["fleet", "export", nowhere], 1, store)).toBe(`${nowhere} cannot be written (ENOENT)`);
    expect(await readdir(directory)).toEqual(["fleet.ndjson"]);
  });

  test("what a killed export left behind goes with the next one, and nothing else does", async () => {
    const store = await loaded();
    const directory = join(store.directory, "exports");
    await mkdir(directory);
    const others = [`other.ndjson.${uuid(9)}.part`, "fleet.ndjson.part", `fleet.ndjson.${uuid(9)}.part.txt`];
    for (const name of [...others, `fleet.ndjson.${uuid(9)}.part`]) await writeFile(join(directory, name), "hashes");
    await output(["fleet", "export", join(directory, "fleet.ndjson")], store);
    expect((await readdir(directory)).sort()).toEqual([...others, "fleet.ndjson"].sort());
  });

  test("one account alone, and none that does not exist", async () => {
    const store = await loaded();
    const [all, rival] = await Promise.all([
      output(["fleet", "export"], store),
      output(["fleet", "export", "--account", uuid(2).toUpperCase()], store),
    ]);
    expect(all.endsWith(rival)).toBe(true);
    expect(rival.trimEnd().split("\n")).toHaveLength(4);
    const file = join(store.directory, "none.ndjson");
    expect(await complaint(["fleet", "export", file, "--account", uuid(9)], 1, store)).toBe(
      `there is no account with the id ${uuid(9)}`,
    );
    expect((await readdir(store.directory)).filter((name) => name.startsWith("none"))).toEqual([]);
  });

  test("without a store there is nothing to export", async () => {
    const store = await engine.empty();
    const { code, stdout } = await runOdograph(["fleet", "export"], store);
    expect({ code, stdout }).toEqual(engine.name === "sqlite" ? { code: 1, stdout: "" } : { code, stdout: "" });
  });
});
