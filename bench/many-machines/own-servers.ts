import { CitusCluster } from "../drills/support/citus.ts";
import { type DrillDatabase, startDatabase } from "../drills/support/database.ts";

/** As many as a worker of several machines has. */
const shards = 32;

interface OwnStore {
  readonly name: string;
  readonly url: string;
  /** By part: the process of its server. */
  readonly pids: ReadonlyMap<string, number>;
}

/** Servers that a measurement makes for itself, all of one PostgreSQL: a plain one, and one or two clusters. */
export class OwnServers {
  private constructor(
    readonly plain: DrillDatabase,
    readonly clusters: readonly CitusCluster[],
  ) {}

  static async start(programs: string, hasBefore: boolean): Promise<OwnServers> {
    const plain = await startDatabase({ programs });
    const clusters = [await CitusCluster.start({ programs, shards })];
    if (hasBefore) clusters.push(await CitusCluster.start({ programs, shards }));
    return new OwnServers(plain, clusters);
  }

  get stores(): OwnStore[] {
    const plain = { name: "plain", url: this.plain.url(), pids: new Map([["server", pidOf(this.plain)]]) };
    const spread = this.clusters.map(({ url, coordinator, workers }, index) => {
      const ofWorkers = workers.map(({ database }, number): [string, number] => [
        `worker${number + 1}`,
        pidOf(database),
      ]);
      return {
        name: index === 0 ? "citus" : "before",
        url,
        pids: new Map([["coordinator", pidOf(coordinator)], ...ofWorkers]),
      };
    });
    return [plain, ...spread];
  }

  async remove(): Promise<void> {
    await Promise.all([this.plain, ...this.clusters].map((each) => each.remove()));
  }
}

function pidOf(database: DrillDatabase): number {
  return database.processes().postmaster;
}
