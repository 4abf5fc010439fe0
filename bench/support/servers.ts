import { fileURLToPath } from "node:url";
import type { StoreTarget } from "../../src/store/open.ts";
import { freePort } from "../../test/support/free-port.mjs";
import type { LoadResult } from "./client.ts";
import { processSeconds } from "./process-use.ts";
import { ownRoot, programOf } from "./program.ts";

export { freePort };

const readConnections = 32;

export interface RunningServer {
  readonly port: number;
  readonly pid: number;
  /** Processor time so far, of all threads; null if the system does not provide it. */
  cpuSeconds(): Promise<number | null>;
  stop(): Promise<void>;
}

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export function startBare(cannedPath: string): Promise<RunningServer> {
  return start([process.execPath, fileOf("./bare-server.ts"), cannedPath], {});
}

/** `root` is the directory of another version to start. */
export function startOdograph(target: StoreTarget, root = ownRoot): Promise<RunningServer> {
  const command = [...programOf(root), "serve", "--port", "0", "--ingest-port", "0", "--log-level", "warn"];
  const env = target.engine === "sqlite" ? { ODOGRAPH_DATA: target.directory } : { DATABASE_URL: target.url };
  return start(command, env);
}

async function start(command: string[], env: Record<string, string>): Promise<RunningServer> {
  const child = Bun.spawn(command, { env: { ...process.env, ...env }, stdout: "pipe", stderr: "inherit" });
  let text = "";
  for await (const chunk of child.stdout) {
    text += new TextDecoder().decode(chunk);
    const port = /listening http:\/\/[^:]+:(\d+)/.exec(text)?.[1];
    if (port === undefined) continue;
    const stop = async () => {
      child.kill("SIGTERM");
      await child.exited;
    };
    return {
      port: Number(port),
      pid: child.pid,
      cpuSeconds: () => processSeconds(child.pid),
      stop,
    };
  }
  throw new Error(`${command.join(" ")} ended before it listened`);
}

export interface Measured extends LoadResult {
  /** Processor time of the server per request. */
  readonly cpuMicros: number;
}

/** Runs the load generator in a process of its own. */
export async function load(
  server: Pick<RunningServer, "port" | "cpuSeconds">,
  requests: readonly string[],
  seconds: number,
): Promise<Measured> {
  const before = (await server.cpuSeconds()) ?? Number.NaN;
  const result = await runClient(server.port, requests, seconds);
  const after = (await server.cpuSeconds()) ?? Number.NaN;
  return { ...result, cpuMicros: ((after - before) * 1e6) / (result.perSecond * seconds) };
}

/** Requests in turn, each connection with one at a time. */
export async function runClient(
  port: number,
  requests: readonly string[],
  seconds: number,
  connections = readConnections,
): Promise<LoadResult> {
  const order = new Blob([JSON.stringify({ port, requests, connections, seconds })]);
  const child = Bun.spawn([process.execPath, fileOf("./client.ts")], {
    stdin: order,
    stdout: "pipe",
    stderr: "inherit",
  });
  const text = await new Response(child.stdout).text();
  return JSON.parse(text) as LoadResult;
}
