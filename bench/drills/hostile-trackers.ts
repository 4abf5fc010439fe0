/**
 * Strangers send to the ports of trackers what takes longest to read, 64 KiB every two seconds each, over TCP and UDP, while a gateway
 * posts frames. Quiet and hostile phases take turns on one server. Held if p99 of `POST /frames` under attack is at most twice that
 * of the quiet phases.
 *
 *     node_modules/.bin/bun bench/drills/hostile-trackers.ts [--strangers 10] [--seconds 3] [--turns 10] [--postgres]
 *
 *   --strangers N  connections that send at the same time
 *   --seconds S    of each phase
 *   --turns N      phases of each kind
 *   --postgres     on a PostgreSQL of its own instead of SQLite
 */

import type { TrackerProtocol } from "../../src/domain/tracker-protocols.ts";
import { limits } from "../../src/intake/trackers/limits.ts";
import { trackerDevice } from "../../test/support/trackers/reporting.ts";
import { readOptions } from "../support/options.ts";
import { type TrackerServer, withTrackerServer } from "../support/tracker-server.ts";
import { conclude, print } from "./support/report.ts";

const options = readOptions(import.meta.url, { strangers: 10, seconds: 3, turns: 10, postgres: false });
const [strangers, phaseMs, turns] = [options.strangers, options.seconds * 1_000, options.turns];
const everyMs = 2_000;
/** A gateway of a fleet of some hundred vehicles. */
const postEveryMs = 10;
let posted = 0;

/** As `bench/trackers.ts --only worst` finds them, and what was worst before. */
const hostile: readonly (readonly [family: TrackerProtocol, over: "tcp" | "udp", token: string])[] = [
  ["gt06", "tcp", "x"],
  ["suntech", "tcp", "STT;"],
  ["suntech", "udp", "\rCRR;"],
  ["gt06", "tcp", "\r\nyy"],
  ["tk103", "udp", "()"],
  ["queclink", "tcp", "+RESP:GT"],
  ["h02", "tcp", "#*HQ,"],
  ["teltonika", "tcp", "\0"],
];

await withTrackerServer({ devices: 1, onPostgres: options.postgres }, async (start, token) => {
  const server = await start();
  const times: Record<"quiet" | "hostile", number[]> = { quiet: [], hostile: [] };
  await postFor(server, token, 2_000);
  for (let turn = 0; turn < turns; turn++) {
    times.quiet.push(...(await postFor(server, token, phaseMs)));
    const stop = new AbortController();
    const sending = Array.from({ length: strangers }, (_, number) => attack(server, number, stop.signal));
    times.hostile.push(...(await postFor(server, token, phaseMs)));
    stop.abort();
    await Promise.all(sending);
    // What they sent last is over.
    await Bun.sleep(everyMs);
  }
  for (const kind of ["quiet", "hostile"] as const) {
    const of = (share: number) => percentile(times[kind], share).toFixed(1);
    print(`POST /frames, ${kind}`, `${times[kind].length}: p50 ${of(0.5)}, p99 ${of(0.99)}, longest ${of(1)} ms`);
  }
  const ratio = percentile(times.hostile, 0.99) / percentile(times.quiet, 0.99);
  print("p99 under attack, in quiet ones", ratio.toFixed(2));
  conclude(ratio <= 2);
});

function percentile(times: readonly number[], share: number): number {
  return times.toSorted((one, other) => one - other)[Math.floor(share * (times.length - 1))] ?? Number.NaN;
}

async function postFor({ ingestUrl }: TrackerServer, token: string, ms: number): Promise<number[]> {
  const { imei } = trackerDevice(0, "");
  const times: number[] = [];
  const began = performance.now();
  while (performance.now() - began < ms) {
    const recorded_at = new Date(Date.UTC(2026, 10, 16) + ++posted * 1_000).toISOString();
    const frame = { imei, recorded_at, latitude: 52.5 + (posted % 4_000) * 0.0003, longitude: 13.4, ignition: true };
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const sentAt = performance.now();
    const answer = await fetch(`${ingestUrl}/frames`, { method: "POST", headers, body: JSON.stringify(frame) });
    if (answer.status !== 200) throw new Error(await answer.text());
    await answer.arrayBuffer();
    times.push(performance.now() - sentAt);
    await Bun.sleep(postEveryMs);
  }
  return times;
}

async function attack({ ports }: TrackerServer, number: number, stop: AbortSignal): Promise<void> {
  const [family, over, token] = hostile[number % hostile.length] as (typeof hostile)[number];
  const length = over === "udp" ? limits.datagramBytes : 65_536;
  const bytes = Buffer.from(token.repeat(length).slice(0, length), "latin1");
  while (!stop.aborted) {
    if (over === "udp") {
      const socket = await Bun.udpSocket({});
      for (let sent = 0; sent < 65_536; sent += length) socket.send(bytes, ports[family], "127.0.0.1");
      socket.close();
    } else {
      const socket = await Bun.connect({
        hostname: "127.0.0.1",
        port: ports[family],
        socket: { data: () => {}, error: () => {} },
      });
      socket.write(bytes);
      setTimeout(() => socket.terminate(), everyMs);
    }
    await Bun.sleep(everyMs);
  }
}
