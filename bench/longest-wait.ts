/**
 * How long each kind of call delays others, on SQLite, where all calls share one thread: the longest wait of `/v1/health`
 * and of another account's poll, and how long a call uses that thread. 10,000 devices with names as
 * long as allowed, a year of mileage, 300,000 alerts, trips and readings each.
 *
 *     node_modules/.bin/bun bench/longest-wait.ts [--devices 10000] [--seconds 5] [--only report] [--data DIRECTORY]
 *
 * With --data the store is created there once and reused.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openDatabase } from "../src/store/open.ts";
import { lastFrameAt } from "./support/fleet.ts";
import { type LargeStore, ownerPassword, seedLargeStore } from "./support/large-store.ts";
import { startOdograph } from "./support/servers.ts";
import type { Waits } from "./support/waiting-poller.ts";

const { values: options } = parseArgs({
  options: {
    devices: { type: "string", default: "10000" },
    seconds: { type: "string", default: "5" },
    only: { type: "string", default: "" },
    data: { type: "string" },
  },
});
const seconds = Number(options.seconds);
const dayMs = 86_400_000;
const day = (back: number) => new Date(lastFrameAt + dayMs - back * dayMs).toISOString();
const month = `from=${day(31)}&to=${day(0)}`;
const year = `/v1/reports/mileage?from=${day(366)}&to=${day(0)}`;

const directory = options.data ?? (await mkdtemp(join(tmpdir(), "odograph-bench-")));
const store = await largeStore();
const server = await startOdograph({ engine: "sqlite", directory });
try {
  await everyKind();
} finally {
  await server.stop();
  if (options.data === undefined) await rm(directory, { recursive: true, force: true });
}

async function largeStore(): Promise<LargeStore> {
  const known = Bun.file(join(directory, "bench-keys.json"));
  if (await known.exists()) return known.json();
  const database = await openDatabase({ engine: "sqlite", directory }, { create: true });
  const seeded = await seedLargeStore(database, Number(options.devices));
  await database.close();
  await Bun.write(known, JSON.stringify(seeded));
  return seeded;
}

async function everyKind(): Promise<void> {
  const { ownerKeys, fewDevicesKey, allDevicesKey, otherKey, deviceId, rejectedDeviceId } = store;
  const [owner = ""] = ownerKeys;
  const get = (path: string, key = owner, encoding = "identity") => ({ path, key, encoding });
  console.log("kind of call                                    health   poll  thread   calls  thread ms/call   rss MB");
  await beside("nothing", () => Bun.sleep(seconds * 1000).then(() => 1));
  const reports: readonly (readonly [string, readonly Read[]])[] = [
    ["report of a year", [get(year)]],
    ["report of a year, gzip", [get(year, owner, "gzip")]],
    ["report of a year, zstd", [get(year, owner, "zstd")]],
    ["4 reports, one key", Array(4).fill(get(year))],
    ["4 reports, one key, gzip", Array(4).fill(get(year, owner, "gzip"))],
    ["16 reports, 16 keys, gzip and zstd", ownerKeys.map((key, n) => get(year, key, n % 2 ? "gzip" : "zstd"))],
    ["16 reports, two users", ownerKeys.map((_, n) => get(year, n % 2 ? owner : allDevicesKey))],
    [
      "50 reports, slow readers",
      Array.from({ length: 50 }, (_, n) => get(year, ownerKeys[n % 16], ["identity", "gzip", "zstd"][n % 3])),
    ],
  ];
  for (const [name, reads] of reports) {
    await beside(name, () =>
      Promise.all(reads.map((read) => readFor(read, name.includes("slow")))).then(() => reads.length),
    );
  }
  const pages: readonly (readonly [string, Read])[] = [
    ["search, many found", get("/v1/devices?search=Z%C3%BCrich&limit=500")],
    ["search, none found", get("/v1/devices?search=nowhere&limit=500")],
    ["search, none found, 1 letter common", get("/v1/devices?search=grossraumtransportes")],
    ["search of a sub-account", get("/v1/devices?search=nowhere&limit=500", allDevicesKey)],
    ["devices, 500", get("/v1/devices?limit=500")],
    ["devices of a status that none has, 500", get("/v1/devices?status=blocked&limit=500")],
    ["latest positions, 500", get("/v1/positions/latest?limit=500")],
    ["latest positions, 500, gzip", get("/v1/positions/latest?limit=500", owner, "gzip")],
    ["history, 500", get(`/v1/positions/history?device_id=${deviceId}&limit=500&${month}`)],
    ["history, 500, gzip", get(`/v1/positions/history?device_id=${deviceId}&limit=500&${month}`, owner, "gzip")],
    ["history, 31 days rejected", get(`/v1/positions/history?device_id=${rejectedDeviceId}&${month}`)],
    ["geofences, 500 of 1,000 corners", get("/v1/geofences?limit=500")],
    ["geofences, 500 of 1,000 corners, gzip", get("/v1/geofences?limit=500", owner, "gzip")],
    ["geofences, 500 of 1,000 corners, zstd", get("/v1/geofences?limit=500", owner, "zstd")],
    ["geofences of a sub-account", get("/v1/geofences?limit=500", allDevicesKey)],
    ["geofences of a device", get(`/v1/devices/${deviceId}/geofences`)],
    ["users, 500", get("/v1/users?limit=500")],
    ["alerts, 500", get(`/v1/alerts?limit=500&${month}`)],
    ["alerts, unknown type", get(`/v1/alerts?alert_type=x&${month}`)],
    ["alerts, acknowledged, none is", get(`/v1/alerts?acknowledged=true&${month}`)],
    ["alerts, critical, none is", get(`/v1/alerts?severity=critical&${month}`)],
    ["alerts, type and severity, none is", get(`/v1/alerts?alert_type=speeding&severity=critical&${month}`)],
    ["alerts, acknowledged, sub-account, few", get(`/v1/alerts?acknowledged=true&${month}`, fewDevicesKey)],
    ["alerts, acknowledged, sub-account, all", get(`/v1/alerts?acknowledged=true&${month}`, allDevicesKey)],
    ["alerts, unknown type, sub-account, all", get(`/v1/alerts?alert_type=x&${month}`, allDevicesKey)],
    ["alerts of a sub-account, few", get(`/v1/alerts?limit=500&${month}`, fewDevicesKey)],
    ["alerts of a sub-account, all", get(`/v1/alerts?limit=500&${month}`, allDevicesKey)],
    ["trips, 500", get(`/v1/trips?limit=500&${month}`)],
    ["trips of a sub-account, all", get(`/v1/trips?limit=500&${month}`, allDevicesKey)],
    ["fuel, 500", get(`/v1/sensors/fuel?limit=500&${month}`)],
    ["tyres, no reading", get(`/v1/sensors/tyre?limit=500&${month}`)],
    ["tyres, no reading, sub-account, all", get(`/v1/sensors/tyre?limit=500&${month}`, allDevicesKey)],
    ["crossings, none", get(`/v1/geofence-events?${month}`)],
    ["crossings, none, sub-account, all", get(`/v1/geofence-events?${month}`, allDevicesKey)],
    ["mileage of a day", get(`/v1/reports/mileage?from=${day(2)}&to=${day(1)}`)],
    ["mileage of a day, gzip", get(`/v1/reports/mileage?from=${day(2)}&to=${day(1)}`, owner, "gzip")],
    ["mileage, no row", get("/v1/reports/mileage?from=2020-01-01&to=2020-12-01")],
    ["openapi.json", get("/v1/openapi.json")],
    ["/docs", get("/docs", owner, "gzip")],
    ["a wrong key", get("/v1/devices", `${owner.slice(0, -1)}x`)],
    ["other account's devices", get("/v1/devices", otherKey)],
  ];
  for (const [name, read] of pages) await beside(name, () => oftenFor(read));
  await beside("sign-in", () => signInsFor());
}

interface Read {
  readonly path: string;
  readonly key: string;
  readonly encoding: string;
}

/** Reads one answer for some seconds at most, as fast as it comes or a little at a time. */
function readFor({ path, key, encoding }: Read, isSlow: boolean): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(server.port, "127.0.0.1", () => {
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nX-API-Key: ${key}\r\nAccept-Encoding: ${encoding}\r\n\r\n`,
      );
    });
    const timer = setTimeout(() => socket.destroy(), seconds * 1000);
    socket.on("data", () => {
      if (!isSlow) return;
      socket.pause();
      setTimeout(() => socket.resume(), 50);
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Repeats the same call, one at a time. Returns how many there were. */
async function oftenFor({ path, key, encoding }: Read): Promise<number> {
  const until = performance.now() + Math.min(seconds, 2) * 1000;
  let calls = 0;
  while (performance.now() < until) {
    const headers = { "X-API-Key": key, "Accept-Encoding": encoding };
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers, decompress: false });
    const bytes = (await response.arrayBuffer()).byteLength;
    if (calls++ === 0 && response.status >= 400 && response.status !== 401) {
      console.log(`${path} answered ${response.status} with ${bytes} bytes`);
    }
  }
  return calls;
}

async function signInsFor(): Promise<number> {
  const origin = `http://127.0.0.1:${server.port}`;
  const until = performance.now() + Math.min(seconds, 2) * 1000;
  let calls = 0;
  while (performance.now() < until) {
    const response = await fetch(`${origin}/portal/api/session`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Odograph-Portal": "1", Origin: origin },
      body: JSON.stringify({ email: "owner@bench.test", password: ownerPassword }),
    });
    if (!response.ok && calls === 0) console.log(`signing in answered ${response.status} ${await response.text()}`);
    calls++;
  }
  return calls;
}

