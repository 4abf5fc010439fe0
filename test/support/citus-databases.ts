import { SQL } from "bun";
import { distributeStore } from "../../src/store/postgres/distribute.ts";

/**
 * Databases on a Citus cluster, for a trial of the whole suite with DATABASE_URL_TEST. A database of a cluster is one of that name
 * on every machine; the coordinator finds the others' by the name of its own. So a template that is spread can be copied on each
 * machine by itself, which takes a fraction of the time of spreading.
 */
export interface Cluster {
  /** Runs a statement about databases on every machine. */
  everywhere(statement: string): Promise<void>;
  drop(name: string): Promise<void>;
  /** Ends what the server itself runs in the database: one in use cannot be copied. */
  release(name: string): Promise<void>;
  /** Makes the database, which must be there on every machine, a store that is spread. */
  spread(url: string): Promise<void>;
}

interface Machine {
  readonly nodename: string;
  readonly nodeport: number;
}

/** Null: the server is plain PostgreSQL. The maintenance database of a cluster must know its machines. */
export async function clusterAt(sql: SQL, url: string): Promise<Cluster | null> {
  const [found]: { there: boolean }[] = await sql`select to_regclass('pg_dist_node') is not null as there`;
  if (!found?.there) return null;
  const machines: Machine[] = await sql`select nodename, nodeport from pg_dist_node order by groupid`;
  const [coordinator, ...workers] = machines;
  if (!coordinator || workers.length === 0) return null;
  const clients = machines.map((machine) => new SQL({ url: at(url, machine), max: 1 }));
  /** Citus keeps a process of its own in each database that is used. */
  const release = async (name: string) => {
    const end = (client: SQL) => client`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
    await Promise.all(clients.map(end));
  };
  return {
    everywhere: async (statement) => {
      await Promise.all(clients.map((client) => client.unsafe(statement)));
    },
    // To drop it would take seconds. It goes with the cluster, which is for trials only; until then it must cost nothing.
    drop: release,
    release,
    spread: async (database) => {
      for (const machine of machines)
        await withClient(at(database, machine), (client) => client.unsafe("create extension citus"));
      await withClient(database, async (client) => {
        await client`select citus_set_coordinator_host(${coordinator.nodename}, ${coordinator.nodeport})`;
        for (const { nodename, nodeport } of workers) await client`select citus_add_node(${nodename}, ${nodeport})`;
      });
      await distributeStore(database, { shards: null, onTable: () => {} });
      await release(new URL(database).pathname.slice(1));
    },
  };
}

async function withClient(url: string, work: (client: SQL) => Promise<unknown>): Promise<void> {
  const client = new SQL({ url, max: 1 });
  try {
    await work(client);
  } finally {
    await client.close();
  }
}

function at(url: string, { nodename, nodeport }: Machine): string {
  const address = new URL(url);
  address.hostname = nodename;
  address.port = String(nodeport);
  return address.href;
}
