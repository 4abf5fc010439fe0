import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import { callOf } from "../../src/api/reference/calls.ts";
import type { SampleCall, SampleValues } from "../../src/api/reference/samples/call.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** A call with what a person entered. */
export interface SampledCall {
  readonly name: string;
  readonly call: SampleCall;
  readonly entered: SampleValues;
}

/** What a shell, a quoted text or an address would stumble over. */
const unusual = `O'Brien "x" $HOME \`id\` & + % ü ! \\ #?`;

/** Every operation: as it is shown first, with every parameter entered, and in another format. */
export function sampledCalls(): SampledCall[] {
  const document = openApiDocument();
  return Object.entries(document.paths).flatMap(([path, { get }]) => {
    const call = callOf(path, get, document);
    const name = call.operationId;
    const all = { ...allParameters(call), format: "json" };
    const made = [{ name, call, entered: {} }];
    if (call.parameters.length > 0) made.push({ name: `${name} with all`, call, entered: all });
    const format = call.parameters.find((parameter) => parameter.name === "format");
    if (format) made.push({ name: `${name} as csv`, call, entered: { format: "csv" } });
    return made;
  });
}

/** Not `imei` beside `device_id`, and no cursor, which only a plain request has. */
function allParameters({ parameters }: SampleCall): SampleValues {
  const entries = parameters
    .filter(({ name }) => !["imei", "cursor", "format", "geometry"].includes(name))
    .map(({ name, kind, values }): [string, string] => {
      if (kind === "integer") return [name, "7"];
      if (kind === "number") return [name, "7.5"];
      if (kind === "boolean") return [name, "false"];
      if (kind === "time") return [name, "2026-03-17T00:00:00+02:00"];
      if (kind === "list") return [name, "trip,alert"];
      return [name, values?.at(-1) ?? unusual];
    });
  return Object.fromEntries(entries);
}

export interface RecordedRequest {
  readonly path: string;
  readonly query: SampleValues;
  readonly key: string | null;
}

/** Answers every list with an empty page, and remembers what it was asked. */
export function startRecorder() {
  const requests: RecordedRequest[] = [];
  let onRequest = () => {};
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const url = new URL(request.url);
      const query = Object.fromEntries(url.searchParams);
      const bearer = request.headers.get("Authorization")?.replace("Bearer ", "") ?? null;
      const key = request.headers.get("X-API-Key") ?? bearer;
      requests.push({ path: decodeURIComponent(url.pathname), query, key });
      onRequest();
      return Response.json({ data: [], next_cursor: null, resume_after: "later" });
    },
  });
  return {
    base: `http://127.0.0.1:${server.port}/v1`,
    /** What one program asks. One that follows does not end by itself, so it is ended after its first request. */
    async requestsOf(
      command: readonly string[],
      environment: SampleValues,
      isEndless: boolean,
    ): Promise<RecordedRequest[]> {
      requests.length = 0;
      const child = Bun.spawn([...command], {
        env: { PATH: process.env.PATH ?? "", HOME: tmpdir(), ...environment },
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
      if (isEndless) {
        onRequest = () => child.kill();
        await child.exited;
        onRequest = () => {};
      } else if ((await child.exited) !== 0) {
        throw new Error(`${command.join(" ")}: ${await new Response(child.stderr).text()}`);
      }
      return [...requests];
    },
    stop: () => server.stop(true),
  };
}

/** A folder with files, which is gone after the work. */
export async function inFolder<Result>(
  files: Readonly<Record<string, string>>,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "odograph-samples-"));
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await Bun.write(join(folder, name), text);
    }
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Where the samples find what they import. */
export const pythonClient = join(repository, "client-python");
export const typescriptSettings = JSON.stringify({
  extends: join(repository, "tsconfig.json"),
  compilerOptions: {
    lib: ["ESNext", "DOM", "DOM.Iterable"],
    typeRoots: [join(repository, "node_modules/@types")],
    paths: { "odograph-client": [join(repository, "client/src/index.ts")] },
  },
  include: ["*.ts"],
  exclude: [],
});
export const typescriptCompiler = join(repository, "node_modules/.bin/tsc");

/** The program of that name; null, with a line that says so, on a machine without it. */
export function programNamed(name: string): string | null {
  const found = Bun.which(name);
  if (found === null) console.log(`skipped: there is no ${name} to try the samples with`);
  return found;
}
