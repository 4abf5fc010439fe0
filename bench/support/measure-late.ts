import { randomNumbers } from "./drive.ts";
import { type FilledStore, templateDrive, templateOf } from "./filled-store.ts";
import { imeiOf } from "./fleet.ts";
import { LiveFrames, type Measure, printHead, printRow, timesAt } from "./measure.ts";
import { type Sent, sendFrames } from "./send.ts";
import { serve } from "./version.ts";

/** Late frames: each of another device, somewhere in the middle of its history. */
const singles = 100;

/** How long the answer takes to a late frame that is sent alone, and to one in order. */
export const measureLate: Measure = async (stores) => {
  const results: { late: Sent; inOrder: Sent }[] = [];
  for (const store of stores) {
    const server = await serve(store.version, store.target);
    try {
      const send = (bodies: readonly string[]) => sendFrames(server.ingestUrl, store.token, bodies, { atOnce: 1 });
      const live = new LiveFrames(store);
      const bodies = lateBodies(store);
      // A server that has just started runs much slower code.
      await send(live.bodies(100));
      await send(bodies.slice(0, singles));
      const alone = live.bodies(singles / 10).flatMap((body) => JSON.parse(body).map(JSON.stringify));
      results.push({ late: await send(bodies.slice(singles)), inOrder: await send(alone) });
    } finally {
      await server.stop();
    }
  }
  printHead("a frame sent alone, p50 / p99 ms", stores);
  const cell = ({ p50Ms, p99Ms }: Sent) => `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)}`;
  printRow(
    "late, in mid-history",
    results.map(({ late }) => cell(late)),
  );
  printRow(
    "in order",
    results.map(({ inOrder }) => cell(inOrder)),
  );
};

/** Twice as many as are measured. Each is half-way between two frames that are stored, where the first of them was. */
function lateBodies(store: FilledStore): string[] {
  const { size, framesEach } = store;
  const random = randomNumbers(11);
  return Array.from({ length: 2 * singles }, (_, index) => {
    const device = (index * 7919) % size.devices;
    const wanted = Math.floor(framesEach * (0.2 + 0.6 * random()));
    const drive = templateDrive(store, templateOf(device, size.devices));
    const frame = drive.drop(wanted).next().value;
    const at = Date.parse(frame?.recorded_at ?? "") + Math.floor(size.stepMs / 2) + index;
    return JSON.stringify({ ...frame, imei: imeiOf(device + 1), ...timesAt(at), sensors: undefined });
  });
}
