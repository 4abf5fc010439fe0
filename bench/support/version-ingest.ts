import { dirname, join } from "node:path";
import { imeiOf } from "./fleet.ts";
import { frameBodies } from "./frames.ts";
import { type IngestVersion, startIngestVersion } from "./ingest-version.ts";
import { sendFrames } from "./send.ts";

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

/**
 * How fast a program stores and derives frames, in a new store of its own. Everything goes through
 * the program's commands, so that any version can be measured. `databaseUrl`: an empty PostgreSQL database.
 */
export async function versionRate(program: string, load: IngestLoad, databaseUrl: string | null): Promise<IngestRate> {
  const version = { name: program, root: join(dirname(program), "..") };
  const started = await startIngestVersion(version, load.devices, databaseUrl);
  try {
    return await measure(started, load);
  } finally {
    await started.remove();
  }
}

async function measure({ server, token, use }: IngestVersion, load: IngestLoad): Promise<IngestRate> {
  const { devices, frames, size, atOnce } = load;
  const imeis = Array.from({ length: devices }, (_, index) => imeiOf(index + 1));
  // The first frames of each device, and the warm-up of the code, are not measured.
  const warm = Math.ceil((4 * devices) / size);
  const count = Math.ceil(frames / size);
  const bodies = frameBodies(imeis, { size, count: warm + count, lastAt: Date.now() - 3_600_000 });
  await sendFrames(server.ingestUrl, token, bodies.slice(0, warm), { atOnce });
  const before = await use();
  const { framesPerSecond } = await sendFrames(server.ingestUrl, token, bodies.slice(warm), { atOnce });
  const cpuMicros = (((await use()).cpuSeconds - before.cpuSeconds) * 1e6) / (count * size);
  return { framesPerSecond, cpuMicros };
}
