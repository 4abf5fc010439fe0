/**
 * What a late frame costs that is sent alone, as phones do, by how many later frames its device has; beside a frame in
 * order of the same device.
 *
 *     node_modules/.bin/bun bench/late-frames.ts [--later 100,2000,20000] [--singles 100] [--step-seconds 10] [--postgres]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createIngestToken } from "../src/access/ingest-tokens.ts";
import { openDatabase, type StoreTarget } from "../src/store/open.ts";
import { startPostgres } from "../test/support/postgres-server.mjs";
import { benchAccountId, imeiOf, seedBenchFleet } from "./support/fleet.ts";
import { frameOf } from "./support/frames.ts";
import { sendFrames } from "./support/send.ts";
import { startIngestServer } from "./support/servers.ts";

const { values: options } = parseArgs({
  options: {
    later: { type: "string", default: "100,2000,20000" },
    singles: { type: "string", default: "100" },
    "step-seconds": { type: "string", default: "10" },
    postgres: { type: "boolean", default: false },
  },
});
const laterCounts = options.later.split(",").map(Number);
const singles = Number(options.singles);
const stepMs = Number(options["step-seconds"]) * 1000;
/** Late ones are among so many frames before the later ones. */
const earlierCount = 4 * singles;
const framesPerBody = 1_000;

const directory = await mkdtemp(join(tmpdir(), "odograph-bench-"));
const postgres = options.postgres ? await startPostgres() : null;
try {
  const target: StoreTarget = postgres
    ? { engine: "postgres", url: postgres.url }
    : { engine: "sqlite", directory: join(directory, "store") };
  const database = await openDatabase(target, { create: true });
  await seedBenchFleet(database, laterCounts.length + 1, 0);
  const { secret: token } = await createIngestToken(database, { accountId: benchAccountId, name: "bench" }, Date.now());
  await database.close();
  const { ingestUrl, stop } = await startIngestServer(target);
  try {
    console.log("later frames   late p50   late p99   in order p50");
    for (const [index, later] of laterCounts.entries()) await measure(ingestUrl, token, index + 1, later);
  } finally {
    await stop();
  }
} finally {
  await postgres?.stop();
  await rm(directory, { recursive: true, force: true });
}

async function measure(url: string, token: string, vehicle: number, later: number): Promise<void> {
  const imei = imeiOf(vehicle);
  const total = earlierCount + later;
  const firstAt = Date.now() - (total + singles) * stepMs - 60_000;
  const frameAt = (step: number) => frameOf(imei, vehicle, step, firstAt + step * stepMs);
  const isLate = (step: number) => step < earlierCount && step % 4 === 2;
  const steps = Array.from({ length: total }, (_, step) => step);
  const inTime = steps.filter((step) => !isLate(step)).map(frameAt);
  const bodies: string[] = [];
  for (let begin = 0; begin < inTime.length; begin += framesPerBody) {
    bodies.push(JSON.stringify(inTime.slice(begin, begin + framesPerBody)));
  }
  await sendFrames(url, token, bodies, { atOnce: 1 });
  const alone = (list: readonly number[]) => list.map((step) => JSON.stringify(frameAt(step)));
  const late = await sendFrames(url, token, alone(shuffled(steps.filter(isLate))), { atOnce: 1 });
  const next = Array.from({ length: singles }, (_, index) => total + index);
  const inOrder = await sendFrames(url, token, alone(next), { atOnce: 1 });
  const cells = [late.p50Ms, late.p99Ms, inOrder.p50Ms].map((ms) => `${ms.toFixed(2)} ms`.padStart(10));
  console.log(`${String(later).padStart(12)} ${cells.join(" ")}`);
}

/** The same order in every run. */
function shuffled(list: readonly number[]): number[] {
  return list.toSorted((one, other) => ((one * 7919) % 1009) - ((other * 7919) % 1009));
}
