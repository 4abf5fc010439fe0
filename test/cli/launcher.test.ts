import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// A package with the real launcher and the real Bun, whose program says what happens to it.

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const program = `
const [what, ...words] = process.argv.slice(2);
const say = (text: string) => console.log(text);
if (what === "tell") say(JSON.stringify({ words, cwd: process.cwd(), pid: process.pid, input: await Bun.stdin.text() }));
else if (what === "end") process.exit(Number(words[0]));
else if (what === "die") process.kill(process.pid, words[0]);
else {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      say(signal);
      // Long enough for a second one that must not come.
      setTimeout(() => process.exit(7), 300);
    });
  }
  setInterval(() => {}, 1000);
  say("ready");
}
`;

const canMakeWay = Bun.spawnSync(["node", "-p", "typeof process.execve"]).stdout.toString().trim() === "function";

let directory = "";
let launcher = "";

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "odograph-launcher-"));
  const root = join(directory, "a package");
  launcher = join(root, "bin/odograph");
  await mkdir(join(root, "src/cli"), { recursive: true });
  await mkdir(join(root, "node_modules"));
  await cp(fileOf("../../bin"), join(root, "bin"), { recursive: true });
  for (const name of ["package.json", "bunfig.toml"]) await cp(fileOf(`../../${name}`), join(root, name));
  await symlink(fileOf("../../node_modules/bun"), join(root, "node_modules/bun"));
  await writeFile(join(root, "src/cli/main.ts"), program);
});

afterAll(() => rm(directory, { recursive: true }));

const bare = { PATH: process.env.PATH ?? "" };

/** As npm sets it: then the launcher stays beside the program, also where Node could make way for it. */
const byNpm = { ...bare, npm_lifecycle_event: "npx" };

function start(words: readonly string[], env: Record<string, string> = bare) {
  return Bun.spawn([launcher, ...words], { cwd: directory, env, stdin: new Blob(["typed"]), stdout: "pipe" });
}

/** Everything that the program says, and how the launcher ended. Runs `act` when the program is ready. */
async function watched(child: Bun.Subprocess<"ignore" | Blob, "pipe", "inherit">, act: () => void) {
  let said = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    const wasReady = said.includes("ready\n");
    said += chunk;
    if (!wasReady && said.includes("ready\n")) act();
  }
  await child.exited;
  return { said: said.trim().split("\n"), code: child.exitCode, signal: child.signalCode };
}

test("hands words, input, directory and exit code through as they are", async () => {
  const words = ["two words", "", "--flag", "'\"$HOME", "*", "Größe"];
  const child = start(["tell", ...words]);
  const started = await new Response(child.stdout).json();
  expect(started).toEqual({ words, cwd: directory, pid: expect.any(Number), input: "typed" });
  expect(await child.exited).toBe(0);
  expect(await start(["end", "3"], byNpm).exited).toBe(3);
});

/** Where Node cannot make way for the program, the launcher stays beside it in any case. */
const ways = canMakeWay ? { "beside the program": byNpm, "making way for it": bare } : { "beside the program": bare };

for (const [name, env] of Object.entries(ways)) {
  test(`hands each signal down once, and waits for the program (${name})`, async () => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      const child = start(["wait"], env);
      expect(await watched(child, () => child.kill(signal))).toEqual({
        said: ["ready", signal],
        code: 7,
        signal: null,
      });
    }
  });

  test(`ends by the signal that ended the program (${name})`, async () => {
    for (const signal of ["SIGKILL", "SIGTERM"] as const) {
      const child = start(["die", signal], env);
      await child.exited;
      expect([child.signalCode, child.exitCode]).toEqual([signal, null]);
    }
  });

  test(`the program ends with a launcher that is killed (${name})`, async () => {
    const child = start(["wait"], env);
    // Its output ends when the last process that could write to it has ended.
    expect(await watched(child, () => child.kill("SIGKILL"))).toMatchObject({ said: ["ready"], signal: "SIGKILL" });
  });

  test(`Ctrl-C at a terminal arrives once (${name})`, async () => {
    let said = "";
    const closed = Promise.withResolvers<void>();
    const child = Bun.spawn([launcher, "wait"], {
      env,
      terminal: {
        exit: () => closed.resolve(),
        data(terminal, bytes) {
          const wasReady = said.includes("ready");
          said += new TextDecoder().decode(bytes);
          if (!wasReady && said.includes("ready")) terminal.write("\x03");
        },
      },
    });
    expect(await child.exited).toBe(7);
    // What it said may be read after its end.
    await closed.promise;
    expect(said.match(/SIG\w+/g)).toEqual(["SIGINT"]);
  });
}

test("ends in order when npm, or the shell that npm started it with, is gone", async () => {
  const shell = Bun.spawn(["sh", "-c", '"$0" wait; :', launcher], { env: byNpm, stdin: "ignore", stdout: "pipe" });
  expect(await watched(shell, () => shell.kill("SIGTERM"))).toMatchObject({ said: ["ready", "SIGTERM"] });
});

test("the program takes over the launcher's process, where Node can do that", async () => {
  if (!canMakeWay) return console.log("not run: this Node has no process.execve");
  const child = start(["tell"]);
  expect(await new Response(child.stdout).json()).toMatchObject({ pid: child.pid });
});

test("says what to do when Bun is missing", async () => {
  const root = join(directory, "without");
  await cp(fileOf("../../bin"), join(root, "bin"), { recursive: true });
  await writeFile(join(root, "package.json"), '{ "type": "module" }');
  const child = Bun.spawn([join(root, "bin/odograph"), "version"], { env: bare, stderr: "pipe" });
  const stderr = await new Response(child.stderr).text();
  expect([await child.exited, stderr]).toEqual([
    1,
    `odograph: Bun is not installed: run \`npm install\` in ${root}/\n`,
  ]);
});
