import type { StoreTarget } from "../../src/store/open.ts";
import { processSeconds } from "./process-use.ts";
import { ownRoot, programOf } from "./program.ts";
import { freePort } from "./servers.ts";

/** A checkout of the program: this one, or another to compare with. */
export interface Version {
  readonly name: string;
  readonly root: string;
}

export const thisVersion: Version = { name: "now", root: ownRoot };

export function versionsOf(before: string | undefined): Version[] {
  return before === undefined ? [thisVersion] : [{ name: "before", root: before }, thisVersion];
}

/** Runs a command of that version to its end. Returns what it printed. */
export async function odograph(
  { root }: Version,
  target: StoreTarget,
  words: readonly string[],
  input = "",
): Promise<string> {
  const child = Bun.spawn([...programOf(root), ...words], {
    stdin: new Blob([input]),
    env: { ...process.env, DATABASE_URL: undefined, ...environmentOf(target) },
    stdout: "pipe",
    stderr: "inherit",
  });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${root}: odograph ${words[0]} failed`);
  return text;
}

export interface ServedVersion {
  readonly version: Version;
  readonly port: number;
  readonly url: string;
  readonly ingestUrl: string;
  readonly pid: number;
  cpuSeconds(): Promise<number | null>;
  stop(): Promise<void>;
}

/** Starts the server of that version. Resolves when it is ready. */
export async function serve(
  version: Version,
  target: StoreTarget,
  flags: readonly string[] = [],
): Promise<ServedVersion> {
  const [port, ingestPort] = [await freePort(), await freePort()];
  const ports = ["--port", String(port), "--ingest-port", String(ingestPort)];
  const child = Bun.spawn([...programOf(version.root), "serve", ...ports, "--log-level", "warn", ...flags], {
    env: { ...process.env, DATABASE_URL: undefined, ...environmentOf(target) },
    stdout: "ignore",
    stderr: "inherit",
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await child.exited;
  };
  const ingestUrl = `http://127.0.0.1:${ingestPort}`;
  while ((await fetch(`${ingestUrl}/ready`).catch(() => null))?.status !== 200) {
    if (child.exitCode !== null) throw new Error(`${version.root}: odograph serve ended with ${child.exitCode}`);
    await Bun.sleep(20);
  }
  return {
    version,
    port,
    url: `http://127.0.0.1:${port}`,
    ingestUrl,
    pid: child.pid,
    cpuSeconds: () => processSeconds(child.pid),
    stop,
  };
}

function environmentOf(target: StoreTarget): Record<string, string> {
  return target.engine === "sqlite" ? { ODOGRAPH_DATA: target.directory } : { DATABASE_URL: target.url };
}

/** One counter of the server's metrics, 0 if it has none of that name. */
export async function metricOf({ ingestUrl }: Pick<ServedVersion, "ingestUrl">, name: string): Promise<number> {
  const text = await (await fetch(`${ingestUrl}/metrics`)).text();
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? 0);
}
