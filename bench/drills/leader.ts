import { parseArgs } from "node:util";
import { openDatabase } from "../../src/store/open.ts";
import { dirtyCount } from "../../test/support/ingest-node.ts";
import { type IngestServer, startServer } from "../../test/support/ingest-server.ts";
import { startPostgres } from "../../test/support/postgres-server.mjs";
import { fleetOfDrill, leaveWork, manyAccounts } from "./support/work-left.ts";

const help = `
Two nodes on one PostgreSQL. The one that leads is killed (SIGKILL), and then work is left: devices whose facts must be
derived again. Prints after how many seconds the other node led, and had done what was left. At the end the leader is
stopped properly, and a third node leads when it asks next.

  node_modules/.bin/bun bench/drills/leader.ts [--accounts 1000]

  --accounts N   so many accounts more, without work (default 0)
`;

const limitSeconds = 30;

const { values } = parseArgs({ options: { help: { type: "boolean" }, accounts: { type: "string", default: "0" } } });
if (values.help) console.log(help.trim());
else await drill(Number(values.accounts));

async function drill(accounts: number): Promise<void> {
  const postgres = await startPostgres();
  const database = await openDatabase({ engine: "postgres", url: postgres.url }, { create: true });
  const nodes: IngestServer[] = [];
  const start = async () => {
    const node = await startServer({ env: { DATABASE_URL: postgres.url } });
    nodes.push(node);
    return node;
  };
  try {
    await fleetOfDrill(database);
    await manyAccounts(database, accounts);
    await Promise.all([start(), start()]);
    const leader = await until(() => leading(nodes));
    const other = nodes.find((node) => node !== leader) as IngestServer;
    print("nodes, accounts", `2, ${accounts + 2}`);

    await leader.kill();
    const killed = performance.now();
    print("devices left to derive", await leaveWork(database));
    await until(() => leading([other]));
    const led = secondsSince(killed);
    await until(async () => ((await dirtyCount(database)) === 0 ? true : null));
    const done = secondsSince(killed);
    print("killed: another node led after", `${led} s`);
    print("killed: what was left was done after", `${done} s`);

    const third = await start();
    const stopped = performance.now();
    await other.stop();
    await until(() => leading([third]));
    const given = secondsSince(stopped);
    print("stopped: another node led after", `${given} s`);
    const held = led <= limitSeconds && done <= limitSeconds && given <= limitSeconds;
    console.log(held ? "held" : `not held: it must take ${limitSeconds} s at most`);
    process.exitCode = held ? 0 : 1;
  } finally {
    await Promise.all(nodes.map((node) => node.kill()));
    await database.close();
    await postgres.stop();
  }
}

function print(what: string, value: string | number): void {
  console.log(`${what.padEnd(44)} ${value}`);
}

function secondsSince(begin: number): number {
  return Math.round((performance.now() - begin) / 100) / 10;
}

/** The node that says so in its metrics. */
async function leading(nodes: readonly IngestServer[]): Promise<IngestServer | null> {
  for (const node of nodes) {
    const metrics = await (await fetch(`${node.ingestUrl}/metrics`)).text();
    if (metrics.includes("\nodograph_leading 1")) return node;
  }
  return null;
}

async function until<Found>(find: () => Promise<Found | null>): Promise<Found> {
  const deadline = performance.now() + 4 * limitSeconds * 1000;
  for (;;) {
    const found = await find();
    if (found !== null) return found;
    if (performance.now() > deadline) throw new Error(`it was not so after ${4 * limitSeconds} s`);
    await Bun.sleep(50);
  }
}
