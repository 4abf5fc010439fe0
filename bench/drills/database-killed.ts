/**
 * PostgreSQL is killed, restarted, and single connections of it are ended, while two nodes are read from and written to.
 *
 *     node_modules/.bin/bun bench/drills/database-killed.ts [--rounds 2] [--nodes 2] [--seconds-down 3]
 */
import { readOptions } from "../support/options.ts";
import { type DrillDatabase, startDatabase } from "./support/database.ts";
import type { FaultDrill } from "./support/fault-drill.ts";
import { drillOnPostgres } from "./support/postgres-drill.ts";

const options = readOptions(import.meta.url, { rounds: 2, nodes: 2, "seconds-down": 3 });

const downMs = options["seconds-down"] * 1000;
const database = await startDatabase();
process.exitCode = await drillOnPostgres({ database, nodes: options.nodes }, async (drill) => {
  for (let round = 1; round <= options.rounds; round++) await killInEachWay(drill, database, `round ${round}: `);
});

async function killInEachWay(drill: FaultDrill, server: DrillDatabase, round: string): Promise<void> {
  await drill.go({
    name: `${round}kill -9 of all of its processes, started again ${downMs / 1000} s later`,
    isAway: true,
    run: async (returned) => {
      await server.kill();
      await Bun.sleep(downMs);
      await server.mustStart();
      returned();
    },
  });
  await drill.go({
    name: `${round}a smooth restart (pg_ctl -m fast), down for ${downMs / 1000} s`,
    isAway: true,
    run: async (returned) => {
      await server.stopFast();
      await Bun.sleep(downMs);
      await server.mustStart();
      returned();
    },
  });
  await drill.go({
    name: `${round}the process of one connection is ended (SIGTERM)`,
    run: async (returned) => {
      endOne(server, "SIGTERM");
      returned();
    },
  });
  await drill.go({
    name: `${round}the process of one connection is killed (kill -9): PostgreSQL cuts all others and recovers`,
    run: async (returned) => {
      const before = timesReady(server);
      endOne(server, "SIGKILL");
      while (timesReady(server) === before) await Bun.sleep(10);
      returned();
    },
  });
}

/** How often it has begun to accept connections, also after a recovery by itself. */
function timesReady({ log }: DrillDatabase): number {
  return log.split("ready to accept connections").length;
}

function endOne(server: DrillDatabase, signal: NodeJS.Signals): void {
  const pid = server.backend();
  if (pid === null) throw new Error("no connection was found");
  process.kill(pid, signal);
}
