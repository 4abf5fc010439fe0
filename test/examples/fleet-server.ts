import { expect } from "bun:test";
import { createWorld, type World } from "../../src/simulator/world.ts";
import type { EmptyStore } from "../support/engines.ts";
import { type RunningProgram, runOdograph, startOdograph } from "../support/program.ts";

const hourMs = 3_600_000;

/** The real program, with the demo's vehicles. Their world begins `from`, or 48 hours ago. */
export interface FleetServer {
  readonly world: World;
  /** Where the API is, with its version. */
  readonly url: string;
  /** Loads records of a fleet file, or frames. */
  load(records: Iterable<object>): Promise<void>;
  /** The records of frames that arrive in the window, in the order in which they do. */
  frames(fromMs: number, untilMs: number): object[];
  key(email?: string): Promise<string>;
  /** Every record of a list. */
  list<Row extends object>(path: string, key: string): Promise<Row[]>;
  /** A command of the program, on the same store. */
  run(...words: readonly string[]): Promise<string>;
  stop(): Promise<void>;
}

/** A Monday on which all of them drive. */
export const workday = Date.UTC(2026, 9, 26);

/** Far beyond what the tests ask for. */
const limits = { per_second: 10_000, per_day: 1_000_000 };

export async function startFleetServer(
  store: EmptyStore,
  options: { readonly vehicles: number; readonly from?: number; readonly timeZone?: string },
): Promise<FleetServer> {
  const { from = Date.now() - 48 * hourMs } = options;
  const world = createWorld({ seed: 1, vehicles: options.vehicles, from });
  const { env } = store;
  const server: RunningProgram = await startOdograph(["serve", "--port", "0", "--ingest-port", "0"], { env });
  const url = `${server.url}/v1`;
  const run = async (...words: readonly string[]) => {
    const result = await runOdograph(words, { env });
    expect(result).toMatchObject({ code: 0 });
    return result.stdout.trim();
  };
  const load = async (records: Iterable<object>) => {
    const input = [...records].map((record) => `${JSON.stringify(record)}\n`).join("");
    expect(await runOdograph(["load", "-"], { env, input })).toMatchObject({ code: 0 });
  };
  const list = async <Row extends object>(path: string, key: string) => {
    const rows: Row[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const address: string = `${url}${path}${path.includes("?") ? "&" : "?"}limit=500&cursor=${cursor}`;
      const response = await fetch(address, { headers: { "X-API-Key": key } });
      const body = (await response.json()) as { data: Row[]; next_cursor: string | null };
      rows.push(...body.data);
      cursor = body.next_cursor;
    }
    return rows;
  };
  const timeZone = options.timeZone ?? "UTC";
  await load(world.fleet.map((record) => (isAccount(record) ? { ...record, limits, time_zone: timeZone } : record)));
  return {
    world,
    url,
    load,
    run,
    list,
    frames: (fromMs, untilMs) =>
      [...world.messages(fromMs, untilMs)].flatMap(({ frames }) =>
        frames.map((frame) => ({ ...frame, type: "frame" })),
      ),
    key: (email = world.ownerEmail) => run("keys", "create", "--user", email, "--name", "Example", "--scopes", "all"),
    stop: async () => {
      await server.stop();
    },
  };
}

function isAccount(record: object): boolean {
  return "type" in record && record.type === "account";
}
