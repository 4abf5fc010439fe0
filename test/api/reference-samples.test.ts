import { afterAll, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { completed } from "../../src/api/reference/samples/call.ts";
import { type SampleLanguage, sampleOf } from "../../src/api/reference/samples/samples.ts";
import { servedWorld } from "../client/served-world.ts";
import { startWorld, stopWorld } from "../support/api-fleet.ts";
import { onOneEngine } from "../support/one-engine.ts";
import {
  inFolder,
  programNamed,
  pythonClient,
  type RecordedRequest,
  type SampledCall,
  sampledCalls,
  startRecorder,
  typescriptCompiler,
  typescriptSettings,
} from "../support/samples.ts";

const calls = sampledCalls();
const recorder = startRecorder();
afterAll(() => recorder.stop());

const quietCurl = (line: string) => line.replace("curl ", "curl --silent --show-error --fail-with-body ");

/** Run the samples that are named as arguments, in this order. */
const pythonDriver = "import runpy, sys\nfor path in sys.argv[1:]: runpy.run_path(path)";
const typescriptDriver = "for (const path of process.argv.slice(2)) await import(path);";

/** As files `0.ts`, `1.ts` and so on. */
function filesOf(language: SampleLanguage, ending: string): Record<string, string> {
  const files = calls.map(({ call, entered }, index): [string, string] => [
    `${index}${ending}`,
    `${sampleOf(language, call, entered)}\n`,
  ]);
  return Object.fromEntries(files);
}

/** What a sample asks. Clients read JSON without being asked to, and follow the changes in the largest pages. */
function expectedOf({ call, entered }: SampledCall, isClient: boolean): RecordedRequest {
  const values = completed(call, entered);
  const path = call.path.replace(/\{(\w+)\}/g, (_, parameter: string) => values[parameter] ?? "");
  const inQuery = call.parameters.filter(({ place }) => place === "query").map((parameter) => parameter.name);
  const query = Object.fromEntries(Object.entries(values).filter(([parameter]) => inQuery.includes(parameter)));
  if (isClient && query.format === "json") delete query.format;
  if (isClient && follows({ call, entered })) query.limit ??= "500";
  return { path: `/v1${path}`, query, key: call.needsKey ? "odo_key" : null };
}

/** Whether a client follows for as long as the program runs. */
function follows({ call, entered }: Pick<SampledCall, "call" | "entered">): boolean {
  return call.operationId === "listChanges" && (entered.format ?? "json") === "json";
}

/** Runs samples and holds what they ask against what was entered. */
async function expectRequests(samples: readonly SampledCall[], command: readonly string[], client?: "client") {
  const isEndless = client !== undefined && samples.some(follows);
  const variables = { BASE: recorder.base, KEY: "odo_key", PYTHONPATH: pythonClient };
  const requests = await recorder.requestsOf(command, variables, isEndless);
  expect(requests).toEqual(samples.map((sampled) => expectedOf(sampled, client !== undefined)));
}

test("every curl line asks for what was entered, whatever a shell makes of it", async () => {
  const shell = programNamed("sh");
  if (shell === null || programNamed("curl") === null) return;
  const lines = calls.map(({ call, entered }) => sampleOf("curl", call, entered));
  await expectRequests(calls, [shell, "-ec", lines.map(quietCurl).join("\n")]);
});

/** One after the other in one interpreter: to start it takes longer than a sample. One that follows has its own. */
async function expectClientRequests(command: readonly string[], fileOf: (index: number) => string): Promise<void> {
  const run = (samples: readonly SampledCall[]) =>
    expectRequests(samples, [...command, ...samples.map((sampled) => fileOf(calls.indexOf(sampled)))], "client");
  await run(calls.filter((sampled) => !follows(sampled)));
  for (const endless of calls.filter(follows)) await run([endless]);
}

test("every TypeScript sample compiles against the client and asks for what was entered", async () => {
  const files = { ...filesOf("TypeScript", ".ts"), "tsconfig.json": typescriptSettings, "run.mjs": typescriptDriver };
  await inFolder(files, async (folder) => {
    const compiled = Bun.spawnSync([typescriptCompiler, "--noEmit", "--project", folder]);
    expect(compiled.stdout.toString()).toBe("");
    await expectClientRequests([process.execPath, join(folder, "run.mjs")], (index) => join(folder, `${index}.ts`));
  });
});

test("every Python sample asks for what was entered", async () => {
  const python = programNamed("python3");
  if (python === null) return;
  await inFolder(filesOf("Python", ".py"), (folder) =>
    expectClientRequests([python, "-W", "error", "-B", "-c", pythonDriver], (index) => join(folder, `${index}.py`)),
  );
});

test("every Go sample imports what it uses and no more, and is complete", () => {
  for (const { name, call, entered } of calls) {
    const sample = sampleOf("Go", call, entered);
    const [, list = ""] = /^import \(\n(.*?)\n\)$/ms.exec(sample) ?? [];
    const imported = [...list.matchAll(/^\t"(?:\w+\/)?(\w+)"$/gm)].map(([, used = ""]) => used);
    const body = sample.slice(sample.indexOf("func main"));
    const used = new Set([...body.matchAll(/\b(fmt|http|io|json|log|os|url)\.[A-Z]/g)].map(([, found = ""]) => found));
    expect([name, imported.toSorted()]).toEqual([name, [...used].sort()]);
    expect(sample.startsWith("package main\n")).toBe(true);
    expect(sample.split("{").length).toBe(sample.split("}").length);
    expect(sample).not.toMatch(/ +$|^ /m);
  }
});

test(
  "every Go sample is formatted as gofmt does it, compiles, and asks for what was entered",
  async () => {
    const [go, gofmt] = [programNamed("go"), programNamed("gofmt")];
    if (go === null || gofmt === null) return;
    const files = Object.entries(filesOf("Go", "/main.go"));
    const sources = Object.fromEntries([...files, ["go.mod", "module samples\n\ngo 1.21\n"]]);
    await inFolder(sources, async (folder) => {
      const options = { cwd: folder, env: { ...process.env, GOTOOLCHAIN: "local", GOFLAGS: "", GOWORK: "off" } };
      expect(Bun.spawnSync([gofmt, "-l", "."], options).stdout.toString()).toBe("");
      expect(Bun.spawnSync([go, "vet", "./..."], options).stderr.toString()).toBe("");
      // To link takes a second each: one of a kind is run.
      for (const kind of [
        "listTrips with all",
        "listChanges",
        "getDevice with all",
        "listAlerts as csv",
        "getHealth",
      ]) {
        const index = calls.findIndex(({ name }) => name === kind);
        const sampled = calls[index];
        if (!sampled) throw new Error(`there is no ${kind}`);
        const program = join(folder, `program-${index}`);
        expect(Bun.spawnSync([go, "build", "-o", program, `./${index}`], options).exitCode).toBe(0);
        await expectRequests([sampled], [program]);
      }
    });
  },
  // Without a cache, Go compiles its library first.
  { timeout: 5 * 60_000 },
);

/** As they are shown first, before anything is entered. */
const shown = sampledCalls().filter(({ entered }) => Object.keys(entered).length === 0);

onOneEngine("the samples that are shown first", (engine) => {
  const world = engine.shared(startWorld, stopWorld);

  /** What a person pastes: a word in capitals is replaced by what the lists name. */
  function pasted(language: SampleLanguage, { call }: SampledCall): string {
    const { devices, users } = world();
    const own = { DEVICE_ID: devices.van.id, IMEI: devices.van.imei, USER_ID: users.anna.id };
    return sampleOf(language, call, {}).replace(
      /\b(DEVICE_ID|IMEI|USER_ID)\b/g,
      (word) => own[word as keyof typeof own],
    );
  }

  /** What one prints, or the first piece of it if it has no end. */
  async function run(command: readonly string[], isEndless = false): Promise<string> {
    const server = servedWorld(world());
    try {
      const variables = { BASE: server.url, KEY: world().keys.olga, PYTHONPATH: pythonClient };
      const env = { PATH: process.env.PATH ?? "", HOME: tmpdir(), ...variables };
      const child = Bun.spawn([...command], { env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
      const printed = isEndless ? await firstPiece(child.stdout) : await new Response(child.stdout).text();
      if (printed !== "" && isEndless) child.kill();
      else if ((await child.exited) !== 0) throw new Error(printed + (await new Response(child.stderr).text()));
      await child.exited;
      return printed;
    } finally {
      await server.stop();
    }
  }

  test("run as pasted with curl, and every answer is a good one", async () => {
    const shell = programNamed("sh");
    if (shell === null || programNamed("curl") === null) return;
    const lines = shown.map((sampled) => `${quietCurl(pasted("curl", sampled))}\necho`);
    const answers = (await run([shell, "-ec", lines.join("\n")])).trimEnd().split("\n");
    expect(answers.map((answer) => JSON.parse(answer).error)).toEqual(shown.map(() => undefined));
  });

  test("run as pasted with the clients, and one that follows says where to resume", async () => {
    const python = programNamed("python3");
    for (const [language, ending, command] of [
      ["TypeScript", "ts", [process.execPath, "run.mjs"]],
      ["Python", "py", [python, "-c", pythonDriver]],
    ] as const) {
      if (command[0] === null) continue;
      const files = shown.map((sampled): [string, string] => [`${sampled.name}.${ending}`, pasted(language, sampled)]);
      const all = { ...Object.fromEntries(files), "tsconfig.json": typescriptSettings, "run.mjs": typescriptDriver };
      await inFolder(all, async (folder) => {
        const [program, ...rest] = command.map((word) => (word === "run.mjs" ? join(folder, word) : word)) as string[];
        const fileOf = (name: string) => join(folder, `${name}.${ending}`);
        const others = shown.filter(({ name }) => name !== "listChanges");
        await run([program ?? "", ...rest, ...others.map(({ name }) => fileOf(name))]);
        expect(await run([program ?? "", ...rest, fileOf("listChanges")], true)).toMatch(/^resume after [\w-]+/);
      });
    }
  });
});

async function firstPiece(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader();
  const { value } = await reader.read();
  return new TextDecoder().decode(value);
}
