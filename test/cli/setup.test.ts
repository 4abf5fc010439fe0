import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onEachEngine } from "../support/engines.ts";
import { fleetText, smallFleet } from "../support/fleet.ts";
import { until } from "../support/patience.ts";
import { launcher, type RunningProgram, runOdograph, startOdograph } from "../support/program.ts";
import { newPath } from "./outcome.ts";

const form = {
  account_name: "Nordlicht",
  time_zone: "Europe/Berlin",
  name: "Olga",
  email: "olga@nordlicht.test",
  password: "a fine long password",
};

/** As soon as it was written. */
async function linkIn(file: string): Promise<string> {
  const read = () => readFile(file, "utf8").catch(() => "");
  await until(async () => /#[\w-]{43}\n$/.test(await read()));
  return read();
}

/** Uses a link as its page does. */
function setUp(program: RunningProgram, link: string): Promise<Response> {
  const [, token] = link.trim().split("#");
  const headers = { "X-Odograph-Portal": "1", Origin: program.url };
  const body = JSON.stringify({ token, ...form });
  return fetch(`${program.url}/portal/api/setup`, { method: "POST", headers, body });
}

onEachEngine("a server without an account", (engine) => {
  const start = (store: { readonly env: Readonly<Record<string, string>>; readonly directory: string }) => {
    const workers = engine.name === "postgres" ? ["--workers", "2"] : [];
    const args = ["serve", "--port", "0", "--ingest-port", "0", "--data", store.directory, ...workers];
    return startOdograph(args, { env: store.env });
  };

  test("writes a link into a file that only its user can read, and removes it once it was used", async () => {
    const store = await engine.empty();
    const file = join(store.directory, "setup-link");
    // Whatever lies there, and no matter who can read it.
    await writeFile(file, "an old link");
    await chmod(file, 0o666);
    const program = await start(store);
    const link = await linkIn(file);
    expect(link).toMatch(new RegExp(`^${program.url}/portal/setup#[\\w-]{43}\n$`));
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    expect((await setUp(program, link)).status).toBe(201);
    await until(() => !existsSync(file));
    expect((await setUp(program, link)).status).toBe(404);
    const { code, stdout, stderr } = await program.stop();
    expect(code).toBe(0);
    expect(stdout).toBe(
      `listening ${program.url}\nthere is no account yet; the link to create one, for 24 hours, is in ${file}\n`,
    );
    const [, token = ""] = link.trim().split("#");
    expect(stdout + stderr).not.toContain(token);

    // The next start has nothing to say.
    const again = await start(store);
    expect((await again.stop()).stdout).toBe(`listening ${again.url}\n`);
    expect(existsSync(file)).toBe(false);
  });

  test("makes another link at each start; with SQLite, where there is one server, the old one is useless", async () => {
    const store = await engine.empty();
    const file = join(store.directory, "setup-link");
    const first = await start(store);
    const old = await linkIn(file);
    await first.stop();
    expect(existsSync(file)).toBe(false);
    const program = await start(store);
    const link = await linkIn(file);
    const viaOld = await setUp(program, old);
    expect(viaOld.status).toBe(engine.name === "sqlite" ? 404 : 201);
    expect((await setUp(program, link)).status).toBe(engine.name === "sqlite" ? 201 : 404);
    await program.stop();
  });

  // That a link is worth nothing then, the tests of the portal say on both.
  if (engine.name === "postgres") return;

  test("forgets its link when a fleet file is loaded", async () => {
    const store = await engine.empty();
    const file = join(store.directory, "setup-link");
    const program = await start(store);
    const link = await linkIn(file);
    const loaded = await runOdograph(["load", "-"], { env: store.env, input: fleetText([smallFleet.acme]) });
    expect(loaded.code).toBe(0);
    await until(() => !existsSync(file));
    expect((await setUp(program, link)).status).toBe(404);
    await program.stop();
  });
});

test("at a terminal the link is printed, and no file is written", async () => {
  const data = await newPath("data");
  let shown = "";
  const terminal = {
    data(_: unknown, bytes: Uint8Array) {
      shown += new TextDecoder().decode(bytes);
    },
  };
  const child = Bun.spawn([launcher, "serve", "--port", "0", "--ingest-port", "0", "--data", data], {
    env: { PATH: process.env.PATH ?? "", BUN_FEATURE_FLAG_NO_ORPHANS: "1" },
    terminal,
  });
  await until(() => /\/portal\/setup#[\w-]{43}\s/.test(shown));
  expect(shown).toContain("There is no account yet. Create one within 24 hours at");
  expect(existsSync(join(data, "setup-link"))).toBe(false);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
});
