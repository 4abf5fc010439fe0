/**
 * Kills one of several nodes behind a proxy with `kill -9`, in turn, while clients read and write, and starts it again. Held if
 * no client saw an error, and every acknowledged frame is stored exactly once.
 *
 *     node_modules/.bin/bun bench/drills/node-killed.ts [--nodes 2] [--kills 4] [--down 3] [--proxy nginx|haproxy|caddy]
 *
 *   --nodes N   nodes behind the proxy
 *   --kills N   how often one is killed
 *   --down S    seconds until it is started again
 *   --proxy NAME  nginx, haproxy or caddy
 */
import { needTools, readOptions } from "../support/options.ts";
import { loadFleet } from "./support/fleet.ts";
import { startLoad } from "./support/load.ts";
import { killAll, startNodes } from "./support/nodes.ts";
import { onPostgres } from "./support/on-postgres.ts";
import { startProxy } from "./support/proxies.ts";
import { conclude, print, summary } from "./support/report.ts";
import { verifyFrames } from "./support/verify.ts";

const options = readOptions(import.meta.url, { nodes: 2, kills: 4, down: 3, proxy: "nginx" });
needTools(options.proxy);
const [count, kills, downMs] = [options.nodes, options.kills, options.down * 1000];
/** The next one is killed when the proxy has taken notice of the last. */
const betweenMs = 4_000;

await onPostgres(drill);

async function drill(databaseUrl: string): Promise<void> {
  const fleet = await loadFleet(databaseUrl, 20);
  const nodes = await startNodes(count, { databaseUrl });
  try {
    const proxy = await startProxy(options.proxy, nodes);
    let slowestMs = 0;
    const load = startLoad({
      fleet,
      readFrom: () => proxy.url,
      writeTo: () => proxy.ingestUrl,
      onOutcome: ({ sentAt, endedAt }) => {
        slowestMs = Math.max(slowestMs, endedAt - sentAt);
      },
    });
    for (let number = 0; number < kills; number++) {
      await Bun.sleep(betweenMs);
      const node = nodes[number % nodes.length];
      if (node === undefined) throw new Error("a drill needs a node");
      await node.kill();
      await Bun.sleep(downMs);
      await node.start();
      print(`errors after kill ${number + 1} (${node.name})`, load.soFar.errors.length);
    }
    await Bun.sleep(betweenMs);
    const result = await load.stop();
    await proxy.stop();
    await Promise.all(nodes.map((node) => node.stop()));
    const verified = await verifyFrames(databaseUrl, result);
    print("reads, messages of frames", `${result.reads}, ${result.writes}`);
    print("errors that a client saw", `${result.errors.length} (${summary(result.errors)})`);
    print("messages that the proxy sent again", `${result.duplicates} had been stored already`);
    print("slowest answer", `${Math.round(slowestMs)} ms`);
    print("frames acknowledged, stored", `${verified.acknowledged}, ${verified.stored}`);
    print("lost, stored twice", `${verified.lost.length}, ${verified.twice}`);
    conclude(result.errors.length === 0 && verified.held);
  } finally {
    await killAll(nodes);
  }
}
