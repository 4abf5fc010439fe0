import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Language, sampleOf } from "../../src/api/reference/samples/samples.ts";
import { servedWorld } from "../client/served-world.ts";
import { type ApiWorld, startWorld, stopWorld } from "../support/api-fleet.ts";
import { onEachEngine } from "../support/engines.ts";
import {
  inFolder,
  programNamed,
  pythonClient,
  type SampledCall,
  sampledCalls,
  typescriptSettings,
} from "../support/samples.ts";

/** As they are shown first, before anything is entered. */
const shown = sampledCalls().filter(({ entered }) => Object.keys(entered).length === 0);

onEachEngine("the samples that are shown first", (engine) => {
  const world = engine.shared(startWorld, stopWorld);

  /** What a person pastes: a word in capitals is replaced by what the lists name. */
  function pasted(language: Language, { call }: SampledCall): string {
    const { devices, users } = world();
    const own = { DEVICE_ID: devices.van.id, IMEI: devices.van.imei, USER_ID: users.anna.id };
    return sampleOf(language, call, {}).replace(
      /\b(DEVICE_ID|IMEI|USER_ID)\b/g,
      (word) => own[word as keyof typeof own],
    );
  }

  /** What one prints, or the first piece of it if it has no end. */
  function run(command: readonly string[], isEndless = false): Promise<string> {
    return withServer(world(), async (url) => {
      const variables = { BASE: url, KEY: world().keys.olga, PYTHONPATH: pythonClient };
      const env = { PATH: process.env.PATH ?? "", HOME: tmpdir(), ...variables };
      const child = Bun.spawn([...command], { env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
      const printed = isEndless ? await firstPiece(child.stdout) : await new Response(child.stdout).text();
      if (printed !== "" && isEndless) child.kill();
      else if ((await child.exited) !== 0) throw new Error(printed + (await new Response(child.stderr).text()));
      await child.exited;
      return printed;
    });
  }

  test("run as pasted with curl, and every answer is a good one", async () => {
    const shell = programNamed("sh");
    if (shell === null || programNamed("curl") === null) return;
    for (const sampled of shown) {
      const line = pasted("curl", sampled).replace("curl ", "curl --silent --show-error --fail-with-body ");
      expect(JSON.parse(await run([shell, "-c", line])).error, sampled.name).toBeUndefined();
    }
  });

  test("run as pasted with the clients, and one that follows says where to resume", async () => {
    const python = programNamed("python3");
    for (const [language, ending, program] of [
      ["TypeScript", "ts", process.execPath],
      ["Python", "py", python],
    ] as const) {
      if (program === null) continue;
      const files = shown.map((sampled): [string, string] => [`${sampled.name}.${ending}`, pasted(language, sampled)]);
      const all = { ...Object.fromEntries(files), "tsconfig.json": typescriptSettings };
      await inFolder(all, async (folder) => {
        for (const { name } of shown) {
          const isEndless = name === "listChanges";
          const printed = await run([program, join(folder, `${name}.${ending}`)], isEndless);
          if (isEndless) expect(printed).toMatch(/^resume after [\w-]+/);
        }
      });
    }
  });
});

async function withServer<Result>(world: ApiWorld, work: (url: string) => Promise<Result>): Promise<Result> {
  const server = servedWorld(world);
  try {
    return await work(server.url);
  } finally {
    await server.stop();
  }
}

async function firstPiece(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader();
  const { value } = await reader.read();
  return new TextDecoder().decode(value);
}
