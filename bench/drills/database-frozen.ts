/**
 * PostgreSQL, and then the network on the way to it, is silent for 20 s while two nodes are read from and written to:
 * nothing is refused, and nothing is answered.
 *
 *     node_modules/.bin/bun bench/drills/database-frozen.ts [--rounds 1] [--nodes 2] [--seconds 20]
 */
import { parseArgs } from "node:util";
import { startTcpProxy } from "../../test/support/tcp-proxy.ts";
import { startDatabase } from "./support/database.ts";
import { drillOnPostgres, help } from "./support/postgres-drill.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "1" },
    nodes: { type: "string", default: "2" },
    seconds: { type: "string", default: "20" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) help(import.meta.url);

const silentMs = Number(values.seconds) * 1000;
const database = await startDatabase();
const network = await startTcpProxy(`tcp://127.0.0.1:${database.port}`);
process.exitCode = await drillOnPostgres(
  { database, nodes: Number(values.nodes), url: database.url(network.port), end: () => network.close() },
  async (drill) => {
    for (let round = 1; round <= Number(values.rounds); round++) {
      await drill.go({
        name: `round ${round}: all processes of PostgreSQL stand still (SIGSTOP) for ${silentMs / 1000} s`,
        isAway: true,
        run: async (returned) => {
          database.freeze();
          await Bun.sleep(silentMs);
          database.thaw();
          returned();
        },
      });
      await drill.go({
        name: `round ${round}: the network swallows everything for ${silentMs / 1000} s`,
        isAway: true,
        run: async (returned) => {
          network.freeze();
          await Bun.sleep(silentMs);
          await network.restore();
          returned();
        },
      });
    }
  },
);
