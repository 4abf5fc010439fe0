import { parseArgs } from "node:util";
import { startPostgres } from "../test/support/postgres-server.mjs";
import { driveFrames } from "./support/drive.ts";
import { imeiOf } from "./support/fleet.ts";
import { startIngestVersion } from "./support/ingest-version.ts";
import { sendFrames } from "./support/send.ts";
import { thisVersion } from "./support/version.ts";

const { values: options } = parseArgs({
  options: {
    later: { type: "string", default: "100,2000,20000" },
    singles: { type: "string", default: "100" },
    "step-seconds": { type: "string", default: "10" },
    postgres: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (options.help) {
  console.log(`How long the answer takes to a frame that is sent alone and late, by how many frames of its device came after it.

  node_modules/.bin/bun bench/late-frames.ts [--later 100,2000,20000] [--singles 100] [--step-seconds 10] [--postgres]`);
  process.exit();
}
const laterCounts = options.later.split(",").map(Number);
const singles = Number(options.singles);
const stepMs = Number(options["step-seconds"]) * 1000;
/** Late ones are among so many frames before the later ones. */
const earlierCount = 4 * singles;
const framesPerBody = 1_000;

const postgres = options.postgres ? await startPostgres() : null;
const { server, token, remove } = await startIngestVersion(thisVersion, laterCounts.length + 2, postgres?.url ?? null);
try {
  // A server that has just started runs much slower code.
  await measure(laterCounts.length + 1, 2_000);
  console.log("later frames   late p50   late p99   in order p50");
  for (const [index, later] of laterCounts.entries()) {
    const { late, inOrder } = await measure(index + 1, later);
    const cells = [late.p50Ms, late.p99Ms, inOrder.p50Ms].map((ms) => `${ms.toFixed(2)} ms`.padStart(10));
    console.log(`${String(later).padStart(12)} ${cells.join(" ")}`);
  }
} finally {
  await remove();
  await postgres?.stop();
}

async function measure(vehicle: number, later: number) {
  const count = earlierCount + later + singles;
  const firstAt = Date.now() - count * stepMs - 60_000;
  const drive = driveFrames({ seed: vehicle, firstAt, stepMs, count });
  const frames = [...drive].map(({ received_at: _, ...frame }) => ({ imei: imeiOf(vehicle), ...frame }));
  const isLate = (index: number) => index < earlierCount && index % 4 === 2;
  const inTime = frames.slice(0, -singles).filter((_, index) => !isLate(index));
  const bodies: string[] = [];
  for (let begin = 0; begin < inTime.length; begin += framesPerBody) {
    bodies.push(JSON.stringify(inTime.slice(begin, begin + framesPerBody)));
  }
  const send = (list: readonly string[]) => sendFrames(server.ingestUrl, token, list, { atOnce: 1 });
  const alone = (list: readonly object[]) => send(list.map((frame) => JSON.stringify(frame)));
  await send(bodies);
  const late = await alone(shuffled(frames.filter((_, index) => isLate(index))));
  return { late, inOrder: await alone(frames.slice(-singles)) };
}

/** The same order in every run. */
function shuffled<Item>(list: readonly Item[]): Item[] {
  const place = (index: number) => (index * 7919) % 1009;
  return [...list.keys()].sort((one, other) => place(one) - place(other)).map((index) => list[index] as Item);
}
