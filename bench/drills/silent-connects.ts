/**
 * Strangers of several addresses of 127.0.0.0/8 connect to the ports of trackers, one after another, say nothing and stay. Meanwhile the
 * API is asked, frames are posted, each over a new connection, and trackers call from addresses of their own. Held if each answer of API
 * and ingest takes less than a second, and every tracker is answered within ten, its connect and two messages. Linux only.
 *
 *     node_modules/.bin/bun bench/drills/silent-connects.ts [--files 1024] [--connects 50000] [--addresses 20] [--postgres]
 *
 *   --files N      how many files the server may open
 *   --connects N   of all strangers together
 *   --addresses N  they come from
 *   --seconds S    it ends by then, with fewer connects
 *   --postgres     on a PostgreSQL of its own instead of SQLite
 */

import { readdir } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { trackerProtocols } from "../../src/domain/tracker-protocols.ts";
import { callers } from "../../test/support/trackers/callers.ts";
import { someReports, trackerDevice } from "../../test/support/trackers/reporting.ts";
import { needTools, readOptions } from "../support/options.ts";
import { type TrackerServer, withTrackerServer } from "../support/tracker-server.ts";
import { conclude, print } from "./support/report.ts";

const options = readOptions(import.meta.url, {
  files: 1024,
  connects: 50_000,
  addresses: 20,
  seconds: 300,
  postgres: false,
});
needTools("prlimit");
const [openFiles, connects, addresses, mostMs] = [
  options.files,
  options.connects,
  options.addresses,
  options.seconds * 1_000,
];
/** Of this process: then the oldest are closed. */
const mostHeld = 15_000;
const probeEveryMs = 50;
const trackerEveryMs = 500;
/** A connect that finds the backlog full is repeated by the system after a second; trackers wait for longer. */
const trackerMs = 10_000;
const shown = /^odograph_tracker_(places|refused_total\{.*reason="(no_place|too_many_connections)"\} [1-9])/;
/** A device whose tracker speaks GT06. */
const device = trackerProtocols.indexOf("gt06");

interface Probed {
  readonly times: number[];
  failed: number;
}

