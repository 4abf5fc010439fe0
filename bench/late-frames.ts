/**
 * How long the answer takes to a frame that is sent alone and late, by how many frames of its device came after it. Then, how
 * long a whole day takes that comes after the days that followed it, in bodies of 1,000 frames, one after the other.
 *
 *   node_modules/.bin/bun bench/late-frames.ts [--later 100,2000,20000] [--singles 100] [--step-seconds 10] [--days 1,30] [--postgres]
 */
import { startPostgres } from "../test/support/postgres-server.mjs";
import { driveFrames } from "./support/drive.ts";
import { imeiOf } from "./support/fleet.ts";
import { startIngestVersion } from "./support/ingest-version.ts";
import { readOptions } from "./support/options.ts";
import { sendFrames } from "./support/send.ts";
import { thisVersion } from "./support/version.ts";

const options = readOptions(import.meta.url, {
  later: "100,2000,20000",
  singles: 100,
  "step-seconds": 10,
  days: "1,30",
  postgres: false,
});
const laterCounts = options.later.split(",").map(Number);
const singles = options.singles;
const laterDays = options.days.split(",").map(Number);
const stepMs = options["step-seconds"] * 1000;
/** Late ones are among so many frames before the later ones. */
const earlierCount = 4 * singles;
const framesPerBody = 1_000;

const postgres = options.postgres ? await startPostgres() : null;
const { server, token, remove } = await startIngestVersion(
  thisVersion,
  laterCounts.length + laterDays.length + 2,
  postgres?.url ?? null,
);
try {
  // A server that has just started runs much slower code.
  await measure(laterCounts.length + 1, 2_000);
  console.log("later frames   late p50   late p99   in order p50");
  for (const [index, later] of laterCounts.entries()) {
    const { late, inOrder } = await measure(index + 1, later);
    const cells = [late.p50Ms, late.p99Ms, inOrder.p50Ms].map((ms) => `${ms.toFixed(2)} ms`.padStart(10));
    console.log(`${String(later).padStart(12)} ${cells.join(" ")}`);
  }
  for (const [index, days] of laterDays.entries()) {
    const { frames, seconds } = await measureDay(laterCounts.length + 2 + index, days);
    console.log(`a day (${frames} frames) after ${days} that followed: ${seconds.toFixed(1)} s`);
  }
} finally {
  await remove();
  await postgres?.stop();
}

async function measure(vehicle: number, later: number) {
  const frames = framesOf(vehicle, earlierCount + later + singles);
  const isLate = (index: number) => index < earlierCount && index % 4 === 2;
  const inTime = frames.slice(0, -singles).filter((_, index) => !isLate(index));
  const alone = (list: readonly object[]) => send(list.map((frame) => JSON.stringify(frame)));
  await send(bodiesOf(inTime));
  const late = await alone(shuffled(frames.filter((_, index) => isLate(index))));
  return { late, inOrder: await alone(frames.slice(-singles)) };
}

/** The day before it, and those that followed, are there. The last answer says that all is derived. */
async function measureDay(vehicle: number, followed: number): Promise<{ frames: number; seconds: number }> {
  const perDay = Math.round(86_400_000 / stepMs);
  const frames = framesOf(vehicle, (followed + 2) * perDay);
  const late = frames.splice(perDay, perDay);
  await send(bodiesOf(frames));
  const began = performance.now();
  await send(bodiesOf(late));
  return { frames: late.length, seconds: (performance.now() - began) / 1000 };
}

function framesOf(vehicle: number, count: number): object[] {
  const drive = driveFrames({ seed: vehicle, firstAt: Date.now() - count * stepMs - 60_000, stepMs, count });
  return [...drive].map(({ received_at: _, ...frame }) => ({ imei: imeiOf(vehicle), ...frame }));
}

function bodiesOf(frames: readonly object[]): string[] {
  const count = Math.ceil(frames.length / framesPerBody);
  return Array.from({ length: count }, (_, index) =>
    JSON.stringify(frames.slice(index * framesPerBody, (index + 1) * framesPerBody)),
  );
}

function send(bodies: readonly string[]): ReturnType<typeof sendFrames> {
  return sendFrames(server.ingestUrl, token, bodies, { atOnce: 1 });
}

/** The same order in every run. */
function shuffled<Item>(list: readonly Item[]): Item[] {
  const place = (index: number) => (index * 7919) % 1009;
  return [...list.keys()].sort((one, other) => place(one) - place(other)).map((index) => list[index] as Item);
}
