/**
 * A primary with a synchronous standby fails while two nodes are read from and written to. The standby is promoted, and the
 * address of the database leads to it: in the first drill the primary is killed, in the second it hangs, so that nobody
 * tells the nodes that their connections are dead. In between, the address leads to the standby before it is promoted.
 *
 *     node_modules/.bin/bun bench/drills/database-failover.ts [--nodes 2] [--seconds-down 5]
 */

import { startTcpProxy } from "../../test/support/tcp-proxy.ts";
import { readOptions } from "../support/options.ts";
import { type DrillDatabase, startWithStandby } from "./support/database.ts";
import type { Fault } from "./support/fault-drill.ts";
import { drillOnPostgres } from "./support/postgres-drill.ts";

const options = readOptions(import.meta.url, { nodes: 2, "seconds-down": 5 });

const downMs = options["seconds-down"] * 1000;
const codes = [
  await failOver("the primary is killed", async (primary) => primary.kill()),
  await failOver("the primary hangs (SIGSTOP)", async (primary) => primary.freeze()),
];
process.exitCode = Math.max(...codes);

async function failOver(name: string, lose: (primary: DrillDatabase) => Promise<void>): Promise<number> {
  const { primary, standby } = await startWithStandby();
  const address = await startTcpProxy(`tcp://127.0.0.1:${primary.port}`);
  const fault: Fault = {
    name: `${name}; the address leads to the standby ${downMs / 1000} s later, which is promoted 2 s after that`,
    isAway: true,
    run: async (returned) => {
      await lose(primary);
      await Bun.sleep(downMs);
      // As DNS does it: what is connected stays where it is.
      address.leadTo(`tcp://127.0.0.1:${standby.port}`);
      await Bun.sleep(2_000);
      await standby.promote();
      returned();
    },
  };
  return drillOnPostgres(
    {
      database: primary,
      nodes: options.nodes,
      url: primary.url(address.port),
      finalUrl: () => standby.url(),
      end: () => address.close(),
    },
    (drill) => drill.go(fault),
  );
}
