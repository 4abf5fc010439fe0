import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { imeiOf } from "./fleet.ts";
import { frameBodies } from "./frames.ts";
import { sendFrames } from "./send.ts";
import { freePort } from "./servers.ts";

export interface IngestLoad {
  readonly devices: number;
  readonly frames: number;
  readonly size: number;
  readonly atOnce: number;
}

export interface IngestRate {
  readonly framesPerSecond: number;
  /** Processor time of the server for each frame, without that of PostgreSQL; NaN if the system does not tell. */
  readonly cpuMicros: number;
}

const accountId = "00000000-0000-4000-8000-000000000000";

/**
 * How fast a program stores and derives frames, in a new store of its own. Everything goes through
 * the program's commands, so that any version can be measured. `databaseUrl`: an empty PostgreSQL database.
 */
export async function versionRate(program: string, load: IngestLoad, databaseUrl: string | null): Promise<IngestRate> {
  const directory = await mkdtemp(join(tmpdir(), "odograph-bench-"));
  const env: Record<string, string> =
    databaseUrl === null ? { ODOGRAPH_DATA: join(directory, "store") } : { DATABASE_URL: databaseUrl };
  try {
    const file = join(directory, "fleet.ndjson");
    await writeFile(file, fleetFile(load.devices));
    await run(program, ["load", file], env);
    const created = await run(
      program,
      ["ingest-tokens", "create", "--account", accountId, "--name", "b", "--json"],
      env,
    );
    const { token } = JSON.parse(created) as { token: string };
    return await withServer(program, env, (url, pid) => measure(url, pid, token, load));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function fleetFile(devices: number): string {
  const account = { type: "account", id: accountId, name: "Bench" };
  const owner = {
    type: "user",
    id: "00000000-0000-4000-8000-000000000001",
    account_id: accountId,
    name: "Owner",
    email: "owner@bench.test",
    role: "owner",
  };
  const vehicles = Array.from({ length: devices }, (_, index) => ({
    type: "device",
    id: `00000000-0000-4000-9000-${String(index + 1).padStart(12, "0")}`,
    account_id: accountId,
    imei: imeiOf(index + 1),
    name: `Truck ${index + 1}`,
  }));
  return [account, owner, ...vehicles].map((record) => `${JSON.stringify(record)}\n`).join("");
}

async function measure(url: string, pid: number, token: string, load: IngestLoad): Promise<IngestRate> {
  const { devices, frames, size, atOnce } = load;
  const imeis = Array.from({ length: devices }, (_, index) => imeiOf(index + 1));
  // The first frames of each device, and the warm-up of the code, are not measured.
  const warm = Math.ceil((4 * devices) / size);
  const count = Math.ceil(frames / size);
  const bodies = frameBodies(imeis, { size, count: warm + count, lastAt: Date.now() - 3_600_000 });
  await sendFrames(url, token, bodies.slice(0, warm), { atOnce });
  const before = await cpuSeconds(pid);
  const { framesPerSecond } = await sendFrames(url, token, bodies.slice(warm), { atOnce });
  const cpuMicros = (((await cpuSeconds(pid)) - before) * 1e6) / (count * size);
  return { framesPerSecond, cpuMicros };
}

const ticksPerSecond = 100;

/** Of all threads: Linux counts hundredths of a second. */
async function cpuSeconds(pid: number): Promise<number> {
  const text = await Bun.file(`/proc/${pid}/stat`)
    .text()
    .catch(() => "");
  // The name may contain anything, but ends with the last bracket.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

async function run(program: string, words: readonly string[], env: Record<string, string>): Promise<string> {
  const child = Bun.spawn([program, ...words], {
    env: { ...process.env, ...env },
    stdout: "pipe",
    stderr: "inherit",
  });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${program} ${words[0]} failed`);
  return text;
}

async function withServer<T>(
  program: string,
  env: Record<string, string>,
  work: (ingestUrl: string, pid: number) => Promise<T>,
): Promise<T> {
  const port = await freePort();
  const words = ["serve", "--port", "0", "--ingest-port", String(port), "--log-level", "warn"];
  const child = Bun.spawn([program, ...words], {
    env: { ...process.env, ...env },
    stdout: "ignore",
    stderr: "inherit",
  });
  try {
    const url = `http://127.0.0.1:${port}`;
    while ((await fetch(`${url}/ready`).catch(() => null))?.status !== 200) {
      if (child.exitCode !== null) throw new Error(`${program} serve ended with ${child.exitCode}`);
      await Bun.sleep(20);
    }
    return await work(url, child.pid);
  } finally {
    child.kill("SIGTERM");
    await child.exited;
  }
}
