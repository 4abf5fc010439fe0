/**
 * Trackers of all families call through a balancer, nginx or HAProxy with the files of deploy/, over TCP and UDP, while of the two nodes
 * behind it one is stopped and started again, and then the other is killed. A tracker keeps a report until it is answered, and calls
 * again. Held if every report is answered in the end, and what was answered is stored, once.
 *
 *     node_modules/.bin/bun bench/drills/tracker-balancers.ts [--trackers 10000] [--every 30] [--proxy nginx,haproxy]
 *
 *   --trackers N   that call
 *   --every S      how often each reports
 *   --reports N    of each
 *   --down S       seconds until a node is started again
 *   --proxy LIST   of nginx, haproxy; one that is not installed is left out, and said to be
 *   --worker-connections N  of nginx; Debian's own 768 shows what the file warns of
 */

import { type TrackerProtocol, trackerProtocols } from "../../src/domain/tracker-protocols.ts";
import { openDatabase } from "../../src/store/open.ts";
import { load, smallFleet } from "../../test/support/fleet.ts";
import { freePort } from "../../test/support/free-port.mjs";
import type { CallerReport } from "../../test/support/trackers/callers.ts";
import { protocolOf, someReports, trackerDevice } from "../../test/support/trackers/reporting.ts";
import { storedMoments } from "../../test/support/trackers/tracker-server.ts";
import { WireTracker } from "../../test/support/trackers/wire-tracker.ts";
import { readOptions } from "../support/options.ts";
import { killAll, Node } from "./support/nodes.ts";
import { onPostgres } from "./support/on-postgres.ts";
import { conclude, print } from "./support/report.ts";
import {
  type BalancerName,
  startTrackerBalancer,
  type TrackerPorts,
  trackerBalancers,
  whatIsMissing,
} from "./support/tracker-balancers.ts";

const options = readOptions(import.meta.url, {
  trackers: 10_000,
  every: 30,
  reports: 5,
  down: 10,
  proxy: trackerBalancers.join(","),
  "worker-connections": 65_536,
});
const [count, everyMs, downMs] = [options.trackers, options.every * 1_000, options.down * 1_000];
/** A tracker that has no answer for so long calls again. */
const answerMs = 20_000;
/** It waits for so long before that, and at most twice as long. */
const againMs = 2_000;
/** From the last report on, for all that wait. */
const patienceMs = 180_000;

const held: boolean[] = [];
for (const name of trackerBalancers.filter((each) => options.proxy.split(",").includes(each))) {
  const missing = whatIsMissing(name);
  if (missing !== null) console.log(`${name}: not run: ${missing}`);
  else await onPostgres((databaseUrl) => drill(name, databaseUrl));
}
if (held.length > 0) conclude(held.every((each) => each));

