import { type Connections, connectionsTo, cpuSeconds } from "./processes.ts";

/** A database server that runs on this machine. */
export interface Part {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
}

/** What the servers of a store have used so far. */
export interface Use {
  readonly connections: readonly (Connections | null)[];
  readonly dataBytes: number;
  readonly logBytes: number;
}

/** The servers of a store: one, or the coordinator and the workers of Citus. */
export class Machines {
  readonly #client: Bun.SQL;
  #isCitus = false;
  parts: readonly Part[] = [];

  constructor(url: string) {
    this.#client = new Bun.SQL(url, { max: 1 });
  }

  /** The process numbers can be given, by name. Otherwise they are asked for, which only a superuser may do. */
  async find(given: ReadonlyMap<string, number>): Promise<void> {
    const [row] = await this.#client`select count(*)::int as count from pg_extension where extname = 'citus'`;
    this.#isCitus = row.count > 0;
    const ports = await this.#everywhere("current_setting('port')");
    const names = ports.map((_, index) => (index > 0 ? `worker${index}` : this.#isCitus ? "coordinator" : "server"));
    const isAllGiven = names.every((name) => given.has(name));
    const pids = isAllGiven ? [] : await this.#everywhere("split_part(pg_read_file('postmaster.pid'), chr(10), 1)");
    this.parts = names.map((name, index) => ({
      name,
      pid: given.get(name) ?? Number(pids[index]),
      port: Number(ports[index]),
    }));
  }

  /** Asking for sizes takes the servers some hundredths of a second of their own: it must not be counted. */
  cpuSeconds(): Promise<number[]> {
    return cpuSeconds(this.parts.map(({ pid }) => pid));
  }

  async use(): Promise<Use> {
    const sizes = await this.#everywhere("pg_database_size(current_database())");
    const logs = await this.#everywhere("(pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint");
    return {
      connections: await Promise.all(this.parts.map(({ port }) => connectionsTo(port))),
      dataBytes: total(sizes),
      logBytes: total(logs),
    };
  }

  /** As the node that leads would do it soon: without statistics, plans are of a store in its first minute. */
  async analyse(): Promise<void> {
    await this.#client.unsafe("analyze");
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  /** The value of an expression of this file on each server, the first of which is where our nodes connect to. */
  async #everywhere(expression: string): Promise<string[]> {
    const [own] = await this.#client.unsafe(`select (${expression})::text as value`);
    if (!this.#isCitus) return [own.value];
    const workers: { success: boolean; result: string }[] = await this.#client`
      select success, result from run_command_on_workers(${`select ${expression}`}) order by nodename, nodeport`;
    for (const { success, result } of workers) if (!success) throw new Error(`a worker answered: ${result}`);
    return [own.value, ...workers.map(({ result }) => result)];
  }
}

function total(values: readonly string[]): number {
  return values.reduce((sum, value) => sum + Number(value), 0);
}
