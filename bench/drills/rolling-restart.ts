/**
 * Restarts each of several nodes behind a proxy, in turn, while clients read and write. Held if no client saw an error and
 * every acknowledged frame is stored exactly once.
 *
 *     node_modules/.bin/bun bench/drills/rolling-restart.ts [--nodes 2] [--rounds 5] [--apart 2.5] [--proxy nginx|haproxy|caddy|none]
 *
 *   --nodes N     nodes behind the proxy
 *   --rounds N    how often each is restarted
 *   --apart S     seconds between the end of a restart and the next one
 *   --proxy NAME  nginx, haproxy, caddy, or none: each connection of a client goes to a node that is healthy when it is opened
 */
import { needTools, readOptions } from "../support/options.ts";
import { Balancer } from "./support/balancer.ts";
import { loadFleet } from "./support/fleet.ts";
import { startLoad } from "./support/load.ts";
import { killAll, startNodes } from "./support/nodes.ts";
import { onPostgres } from "./support/on-postgres.ts";
import { startProxy } from "./support/proxies.ts";
import { conclude, print, summary } from "./support/report.ts";
import { verifyFrames } from "./support/verify.ts";

const options = readOptions(import.meta.url, { nodes: 2, rounds: 5, apart: 2.5, proxy: "nginx" });
needTools(...(options.proxy === "none" ? [] : [options.proxy]));
const [count, rounds, apartMs] = [options.nodes, options.rounds, options.apart * 1000];

await onPostgres(drill);

async function drill(databaseUrl: string): Promise<void> {
  const fleet = await loadFleet(databaseUrl, 20);
  const nodes = await startNodes(count, { databaseUrl });
  try {
    const proxy = options.proxy === "none" ? null : await startProxy(options.proxy, nodes);
    const balancer = new Balancer(nodes);
    const load = proxy
      ? startLoad({ fleet, readFrom: () => proxy.url, writeTo: () => proxy.ingestUrl })
      : startLoad({ fleet, readFrom: balancer.api, writeTo: balancer.ingest });
    const codes: number[] = [];
    const tookMs: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      for (const node of nodes) {
        await Bun.sleep(apartMs);
        const began = performance.now();
        codes.push(await node.stop());
        await node.start();
        tookMs.push(performance.now() - began);
      }
      print(`errors after round ${round}`, load.soFar.errors.length);
    }
    await Bun.sleep(apartMs);
    const result = await load.stop();
    await proxy?.stop();
    await Promise.all(nodes.map((node) => node.stop()));
    const verified = await verifyFrames(databaseUrl, result);
    print(
      "restarts",
      `${codes.length}, each ${Math.round(Math.min(...tookMs))} to ${Math.round(Math.max(...tookMs))} ms`,
    );
    print("exit codes other than 0", codes.filter((code) => code !== 0).length);
    print("reads, messages of frames", `${result.reads}, ${result.writes}`);
    print("errors that a client saw", `${result.errors.length} (${summary(result.errors)})`);
    print("frames acknowledged, stored", `${verified.acknowledged}, ${verified.stored}`);
    print("lost, stored twice", `${verified.lost.length}, ${verified.twice}`);
    conclude(result.errors.length === 0 && verified.held && codes.every((code) => code === 0));
  } finally {
    await killAll(nodes);
  }
}
