import { openDatabase, type StoreTarget } from "../../../src/store/open.ts";
import type { DrillDatabase } from "./database.ts";
import { FaultDrill, print } from "./fault-drill.ts";
import { loadFleet } from "./fleet.ts";
import { killAll, type Node, odograph, startNodes } from "./nodes.ts";
import { verifyFrames } from "./verify.ts";

export interface PostgresDrill {
  readonly database: DrillDatabase;
  readonly nodes: number;
  /** The address that nodes use: the server's own, or of something in between. */
  readonly url?: string;
  /** Where what is stored is read at the end. */
  readonly finalUrl?: () => string;
  /** Ends what the drill began beside the database. */
  readonly end?: () => Promise<void>;
}

/** Runs a drill on PostgreSQL and removes everything. Returns the exit code. */
export async function drillOnPostgres(
  { database, nodes, url = database.url(), finalUrl = () => url, end }: PostgresDrill,
  run: (drill: FaultDrill) => Promise<void>,
): Promise<number> {
  try {
    console.log("PostgreSQL, with fsync on");
    return await drillOn({ url, nodes, target: () => ({ engine: "postgres", url: finalUrl() }), finalUrl }, run);
  } finally {
    await end?.();
    await database.remove();
  }
}

/** Runs a drill on the embedded store, in `ODOGRAPH_DATA`. Returns the exit code. */
export async function drillOnSqlite(directory: string, run: (drill: FaultDrill) => Promise<void>): Promise<number> {
  console.log("SQLite");
  const target = () => ({ engine: "sqlite", directory }) as const;
  return drillOn({ url: "", nodes: 1, target, finalUrl: () => "" }, run);
}

interface DrillPlace {
  /** Empty: the embedded store. */
  readonly url: string;
  readonly nodes: number;
  readonly target: () => StoreTarget;
  readonly finalUrl: () => string;
}

const vehicles = 34;

async function drillOn(
  { url, nodes: count, target, finalUrl }: DrillPlace,
  run: (drill: FaultDrill) => Promise<void>,
): Promise<number> {
  let nodes: Node[] = [];
  try {
    const fleet = await loadFleet(url, vehicles);
    nodes = await startNodes(count, { databaseUrl: url, words: ["--log-level", "warn"] });
    console.log(`${count === 1 ? "a node" : `${count} nodes`}, ${vehicles} vehicles`);
    const drill = await FaultDrill.start(nodes, fleet);
    await run(drill);
    let isHeld = await drill.finish(
      () => openDatabase(target(), { create: false }),
      (load) => verifyFrames(target(), load),
    );
    await Promise.all(nodes.map((node) => node.stop()));
    const again = JSON.parse(await odograph(["rederive", "--json"], finalUrl())) as { changed: boolean };
    print("deriving everything again changes something", String(again.changed));
    isHeld &&= !again.changed;
    console.log(isHeld ? "\nheld" : "\nnot held");
    return isHeld ? 0 : 1;
  } finally {
    await killAll(nodes);
  }
}
