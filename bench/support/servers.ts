import { fileURLToPath } from "node:url";
import type { StoreTarget } from "../../src/store/open.ts";
import type { LoadResult } from "./client.ts";

const connections = 32;

export interface RunningServer {
  readonly port: number;
  stop(): Promise<void>;
}

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export function startBare(cannedPath: string): Promise<RunningServer> {
  return start([process.execPath, fileOf("./bare-server.ts"), cannedPath], {});
}

export function startOdograph(target: StoreTarget): Promise<RunningServer> {
  const command = [fileOf("../../bin/odograph"), "serve", "--port", "0", "--ingest-port", "0", "--log-level", "warn"];
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
    return { port: Number(port), stop };
  }
  throw new Error(`${command.join(" ")} ended before it listened`);
}

/** Runs the load generator in a process of its own. */
export async function load(port: number, requests: readonly string[], seconds: number): Promise<LoadResult> {
  const order = new Blob([JSON.stringify({ port, requests, connections, seconds })]);
  const child = Bun.spawn([process.execPath, fileOf("./client.ts")], {
    stdin: order,
    stdout: "pipe",
    stderr: "inherit",
  });
  const text = await new Response(child.stdout).text();
  return JSON.parse(text) as LoadResult;
}