/** Polls during the work, and prints a line of the table. */
async function beside(name: string, work: () => Promise<number>): Promise<void> {
  if (!name.includes(options.only)) return;
  const poller = fileURLToPath(new URL("./support/waiting-poller.ts", import.meta.url));
  const child = Bun.spawn([process.execPath, poller], { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
  child.stdin.write(`${JSON.stringify({ port: server.port, pid: server.pid, key: store.otherKey })}\n`);
  child.stdin.flush();
  const output = child.stdout.getReader();
  await output.read();
  const before = (await server.cpuSeconds()) ?? Number.NaN;
  const calls = await work();
  const after = (await server.cpuSeconds()) ?? Number.NaN;
  const rss = await server.residentMegabytes();
  child.stdin.end();
  let text = "";
  for (let part = await output.read(); !part.done; part = await output.read())
    text += new TextDecoder().decode(part.value);
  const waits = JSON.parse(text) as Waits;
  const figures = [
    waits.healthMs.toFixed(0).padStart(8),
    waits.pollMs.toFixed(0).padStart(6),
    waits.threadMs.toFixed(0).padStart(7),
    String(calls).padStart(7),
  ];
  console.log(
    `${name.padEnd(44)} ${figures.join(" ")} ${(((after - before) * 1000) / calls).toFixed(1).padStart(14)} ${String(rss).padStart(8)}`,
  );
}