async function drill(name: BalancerName, databaseUrl: string): Promise<void> {
  const database = await openDatabase({ engine: "postgres", url: databaseUrl }, { create: true });
  const { acme, olga } = smallFleet;
  const devices = Array.from({ length: count }, (_, number) => trackerDevice(number, acme.id));
  await load(database, [acme, olga, ...devices]);
  const nodes = await Promise.all([1, 2].map((number) => nodeOf(number, databaseUrl)));
  try {
    for (const { node } of nodes) await node.start();
    const ports = nodes.map((each) => each.ports);
    const balancer = await startTrackerBalancer(name, ports, options["worker-connections"]);
    console.log(`${name}, ${count} trackers, each every ${options.every} s`);
    const trackers = Array.from({ length: count }, (_, number) => new PatientTracker(number));
    const began = performance.now();
    const [first, second] = nodes.map(({ node }) => node);
    const troubles = (async () => {
      for (const [node, end, at] of [
        [first, "stop", 1.3],
        [second, "kill", 2.6],
      ] as const) {
        await Bun.sleep(Math.max(0, at * everyMs - (performance.now() - began)));
        await node?.[end]();
        await Bun.sleep(downMs);
        await node?.start();
      }
    })();
    const deadline = began + options.reports * everyMs + patienceMs;
    await Promise.all(trackers.map((tracker) => tracker.report(balancer.ports, began, deadline)));
    await troubles;
    const seconds = (performance.now() - began) / 1_000;
    const log = await balancer.stop();
    await Promise.all(nodes.map(({ node }) => node.stop()));
    const moments = await storedMoments(database);
    const answered = trackers.flatMap(({ protocol, imei, answered }) =>
      answered.map(({ at }) => ({ protocol, key: `${imei} ${at}` })),
    );
    const missing = answered.filter(({ key }) => !moments.has(key));
    for (const { protocol, key } of missing) print("lost", `${protocol} ${key}`);
    const lost = missing.length;
    const twice = [...moments.values()].filter((times) => times > 1).length;
    const sum = (of: (tracker: PatientTracker) => number) => trackers.reduce((total, one) => total + of(one), 0);
    const times = trackers.flatMap(({ answerTimes }) => answerTimes).sort((one, other) => one - other);
    const after = (share: number) => (times[Math.floor(share * (times.length - 1))] ?? Number.NaN).toFixed(0);
    print("reports answered, of", `${answered.length} of ${count * options.reports} in ${seconds.toFixed(0)} s`);
    print("answered after p50, p99, longest", `${after(0.5)}, ${after(0.99)}, ${after(1)} ms`);
    print("calls; without an answer", `${sum(({ calls }) => calls)}; ${sum(({ failures }) => failures)}`);
    print("answered and lost, stored twice", `${lost}, ${twice}`);
    print("lines that the balancer logged", log.split("\n").length - 1);
    held.push(lost === 0 && twice === 0 && answered.length === count * options.reports);
  } finally {
    await killAll(nodes.map(({ node }) => node));
    await database.close();
  }
}

async function nodeOf(number: number, databaseUrl: string): Promise<{ node: Node; ports: TrackerPorts }> {
  const entries = await Promise.all(trackerProtocols.map(async (name) => [name, await freePort()] as const));
  const trackers = entries.map(([name, port]) => `${name}=${port}`).join(",");
  const words = ["--trackers", trackers, "--tracker-proxies", "127.0.0.1", "--log-level", "error"];
  const node = new Node(`node ${number}`, { databaseUrl, words }, await freePort(), await freePort());
  return { node, ports: Object.fromEntries(entries) as TrackerPorts };
}

/** Reports on time, and drops a report only when it is answered. */
class PatientTracker {
  readonly imei: string;
  readonly protocol: TrackerProtocol;
  readonly #number: number;
  readonly #waiting: CallerReport[];
  readonly answered: CallerReport[] = [];
  readonly answerTimes: number[] = [];
  calls = 0;
  failures = 0;

  constructor(number: number) {
    this.#number = number;
    this.protocol = protocolOf(number);
    this.imei = trackerDevice(number, "").imei;
    this.#waiting = [...someReports(number, options.reports)];
  }

  async report(ports: TrackerPorts, began: number, deadline: number): Promise<void> {
    const { protocol } = this;
    let line: WireTracker | null = null;
    for (let index = 0; this.#waiting[0] !== undefined && performance.now() < deadline; ) {
      const due = began + (index + this.#number / count) * everyMs;
      await Bun.sleep(Math.max(0, due - performance.now()));
      if (line === null) {
        const called = new WireTracker(protocol, this.imei, ports[protocol]);
        this.calls++;
        if (await within(called.connect())) line = called;
        else called.close();
      }
      const sentAt = performance.now();
      if (line !== null && (await within(line.report(this.#waiting[0])))) {
        this.answerTimes.push(performance.now() - sentAt);
        this.answered.push(this.#waiting.shift() as CallerReport);
        index++;
        continue;
      }
      this.failures++;
      line?.close();
      line = null;
      await Bun.sleep(againMs * (1 + Math.random()));
    }
    line?.close();
  }
}

async function within(answer: Promise<boolean>): Promise<boolean> {
  const waited = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => waited.resolve(false), answerMs);
  const isAnswered = await Promise.race([answer, waited.promise]);
  clearTimeout(timer);
  return isAnswered;
}
