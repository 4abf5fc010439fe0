/**
 * PostgreSQL, and then the network on the way to it, is silent for 20 s while two nodes are read from and written to:
 * nothing is refused, and nothing is answered.
 *
 *     node_modules/.bin/bun bench/drills/database-frozen.ts [--rounds 1] [--nodes 2] [--seconds 20]
 */

import { startTcpProxy } from "../../test/support/tcp-proxy.ts";
import { readOptions } from "../support/options.ts";
import { startDatabase } from "./support/database.ts";
import { drillOnPostgres } from "./support/postgres-drill.ts";

const options = readOptions(import.meta.url, { rounds: 1, nodes: 2, seconds: 20 });

const silentMs = options.seconds * 1000;
const database = await startDatabase();
const network = await startTcpProxy(`tcp://127.0.0.1:${database.port}`);
process.exitCode = await drillOnPostgres(
  { database, nodes: options.nodes, url: database.url(network.port), end: () => network.close() },
  async (drill) => {
    for (let round = 1; round <= options.rounds; round++) {
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
