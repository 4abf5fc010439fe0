import { readFileSync } from "node:fs";
import type { Database } from "../../../src/store/database.ts";
import { sql } from "../../../src/store/sql.ts";
import type { DrillFleet } from "./fleet.ts";
import { Follower } from "./follower.ts";
import { type Load, type LoadResult, type Outcome, startLoad } from "./load.ts";
import type { Node } from "./nodes.ts";
import { type Probed, type ProbeKind, Probes } from "./probes.ts";

/** From the database's return to the first accepted frame and the first good read, on every node. */
const recoveryMs = 5_000;
const recoveryPatienceMs = 60_000;
/** A health check answers within 2 s; what is more, the machine of the drill takes. */
const healthMs = 2_500;
/** A health check that began before may still be answered by what it asked then. */
const noticedMs = 2_500;
/** Three stages of 3 s each may wait for the store: who calls, how often, and what was asked for. */
const readMs = 10_000;
/** A sender waits for the token and for its frames, 17 s each, with a turn of the queue in between. */
const frameMs = 55_000;
const calmMs = 1_500;

export interface Fault {
  readonly name: string;
  /** The database answers nobody meanwhile, and health checks must say so. */
  readonly isAway?: boolean;
  /** Reading goes on meanwhile: only frames must recover. */
  readonly isReadable?: boolean;
  /** Makes the fault and takes it back. `returned` is called at the moment at which the database is there again. */
  readonly run: (returned: () => void) => Promise<void>;
}

/** Nodes under load of reads and writes, while their database fails in some ways. */
export class FaultDrill {
  readonly #nodes: readonly Node[];
  readonly #probes: Probes;
  #loads: readonly Load[] = [];
  readonly #followers: readonly Follower[];
  readonly #outcomes: Outcome[] = [];
  readonly #since = new Date(Date.now() - 48 * 3_600_000).toISOString();
  #held = true;

  private constructor(nodes: readonly Node[], fleet: DrillFleet) {
    this.#nodes = nodes;
    this.#probes = new Probes(nodes, fleet);
    this.#followers = nodes.map(({ url }) => new Follower(url, fleet.key));
  }