await withTrackerServer({ devices: device + 1, onPostgres: options.postgres, openFiles }, async (start, token) => {
  const server = await start();
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  let posted = 0;
  const health = () => fetch(`${server.url}/v1/health`, fresh({}));
  const post = () => {
    const recorded_at = new Date(Date.UTC(2026, 10, 16) + ++posted * 1_000).toISOString();
    const frame = { imei: trackerDevice(0, "").imei, recorded_at, latitude: 52.5, longitude: 13.4 };
    return fetch(`${server.ingestUrl}/frames`, fresh({ method: "POST", headers, body: JSON.stringify(frame) }));
  };
  const phase = async (until: (stop: AbortSignal) => Promise<unknown>) => {
    const stop = new AbortController();
    const probing = [probe(health, stop.signal), probe(post, stop.signal), callOften(server, stop.signal)] as const;
    const files = watchFiles(server.pid, stop.signal);
    await until(stop.signal);
    stop.abort();
    const [api, frames, trackers] = await Promise.all(probing);
    return { api, frames, trackers, files: await files };
  };
  const print3 = (name: string, { api, frames, trackers, files }: Awaited<ReturnType<typeof phase>>) => {
    print(`GET /v1/health, ${name}`, figures(api));
    print(`POST /frames, ${name}`, figures(frames));
    print(`trackers from other addresses, ${name}`, figures(trackers));
    print(`most files open, ${name}`, files);
  };
  const quiet = await phase(() => Bun.sleep(5_000));
  print3("quiet", quiet);
  const began = performance.now();
  let made = 0;
  const flooded = await phase(async (stop) => {
    made = await flood(server, stop);
  });
  print("silent connects", `${made} in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  print3("flooded", flooded);
  const metrics = await fetch(`${server.ingestUrl}/metrics`).then(
    (answer) => answer.text(),
    (error) => String(error),
  );
  for (const line of metrics.split("\n")) if (shown.test(line)) print("", line);
  const isWithin = ({ times, failed }: Probed, ms: number) =>
    times.length > 0 && failed === 0 && Math.max(...times) < ms;
  const isAnswered = isWithin(flooded.api, 1_000) && isWithin(flooded.frames, 1_000);
  const isHeld = isAnswered && isWithin(flooded.trackers, trackerMs);
  conclude(isHeld && made === connects, made < connects ? "not all connects were made in time" : "");
});

/** Each over a connection of its own. */
function fresh(request: RequestInit): RequestInit {
  return { ...request, keepalive: false, signal: AbortSignal.timeout(10_000) };
}

async function probe(ask: () => Promise<Response>, stop: AbortSignal): Promise<Probed> {
  const probed: Probed = { times: [], failed: 0 };
  while (!stop.aborted) {
    const began = performance.now();
    try {
      const answer = await ask();
      await answer.arrayBuffer();
      if (answer.status !== 200) probed.failed++;
    } catch {
      probed.failed++;
    }
    probed.times.push(performance.now() - began);
    await Bun.sleep(probeEveryMs);
  }
  return probed;
}

/** A known tracker connects, reports, and has its answer. */
async function callOften(server: TrackerServer, stop: AbortSignal): Promise<Probed> {
  const probed: Probed = { times: [], failed: 0 };
  for (let number = 0; !stop.aborted; number++) {
    const began = performance.now();
    if (!(await callOnce(server, number))) probed.failed++;
    probed.times.push(performance.now() - began);
    await Bun.sleep(trackerEveryMs);
  }
  return probed;
}

async function callOnce({ ports }: TrackerServer, number: number): Promise<boolean> {
  const { login, report } = callers.gt06;
  const { imei } = trackerDevice(device, "");
  const socket = await silentSocket(ports.gt06, `127.0.1.${1 + (number % 250)}`);
  const [place] = someReports(number, 1);
  if (socket === null || place === undefined) return false;
  let answers = 0;
  const answered = new Promise<boolean>((resolve) => {
    socket.on("data", () => ++answers === 1 && socket.write(report(imei, place, 2)));
    socket.on("data", () => answers === 2 && resolve(true));
    socket.once("close", () => resolve(false));
    setTimeout(() => resolve(false), trackerMs).unref();
  });
  if (login !== null) socket.write(login(imei));
  const isAnswered = await answered;
  socket.destroy();
  return isAnswered;
}

async function flood({ ports }: TrackerServer, stop: AbortSignal): Promise<number> {
  const held: Socket[] = [];
  const began = performance.now();
  const families = Object.values(ports);
  let [made, failed] = [0, 0];
  for (; made < connects && performance.now() - began < mostMs && !stop.aborted; made++) {
    const port = families[made % families.length] as number;
    const socket = await silentSocket(port, `127.0.0.${2 + (made % addresses)}`);
    if (socket === null) failed++;
    else held.push(socket);
    if (held.length > mostHeld) held.shift()?.destroy();
  }
  // So long the server has had to look at the last of them.
  await Bun.sleep(2_000);
  for (const socket of held) socket.destroy();
  print("silent connects that failed", failed);
  return made;
}

function silentSocket(port: number, localAddress: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, localAddress });
    socket.once("connect", () => resolve(socket));
    socket.on("error", () => {});
    socket.once("close", () => resolve(null));
  });
}

async function watchFiles(pid: number, stop: AbortSignal): Promise<number> {
  let most = 0;
  while (!stop.aborted) {
    // It may be gone.
    const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
    most = Math.max(most, files.length);
    await Bun.sleep(200);
  }
  return most;
}

function figures({ times, failed }: Probed): string {
  const sorted = times.toSorted((one, other) => one - other);
  const of = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(0);
  return `${times.length}, ${failed} failed: p50 ${of(0.5)}, p99 ${of(0.99)}, longest ${of(1)} ms`;
}
