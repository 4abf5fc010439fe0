import { Fleet } from "../../many-machines/fleet.ts";
import type { CitusCluster } from "./citus.ts";
import type { DrillFleet } from "./fleet.ts";
import { type Load, type LoadOptions, type LoadResult, type Outcome, startLoad } from "./load.ts";
import type { Node } from "./nodes.ts";

const devicesEach = 12;

/** One account of several that share a cluster. */
export interface SpreadAccount {
  readonly fleet: DrillFleet;
  /** As Citus knows it. */
  readonly number: number;
  /** Host and port of its worker. */
  readonly place: string;
}

/** Loads accounts into a store that is spread, so many that each worker has some. */
export async function loadAccounts(cluster: CitusCluster, count: number): Promise<SpreadAccount[]> {
  const fleet = new Fleet(count, devicesEach);
  const access = await fleet.load(cluster.url);
  const rows = await cluster.asSuperuser<{ number: string; name: string; id: string; place: string }>(`
    select a.account_id as number, a.name, a.id, n.nodename || ':' || n.nodeport as place from accounts a
    join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('devices', a.account_id)
    join pg_dist_node n using (groupid) order by a.account_id`);
  return rows.map(({ number, name, id, place }) => {
    const account = Number(name.split(" ")[1]);
    const imeis = Array.from({ length: devicesEach }, (_, device) => fleet.imei(account, device));
    const { key = "", token = "" } = access[account] ?? {};
    return { number: Number(number), place, fleet: { accountId: id, imeis, key, token } };
  });
}

/** What clients of an account saw, in the order in which it ended. */
export interface AccountLoad {
  readonly account: SpreadAccount;
  readonly load: Load;
  readonly outcomes: readonly Outcome[];
}

export function startLoads(
  accounts: readonly SpreadAccount[],
  node: Node,
  options: Pick<LoadOptions, "readers" | "writers" | "pauseMs" | "framesPerMessage">,
): AccountLoad[] {
  return accounts.map((account) => {
    const outcomes: Outcome[] = [];
    const load = startLoad({
      ...options,
      fleet: account.fleet,
      readFrom: () => node.url,
      writeTo: () => node.ingestUrl,
      onOutcome: (outcome) => outcomes.push(outcome),
    });
    return { account, load, outcomes };
  });
}

/** Ends them, and gives what all of them have sent. */
export async function stopLoads(loads: readonly AccountLoad[]): Promise<LoadResult> {
  const results = await Promise.all(loads.map(({ load }) => load.stop()));
  const sum = (count: (result: LoadResult) => number) => results.reduce((total, result) => total + count(result), 0);
  const union = (names: (result: LoadResult) => ReadonlySet<string>) =>
    new Set(results.flatMap((result) => [...names(result)]));
  return {
    reads: sum(({ reads }) => reads),
    writes: sum(({ writes }) => writes),
    duplicates: sum(({ duplicates }) => duplicates),
    errors: results.flatMap(({ errors }) => errors),
    acknowledged: union(({ acknowledged }) => acknowledged),
    sent: union(({ sent }) => sent),
  };
}
