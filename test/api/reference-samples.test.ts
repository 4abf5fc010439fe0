import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { completed } from "../../src/api/reference/samples/call.ts";
import { type Language, sampleOf } from "../../src/api/reference/samples/samples.ts";
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

/** As files `0.ts`, `1.ts` and so on. */
function filesOf(language: Language, ending: string): Record<string, string> {
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
  for (const sampled of calls) {
    const line = sampleOf("curl", sampled.call, sampled.entered);
    await expectRequests([sampled], [shell, "-c", line.replace("curl ", "curl --fail --silent ")]);
  }
});

test("every TypeScript sample compiles against the client and asks for what was entered", async () => {
  const files = { ...filesOf("TypeScript", ".ts"), "tsconfig.json": typescriptSettings };
  await inFolder(files, async (folder) => {
    const compiled = Bun.spawnSync([typescriptCompiler, "--noEmit", "--project", folder]);
    expect(compiled.stdout.toString()).toBe("");
    for (const [index, sampled] of calls.entries()) {
      await expectRequests([sampled], [process.execPath, join(folder, `${index}.ts`)], "client");
    }
  });
});

test("every Python sample asks for what was entered", async () => {
  const python = programNamed("python3");
  if (python === null) return;
  // One after the other in one interpreter, because to start it takes longer than a sample.
  const driver = "import runpy, sys\nfor path in sys.argv[1:]: runpy.run_path(path)";
  await inFolder(filesOf("Python", ".py"), async (folder) => {
    const run = (samples: readonly SampledCall[]) => {
      const paths = samples.map((sampled) => join(folder, `${calls.indexOf(sampled)}.py`));
      return expectRequests(samples, [python, "-W", "error", "-B", "-c", driver, ...paths], "client");
    };
    await run(calls.filter((sampled) => !follows(sampled)));
    for (const endless of calls.filter(follows)) await run([endless]);
  });
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
