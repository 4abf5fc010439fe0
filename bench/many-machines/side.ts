import { killAll, type Node, startNodes } from "../drills/support/nodes.ts";
import { runClient } from "../support/servers.ts";
import type { Access, Fleet } from "./fleet.ts";
import type { Body } from "./frames.ts";
import { IdleLeader } from "./idle-leader.ts";
import { Machines } from "./machines.ts";
import { bytesBetween, cpuSeconds } from "./processes.ts";

/** What something cost, for each thousand of it. */
export interface Cost {
  readonly perSecond: number;
  /** Processor time in milliseconds: of all nodes, then of each database server. */
  readonly cpuMs: readonly number[];
  /** Kilobytes over the connections of each database server. */
  readonly networkKb: readonly number[];
  readonly dataBytesEach: number;
  readonly logBytesEach: number;
}

const bodiesUnderWay = 16;
const readConnections = 32;
const attempts = 10;

interface Answer {
  readonly accepted: number;
  readonly duplicate: number;
  readonly refused: readonly unknown[];
}

interface SideOptions {
  readonly nodeCount: number;
  /** Another version's directory. */
  readonly root: string | undefined;
  readonly servers: ReadonlyMap<string, number>;
  /** Its nodes do their work in the background. */
  readonly hasBackground: boolean;
}

/** A store under measurement, with its nodes. */
export class Side {
  /** Bodies that a node could not store at first. */
  sentAgain = 0;

  private constructor(
    readonly name: string,
    readonly machines: Machines,
    readonly access: readonly Access[],
    readonly nodes: readonly Node[],
    readonly idleLeader: IdleLeader | null,
  ) {}

  static async start(
    name: string,
    databaseUrl: string,
    fleet: Fleet,
    { nodeCount, root, servers, hasBackground }: SideOptions,
  ): Promise<Side> {
    const machines = new Machines(databaseUrl);
    await machines.find(servers);
    const access = await fleet.load(databaseUrl);
    const leader = hasBackground ? null : await IdleLeader.of(databaseUrl);
    return new Side(name, machines, access, await startNodes(nodeCount, { databaseUrl, root }), leader);
  }

  get columns(): string[] {
    return ["node", ...this.machines.parts.map((part) => part.name)];
  }

  async stop(): Promise<void> {
    await killAll(this.nodes);
    await this.idleLeader?.close();
    await this.machines.close();
  }

  /** Sends bodies, 16 at a time, to the nodes in turn. Insists that all frames are accepted. */
  send(bodies: Iterable<Body>): Promise<Cost> {
    return this.#measure(async () => {
      const queue = bodies[Symbol.iterator]();
      let accepted = 0;
      const sender = async (number: number) => {
        const { ingestUrl } = this.nodes[number % this.nodes.length] as Node;
        for (let next = queue.next(); !next.done; next = queue.next()) {
          const count = await this.#post(ingestUrl, next.value);
          accepted += count;
        }
      };
      await Promise.all(Array.from({ length: bodiesUnderWay }, (_, number) => sender(number)));
      return accepted;
    });
  }

  /** A busy server may refuse a body: then it is sent again, as a gateway does, and frames that were stored count as well. */
  async #post(ingestUrl: string, { account, text }: Body): Promise<number> {
    const headers = { Authorization: `Bearer ${this.access[account]?.token}`, "Content-Type": "application/json" };
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(`${ingestUrl}/frames`, { method: "POST", headers, body: text });
      const answer = await response.text();
      if (response.status === 200) {
        const { accepted, duplicate, refused } = JSON.parse(answer) as Answer;
        if (refused.length > 0 || (attempt === 1 && duplicate > 0)) throw new Error(`${this.name}: ${answer}`);
        return accepted + duplicate;
      }
      if (response.status !== 503 || attempt === attempts) throw new Error(`${this.name}: ${answer}\n${this.#log()}`);
      this.sentAgain++;
      await Bun.sleep(attempt * 1_000);
    }
  }

  #log(): string {
    return this.nodes.map(({ name, log }) => `${name}: ${log.slice(-2_000)}`).join("\n");
  }

  /** Requests in turn over 32 connections to all nodes. */
  read(requests: readonly string[], seconds: number): Promise<Cost> {
    const connections = Math.ceil(readConnections / this.nodes.length);
    return this.#measure(async () => {
      const results = await Promise.all(
        this.nodes.map(({ url }) => runClient(Number(new URL(url).port), requests, seconds, connections)),
      );
      return results.reduce((sum, { perSecond }) => sum + perSecond * seconds, 0);
    });
  }

  async #measure(work: () => Promise<number>): Promise<Cost> {
    const pids = this.nodes.map(({ pid }) => pid ?? 0);
    const before = await this.machines.use();
    const [nodesBefore, serversBefore] = [await cpuSeconds(pids), await this.machines.cpuSeconds()];
    const began = performance.now();
    const count = await work();
    const ended = performance.now();
    const [nodesAfter, serversAfter] = [await cpuSeconds(pids), await this.machines.cpuSeconds()];
    const after = await this.machines.use();
    const nodeSeconds = nodesAfter.reduce((sum, value, index) => sum + value - (nodesBefore[index] ?? 0), 0);
    const serverSeconds = serversAfter.map((value, index) => value - (serversBefore[index] ?? 0));
    return {
      perSecond: (count * 1000) / (ended - began),
      cpuMs: [nodeSeconds, ...serverSeconds].map((value) => (value * 1e6) / count),
      networkKb: after.connections.map((each, index) => bytesBetween(before.connections[index] ?? null, each) / count),
      dataBytesEach: (after.dataBytes - before.dataBytes) / count,
      logBytesEach: (after.logBytes - before.logBytes) / count,
    };
  }
}
