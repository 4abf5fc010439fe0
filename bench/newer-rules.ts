import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { rulesVersion } from "../src/domain/rules.ts";
import { openDatabase, type StoreTarget } from "../src/store/open.ts";
import { sql } from "../src/store/sql.ts";
import { imeiOf } from "./support/fleet.ts";
import { frameBodies, frameOf } from "./support/frames.ts";
import { makeIngestStore } from "./support/ingest-store.ts";
import { pollP99Ms } from "./support/poll.ts";
import { sendFrames } from "./support/send.ts";
import { type IngestServer, startIngestServer } from "./support/servers.ts";

const { values: options } = parseArgs({
  options: {
    devices: { type: "string", default: "4" },
    days: { type: "string", default: "30" },
    rounds: { type: "string", default: "3" },
    live: { type: "string", default: "200" },
    seconds: { type: "string", default: "10" },
    postgres: { type: "boolean", default: false },
  },
});
const devices = Number(options.devices);
const live = Number(options.live);
const seconds = Number(options.seconds);
const stepMs = 10_000;
const framesOfEach = (Number(options.days) * 86_400_000) / stepMs;
const framesPerBody = 1_000;
/** Live frames: a body of ten, so many times a second. */
const bodiesPerSecond = 100;
const framesPerLiveBody = 10;
const fullSpeedFrames = 60_000;

const { target, key, token, remove } = await makeIngestStore(devices + live, options.postgres);
try {
  await withServer(target, (server) => sendHistory(server, token));

  await setRules(target, 1);
  const command = await timed(() => rederive(target));
  print("a device's history by a command", `${(command / devices / 1000).toFixed(1)} s`);

  // In turns: the machine is not the same all the time.
  for (let turn = 0; turn < 2 * Number(options.rounds); turn++) {
    const isUpgrade = turn % 2 === 1;
    await setRules(target, isUpgrade ? 1 : rulesVersion);
    const name = isUpgrade ? "deriving again" : "nothing else";
    await withServer(target, (server) => measure(name, server, key, token, turn));
  }
  await setRules(target, 1);
  await withServer(target, async ({ ingestUrl }) => {
    const took = await timed(async () => {
      while ((await waiting(ingestUrl)) > 0 || (await derived(ingestUrl)) === 0) await Bun.sleep(100);
    });
    const frames = await derived(ingestUrl);
    print(
      "all of it by an idle server",
      `${(took / 1000).toFixed(1)} s, ${Math.round((frames / took) * 1000)} frames/s`,
    );
  });
} finally {
  await remove();
}

async function withServer(target: StoreTarget, work: (server: IngestServer) => Promise<void>): Promise<void> {
  const server = await startIngestServer(target);
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}

async function sendHistory({ ingestUrl }: IngestServer, token: string): Promise<void> {
  const firstAt = Date.now() - framesOfEach * stepMs - 3 * 86_400_000;
  for (let first = 0; first < framesOfEach; first += framesPerBody) {
    const count = Math.min(framesPerBody, framesOfEach - first);
    const bodies = Array.from({ length: devices }, (_, vehicle) =>
      JSON.stringify(
        Array.from({ length: count }, (_, index) => {
          const step = first + index;
          // Up and down again, so that it stays on the map.
          const turned = step % 20_000 < 10_000 ? step % 20_000 : 20_000 - (step % 20_000);
          return frameOf(imeiOf(vehicle + 1), vehicle, turned, firstAt + step * stepMs);
        }),
      ),
    );
    await sendFrames(ingestUrl, token, bodies, { atOnce: devices });
  }
}

/** Says which rules the devices with a history follow. */
async function setRules(target: StoreTarget, rules: number): Promise<void> {
  const database = await openDatabase(target, { create: false });
  const last = imeiOf(devices);
  await database.transaction((tx) =>
    tx.run(sql`
      update device_folds set rules = ${rules}, upgrade_claim = null
      where device in (select device from devices where imei <= ${last})`),
  );
  await database.close();
}

async function rederive(target: StoreTarget): Promise<void> {
  const env = target.engine === "sqlite" ? { ODOGRAPH_DATA: target.directory } : { DATABASE_URL: target.url };
  const program = fileURLToPath(new URL("../bin/odograph", import.meta.url));
  for (let device = 1; device <= devices; device++) {
    const child = Bun.spawn([program, "rederive", "--device", imeiOf(device), "--json"], {
      env: { ...process.env, ...env },
      stdout: "pipe",
      stderr: "ignore",
    });
    if ((await child.exited) !== 0) throw new Error("rederive failed");
  }
}

async function measure(name: string, server: IngestServer, key: string, token: string, turn: number): Promise<void> {
  const { url, ingestUrl } = server;
  const imeis = Array.from({ length: live }, (_, index) => imeiOf(devices + index + 1));
  const steady = { size: framesPerLiveBody, count: bodiesPerSecond * seconds };
  const full = { size: framesPerBody, count: fullSpeedFrames / framesPerBody };
  // Each turn sends what comes after the turn before, and its first frames, which warm up the server, are not counted.
  const hoursBack = 70 - turn * 7;
  const at = (hours: number) => Date.now() - (hoursBack - hours) * 3_600_000;
  await sendFrames(ingestUrl, token, frameBodies(imeis, { ...full, count: 20, lastAt: at(1) }), { atOnce: 4 });
  const [posts, pollMs] = await Promise.all([
    sendFrames(ingestUrl, token, frameBodies(imeis, { ...steady, lastAt: at(3) }), { atOnce: 8, bodiesPerSecond }),
    pollP99Ms(url, key, seconds),
  ]);
  const fast = await sendFrames(ingestUrl, token, frameBodies(imeis, { ...full, lastAt: at(6) }), { atOnce: 16 });
  print(
    name,
    `POST /frames p50 ${posts.p50Ms.toFixed(1)} p99 ${posts.p99Ms.toFixed(1)} ms, poll p99 ${pollMs.toFixed(1)} ms, ` +
      `at full speed ${Math.round(fast.framesPerSecond)} frames/s; waiting at the end ${await waiting(ingestUrl)}, ` +
      `derived ${await derived(ingestUrl)}`,
  );
}

function waiting(ingestUrl: string): Promise<number> {
  return metric(ingestUrl, "odograph_devices_waiting");
}

function derived(ingestUrl: string): Promise<number> {
  return metric(ingestUrl, "odograph_frames_derived_again_total");
}

async function metric(ingestUrl: string, name: string): Promise<number> {
  const text = await (await fetch(`${ingestUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1]);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function print(name: string, value: string): void {
  console.log(`${name.padEnd(34)} ${value}`);
}
