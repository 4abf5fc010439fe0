/**
 * A server with many trackers is killed and started again; within seconds all of them come back, each with one report that it keeps
 * until it is answered. Meanwhile the API is asked. Held if every report is answered in time, and every answer of the API is quick.
 *
 *     node_modules/.bin/bun bench/drills/reconnect-storm.ts [--trackers 10000] [--within 10] [--postgres]
 *
 *   --trackers N  of mixed families
 *   --within S    they all come back in so many seconds
 *   --postgres    on a PostgreSQL of its own instead of SQLite
 */

import { createKey } from "../../src/access/keys.ts";
import { openDatabase } from "../../src/store/open.ts";
import { smallFleet } from "../../test/support/fleet.ts";
import { protocolOf, someReports, trackerDevice } from "../../test/support/trackers/reporting.ts";
import { WireTracker } from "../../test/support/trackers/wire-tracker.ts";
import { readOptions } from "../support/options.ts";
import { withTrackerServer } from "../support/tracker-server.ts";
import { conclude, print } from "./support/report.ts";

const options = readOptions(import.meta.url, { trackers: 10_000, within: 10, postgres: false });
const { trackers: count, within } = options;
const allowedS = options.postgres ? 90 : 60;
const allowedPollMs = 200;
const pollEveryMs = 100;
/** After a refusal a modem waits before it calls again. */
const callAgainMs = 3_000;

/** Their lines stay open, as those of trackers do; the first server's end with it. */
const connected: WireTracker[] = [];

await withTrackerServer({ devices: count, onPostgres: options.postgres }, async (start, _, target) => {
  const key = await ownersKey();
  const numbers = Array.from({ length: count }, (_, number) => number);
  const first = await start();
  // Each has a past.
  for (let from = 0; from < count; from += 500) {
    await Promise.all(numbers.slice(from, from + 500).map((number) => reportOf(first, number, 0)));
  }
  await first.kill();
  const server = await start();
  const began = performance.now();
  let [isOver, calls] = [false, 0];
  const polls = poll(server.url);
  const answeredAt = await Promise.all(
    numbers.map(async (number) => {
      await Bun.sleep((number / count) * within * 1_000);
      const ofThis = await reportOf(server, number, 1);
      calls += ofThis;
      return performance.now() - began;
    }),
  );
  isOver = true;
  for (const tracker of connected) tracker.close();
  const lastS = Math.max(...answeredAt) / 1_000;
  const times = (await polls).sort((one, other) => one - other);
  const share = (of: number) => `${(times[Math.floor(times.length * of)] ?? 0).toFixed(0)} ms`;
  print("reports answered", `${count}, the last after ${lastS.toFixed(1)} s`);
  print("calls it took", calls);
  print("polls of the API", `${times.length}: p50 ${share(0.5)}, p99 ${share(0.99)}, longest ${share(0.9999)}`);
  const longest = times.at(-1) ?? 0;
  conclude(
    lastS <= allowedS && longest <= allowedPollMs,
    `${lastS.toFixed(1)} s, or a poll of ${longest.toFixed(0)} ms`,
  );

  async function poll(url: string): Promise<number[]> {
    const took: number[] = [];
    for (let turn = 0; !isOver; turn++) {
      const askedAt = performance.now();
      const path = turn % 2 === 0 ? "/positions/latest?limit=100" : "/devices?limit=100";
      const answer = await fetch(`${url}/v1${path}`, { headers: { "X-API-Key": key } });
      await answer.text();
      if (answer.status !== 200) throw new Error(`the API answered ${answer.status}`);
      took.push(performance.now() - askedAt);
      await Bun.sleep(Math.max(0, pollEveryMs - (performance.now() - askedAt)));
    }
    return took;
  }

  async function ownersKey(): Promise<string> {
    const database = await openDatabase(target, { create: false });
    const unlimited = { perSecond: null, perDay: null, expiresAt: null };
    const request = {
      email: smallFleet.olga.email,
      name: "storm",
      scopes: ["positions:read", "devices:read"] as const,
    };
    const { secret } = await createKey(database, { ...request, ...unlimited }, Date.now());
    await database.close();
    return secret;
  }
});

/** How often it called until its report was answered. */
async function reportOf(server: { readonly ports: Readonly<Record<string, number>> }, number: number, turn: number) {
  const protocol = protocolOf(number);
  const report = someReports(number, turn + 1)[turn];
  for (let calls = 1; report !== undefined; calls++) {
    const tracker = new WireTracker(protocol, trackerDevice(number, "").imei, server.ports[protocol] ?? 0);
    const isAnswered = (await tracker.connect()) && (await tracker.report(report));
    if (isAnswered) {
      connected.push(tracker);
      return calls;
    }
    tracker.close();
    await Bun.sleep(callAgainMs);
  }
  return 0;
}