  static async start(nodes: readonly Node[], fleet: DrillFleet): Promise<FaultDrill> {
    const drill = new FaultDrill(nodes, fleet);
    for (const follower of drill.#followers) await follower.start();
    drill.#startLoads(fleet);
    drill.#probes.start();
    await Bun.sleep(calmMs);
    return drill;
  }

  #startLoads(fleet: DrillFleet): void {
    const others = fleet.imeis.slice(this.#nodes.length);
    this.#loads = this.#nodes.map((node, index) =>
      startLoad({
        fleet: { ...fleet, imeis: others.filter((_, place) => place % this.#nodes.length === index) },
        readFrom: () => node.url,
        writeTo: () => node.ingestUrl,
        readers: 4,
        writers: 4,
        pauseMs: 50,
        onOutcome: (outcome) => this.#outcomes.push(outcome),
      }),
    );
  }

  async go(fault: Fault): Promise<void> {
    console.log(`\n${fault.name}`);
    const memory = { before: this.#residentMb(), away: [] as number[] };
    const began = performance.now();
    let returnedAt = 0;
    await fault.run(() => {
      memory.away = this.#residentMb();
      returnedAt = performance.now();
    });
    print("away", `${seconds(returnedAt - began)}`);
    const isRecovered = await this.#recovered(returnedAt, fault);
    await Bun.sleep(calmMs);
    this.#report(fault, began, returnedAt, isRecovered);
    print(
      "resident MB before, at the end of the fault, after",
      [memory.before, memory.away, this.#residentMb()].map((each) => each.join(" + ")).join(", "),
    );
    if (fault.isAway) this.#checkHealth(began, returnedAt);
  }

  /** Ends the load and compares what was acknowledged with what there is. Returns whether everything held. */
  async finish(open: () => Promise<Database>, verify: (load: LoadResult) => Promise<Verdict>): Promise<boolean> {
    console.log("\nat the end");
    await this.#probes.settle();
    const results = await Promise.all(this.#loads.map((load) => load.stop()));
    for (const follower of this.#followers) await follower.stop();
    const { acknowledged, sent } = this.#probes;
    const all: LoadResult = {
      reads: sum(results.map(({ reads }) => reads)),
      writes: sum(results.map(({ writes }) => writes)),
      errors: [],
      acknowledged: union([acknowledged, ...results.map((result) => result.acknowledged)]),
      sent: union([sent, ...results.map((result) => result.sent)]),
      duplicates: sum(results.map(({ duplicates }) => duplicates)),
    };
    await this.#compareFollowers(all);
    await this.#compareQuota(open);
    this.#check(
      "answers that contradict an acknowledged frame",
      String(this.#probes.wrong.length),
      this.#probes.wrong.length === 0,
    );
    const { lost, twice, invented } = await verify(all);
    this.#check(
      "frames acknowledged",
      `${all.acknowledged.size} of ${all.sent.size} sent`,
      all.acknowledged.size === all.sent.size,
    );
    this.#check(
      "lost, stored twice, invented",
      `${lost.length}, ${twice}, ${invented}`,
      lost.length + twice + invented === 0,
    );
    return this.#held;
  }

  async #recovered(returnedAt: number, { isReadable }: Fault): Promise<boolean> {
    const kinds: ProbeKind[] = isReadable ? ["frame"] : ["frame", "read"];
    const isThere = () =>
      this.#nodes.every((node) => kinds.every((kind) => this.#firstGood(node, kind, returnedAt) !== null));
    while (performance.now() < returnedAt + recoveryPatienceMs) {
      if (isThere()) return true;
      await Bun.sleep(20);
    }
    return false;
  }

  #firstGood(node: Node, kind: ProbeKind, returnedAt: number): number | null {
    const good = this.#probes.seen.find(
      (one) => one.node === node && one.kind === kind && one.status === 200 && one.endedAt > returnedAt,
    );
    return good === undefined ? null : good.endedAt - returnedAt;
  }

  #report(fault: Fault, began: number, returnedAt: number, isRecovered: boolean): void {
    for (const kind of ["frame", "read"] as const) {
      const times = this.#nodes.map((node) => this.#firstGood(node, kind, returnedAt));
      const isInTime = isRecovered && times.every((time) => time !== null && time <= recoveryMs);
      this.#check(
        `first good ${kind} after the return, on each node`,
        times.map((time) => (time === null ? "never" : seconds(time))).join(", "),
        isInTime,
      );
    }
    const during = (one: { readonly endedAt: number }) => one.endedAt >= began;
    const probed = this.#probes.seen.filter(during);
    const writes = this.#outcomes.filter(({ kind }) => kind === "write").filter(during);
    const reads = this.#outcomes.filter(({ kind }) => kind === "read").filter(during);
    const frames = [...probed.filter(({ kind }) => kind === "frame"), ...writes];
    const gets = [...probed.filter(({ kind }) => kind === "read"), ...reads];
    this.#answers("frames", frames, frameMs, [200, 503]);
    const isFelt = frames.some(({ status }) => status !== 200);
    if ((fault.isAway || fault.isReadable) && !isFelt) this.#check("the fault was felt", "no", false);
    this.#answers("reads", gets, readMs, fault.isReadable ? [200, 304] : [200, 304, 500]);
    for (const kind of ["health", "ready"] as const) {
      this.#answers(
        kind,
        probed.filter((one) => one.kind === kind),
        healthMs,
        [200, 503],
      );
    }
  }

  /** How often each status came, and the longest answer. */
  #answers(
    what: string,
    answers: readonly { readonly status: number | null; readonly sentAt: number; readonly endedAt: number }[],
    limitMs: number,
    expected: readonly number[],
  ): void {
    const counts = new Map<number, number>();
    for (const { status } of answers) counts.set(status ?? 0, (counts.get(status ?? 0) ?? 0) + 1);
    const longest = Math.max(0, ...answers.map(({ sentAt, endedAt }) => endedAt - sentAt));
    const text = [...counts].map(([status, count]) => `${status === 0 ? "no answer" : status}: ${count}`).join(", ");
    const isExpected = [...counts.keys()].every((status) => expected.includes(status));
    this.#check(`${what}, by status; longest answer`, `${text}; ${seconds(longest)}`, isExpected && longest <= limitMs);
  }

  /** No answer may say that all is well while the database is away, or otherwise once it is back. */
  #checkHealth(began: number, returnedAt: number): void {
    const of = (from: number, until: number) =>
      this.#probes.seen.filter(
        (one) => (one.kind === "health" || one.kind === "ready") && one.sentAt >= from && one.endedAt <= until,
      );
    const wrong = (answers: readonly Probed[], status: number) => answers.filter((one) => one.status !== status).length;
    const away = of(began + noticedMs, returnedAt);
    const back = of(returnedAt + recoveryMs, performance.now());
    this.#check(
      "health checks that were wrong: away, back",
      `${wrong(away, 503)} of ${away.length}, ${wrong(back, 200)}`,
      wrong(away, 503) + wrong(back, 200) === 0,
    );
  }

  async #compareFollowers({ acknowledged }: LoadResult): Promise<void> {
    for (const [index, follower] of this.#followers.entries()) {
      const { positions } = follower;
      const missed = [...acknowledged].filter((name) => !positions.has(name)).length;
      const differences = await follower.differences(this.#since);
      this.#check(
        `follower ${index + 1} missed`,
        [`${missed} of ${acknowledged.size} positions`, ...differences].join(", "),
        missed === 0 && differences.length === 0,
      );
    }
  }

  /** Calls that were answered, and how many of them were counted: a crash of PostgreSQL loses those of a moment. */
  async #compareQuota(open: () => Promise<Database>): Promise<void> {
    const database = await open();
    const row = await database.get<{ used: number }>(sql`select sum(day_used) as used from key_counters`);
    await database.close();
    const answered =
      this.#outcomes.filter(({ kind, status }) => kind === "read" && status === 200).length +
      this.#probes.seen.filter(({ kind, status }) => kind === "read" && status === 200).length;
    print("reads answered with 200, and calls counted (followers' too)", `${answered}, ${row?.used ?? 0}`);
  }

  #residentMb(): number[] {
    return this.#nodes.map(({ pid }) => {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    });
  }

  #check(what: string, value: string, held: boolean): void {
    this.#held &&= held;
    print(what, `${value}${held ? "" : "   <- NOT HELD"}`);
  }
}

/** What the comparison of acknowledged frames with stored ones found. */
export interface Verdict {
  readonly lost: readonly string[];
  readonly twice: number;
  readonly invented: number;
}

function union(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set(sets.flatMap((set) => [...set]));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

export function print(what: string, value: string | number): void {
  console.log(`  ${what.padEnd(58)} ${value}`);
}
