import { parseArgs } from "node:util";
import { imeiOf } from "./support/fleet.ts";
import { frameOf } from "./support/frames.ts";
import { makeIngestStore } from "./support/ingest-store.ts";
import { sendFrames } from "./support/send.ts";
import { startIngestServer } from "./support/servers.ts";

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

const { target, token, remove } = await makeIngestStore(laterCounts.length + 2, options.postgres);
try {
  const { ingestUrl, stop } = await startIngestServer(target);
  try {
    // A server that has just started runs much slower code.
    await measure(ingestUrl, token, laterCounts.length + 1, 2_000);
    console.log("later frames   late p50   late p99   in order p50");
    for (const [index, later] of laterCounts.entries()) {
      const { late, inOrder } = await measure(ingestUrl, token, index + 1, later);
      const cells = [late.p50Ms, late.p99Ms, inOrder.p50Ms].map((ms) => `${ms.toFixed(2)} ms`.padStart(10));
      console.log(`${String(later).padStart(12)} ${cells.join(" ")}`);
    }
  } finally {
    await stop();
  }
} finally {
  await remove();
}

async function measure(url: string, token: string, vehicle: number, later: number) {
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
  return { late, inOrder };
}

/** The same order in every run. */
function shuffled(list: readonly number[]): number[] {
  return list.toSorted((one, other) => ((one * 7919) % 1009) - ((other * 7919) % 1009));
}
