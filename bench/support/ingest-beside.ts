import { imeiOf } from "./fleet.ts";
import { frameBodies, framesOfOne } from "./frames.ts";
import { makeIngestStore } from "./ingest-store.ts";
import { plainInsertRate } from "./plain-insert.ts";
import { pollP99Ms } from "./poll.ts";
import { sendFrames } from "./send.ts";
import { type IngestServer, startIngestServer } from "./servers.ts";

const devices = 1_000;
const size = 500;
const atOnce = 16;
const dayMs = 86_400_000;

/** Frames beside other things: against plain inserts of the database, beside polls, and beside a late burst. */
export async function measureBeside(frames: number, isPostgres: boolean): Promise<void> {
  const { target, directory, key, token, remove } = await makeIngestStore(devices + 1, isPostgres);
  try {
    const server = await startIngestServer(target);
    try {
      await measure(server, directory, key, token, Math.ceil(frames / size));
    } finally {
      await server.stop();
    }
  } finally {
    await remove();
  }
}

async function measure(
  server: IngestServer,
  directory: string,
  key: string,
  token: string,
  count: number,
): Promise<void> {
  const { url, ingestUrl } = server;
  const imeis = Array.from({ length: devices }, (_, index) => imeiOf(index + 1));
  const now = Date.now();
  // The first frames of each device, and the warm-up of the code, are not measured.
  const warm = Math.ceil((2 * devices) / size);
  const bodies = frameBodies(imeis, { size, count: warm + 2 * count, lastAt: now - 3_600_000 });
  await sendFrames(ingestUrl, token, bodies.slice(0, warm), { atOnce });

  const measured = bodies.slice(warm, warm + count);
  const before = plainInsertRate(directory, measured);
  const { framesPerSecond, p50Ms, p99Ms } = await sendFrames(ingestUrl, token, measured, { atOnce });
  const plain = (before + plainInsertRate(directory, measured)) / 2;
  print("frames a second, durable and derived", Math.round(framesPerSecond));
  print("of SQLite's plain inserts", `${(framesPerSecond / plain).toFixed(2)} (${Math.round(plain)}/s)`);
  print(`answer to a body of ${size}`, `${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`);

  const atRest = await pollP99Ms(url, key, 4);
  const half = framesPerSecond / 2 / size;
  const busyBodies = bodies.slice(warm + count, warm + count + Math.ceil(half * 5));
  const [during] = await Promise.all([
    pollP99Ms(url, key, 4),
    sendFrames(ingestUrl, token, busyBodies, { bodiesPerSecond: half }),
  ]);
  print("p99 of a poll at rest", `${atRest.toFixed(2)} ms`);
  print("p99 of a poll at half that rate of frames", `${during.toFixed(2)} ms (${(during / atRest).toFixed(1)} x)`);

  await lateBurst(server, token, now);
}

/** A vehicle has sent a day of frames; then the day before arrives in one body, while others keep sending. */
async function lateBurst({ ingestUrl }: IngestServer, token: string, now: number): Promise<void> {
  const late = imeiOf(devices + 1);
  const others = Array.from({ length: 20 }, (_, index) => imeiOf(index + 1));
  await sendFrames(ingestUrl, token, [framesOfOne(late, 8_640, now - dayMs)]);
  const steady = frameBodies(others, { size: others.length, count: 150, lastAt: now + 250_000 });
  const began = performance.now();
  const [burst, beside] = await Promise.all([
    sendFrames(ingestUrl, token, [framesOfOne(late, 8_640, now - 2 * dayMs)]).then(() => performance.now() - began),
    sendFrames(ingestUrl, token, steady, { bodiesPerSecond: 50, atOnce: 10 }),
  ]);
  print("a late burst of 8,640 frames, derived", `${Math.round(burst)} ms`);
  print("others' frames meanwhile", `p99 ${beside.p99Ms.toFixed(1)} ms`);
}

function print(what: string, value: string | number): void {
  console.log(`${what.padEnd(44)} ${value}`);
}
