/**
 * What a server uses while a fleet sends as fleets do: each vehicle a frame now and then.
 *
 *   node_modules/.bin/bun bench/steady.ts [options]
 *
 *   --vehicles N   (10000)
 *   --every LIST   seconds between two frames of a vehicle (60,30,10,5,2.5)
 *   --body N       frames of a body, each of another vehicle (20)
 *   --seconds S    of each measurement (20)
 *   --postgres     on a PostgreSQL of its own, without fsync, instead of SQLite
 *
 * Processor: share of one core, with PostgreSQL's. Memory: of the server, without PostgreSQL's.
 */

import { startPostgres } from "../test/support/postgres-server.mjs";
import { startIngestVersion } from "./support/ingest-version.ts";
import { readOptions } from "./support/options.ts";
import { residentMb, siblingSeconds } from "./support/process-use.ts";
import { sendFrames } from "./support/send.ts";
import { SendingFleet } from "./support/sending-fleet.ts";
import { thisVersion } from "./support/version.ts";

const options = readOptions(import.meta.url, {
  vehicles: 10_000,
  every: "60,30,10,5,2.5",
  body: 20,
  seconds: 20,
  postgres: false,
});
const vehicles = options.vehicles;
const framesOfBody = options.body;
const seconds = options.seconds;
/** Frames of each vehicle before the first measurement: its trip is under way, and the code is warm. */
const framesBefore = 20;
const dayMs = 86_400_000;

await measureAll();

async function measureAll(): Promise<void> {
  const postgres = options.postgres ? await startPostgres() : null;
  const started = await startIngestVersion(thisVersion, vehicles, postgres?.url ?? null);
  try {
    const { server, token, use } = started;
    const fleet = new SendingFleet(vehicles, Date.now() - 60 * dayMs);
    const before = fleet.bodies((framesBefore * vehicles) / 500, { vehicles: 500, frames: 1 });
    await sendFrames(server.ingestUrl, token, before, { atOnce: 8 });
    console.log(
      `${options.postgres ? "PostgreSQL" : "SQLite"}, ${vehicles} vehicles, bodies of ${framesOfBody} frames`,
    );
    const columns = ["a frame every", "frames/s", "processor", "µs a frame", "p50 ms", "p99 ms", "memory MB"];
    console.log(columns.map((name) => name.padStart(14)).join(""));
    const backend = postgres && (await backendOf(postgres.url));
    for (const every of options.every.split(",").map(Number)) {
      const wanted = vehicles / every;
      const bodies = fleet.bodies((wanted * seconds) / framesOfBody, { vehicles: framesOfBody, frames: 1 });
      const used = async () => (await use()).cpuSeconds + ((backend && (await siblingSeconds(backend.pid))) ?? 0);
      const usedBefore = await used();
      const pace = { atOnce: 16, bodiesPerSecond: wanted / framesOfBody };
      const { framesPerSecond, p50Ms, p99Ms } = await sendFrames(server.ingestUrl, token, bodies, pace);
      const usedSeconds = (await used()) - usedBefore;
      const frames = bodies.length * framesOfBody;
      const cells = [
        `${every} s`,
        framesPerSecond.toFixed(0),
        `${((usedSeconds * 100 * framesPerSecond) / frames).toFixed(1)} %`,
        ((usedSeconds * 1e6) / frames).toFixed(0),
        p50Ms.toFixed(1),
        p99Ms.toFixed(1),
        (await residentMb(server.pid)).toFixed(0),
      ];
      console.log(cells.map((cell) => cell.padStart(14)).join(""));
    }
    await backend?.close();
  } finally {
    await started.remove();
    await postgres?.stop();
  }
}

/** A connection that stays: by its process the others of the server are found. */
async function backendOf(url: string): Promise<{ readonly pid: number; close(): Promise<void> }> {
  const connection = new Bun.SQL(url, { max: 1 });
  const [row] = await connection`select pg_backend_pid() as pid`;
  return { pid: Number(row.pid), close: () => connection.close() };
}
