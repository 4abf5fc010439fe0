import type { DrillFleet } from "./fleet.ts";
import { frameName } from "./load.ts";
import type { Node } from "./nodes.ts";

export type ProbeKind = "frame" | "read" | "health" | "ready";

/** One request of a probe and what became of it. */
export interface Probed {
  readonly node: Node;
  readonly kind: ProbeKind;
  /** 0: no answer. */
  readonly status: number;
  readonly sentAt: number;
  readonly endedAt: number;
}

/** Sent at these times whatever became of those before: a client that comes now does not wait for others. */
const everyMs = { frame: 200, read: 200, health: 250, ready: 250 } as const satisfies Record<ProbeKind, number>;
/** More than any answer may take. */
const patienceMs = 60_000;
const hourMs = 3_600_000;

/**
 * What a fresh client of each node sees at each moment: a frame of a vehicle that only this probe sends, a read of the
 * live positions, and both health checks. A frame that is not acknowledged is sent again by `settle`.
 */
export class Probes {
  readonly seen: Probed[] = [];
  /** Answers that contradict what was acknowledged before they were asked for. */
  readonly wrong: string[] = [];
  readonly acknowledged = new Set<string>();
  readonly sent = new Set<string>();
  readonly #nodes: readonly Node[];
  readonly #fleet: DrillFleet;
  /** The vehicle of each node, and its newest acknowledged frame. */
  readonly #newest = new Map<string, number>();
  readonly #unacknowledged: { readonly imei: string; readonly number: number }[] = [];
  readonly #beganAt = Math.floor((Date.now() - 24 * hourMs) / 1000) * 1000;
  #timers: ReturnType<typeof setInterval>[] = [];
  readonly #underWay = new Set<Promise<unknown>>();

  /** The fleet's vehicles, as many as there are nodes: nobody else may send for them. */
  constructor(nodes: readonly Node[], fleet: DrillFleet) {
    this.#nodes = nodes;
    this.#fleet = fleet;
  }

  start(): void {
    for (const [index, node] of this.#nodes.entries()) {
      const imei = this.#fleet.imeis[index] as string;
      let number = 0;
      this.#every(everyMs.frame, () => this.#sendFrame(node, imei, number++));
      this.#every(everyMs.read, () => this.#readLatest(node));
      this.#every(everyMs.health, () => this.#ask(node, "health", `${node.url}/v1/health`));
      this.#every(everyMs.ready, () => this.#ask(node, "ready", `${node.ingestUrl}/ready`));
    }
  }

  /** Stops, and sends what was not acknowledged again, until it is. */
  async settle(): Promise<void> {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    await Promise.all(this.#underWay);
    const [node] = this.#nodes;
    for (let tries = 0; node && this.#unacknowledged.length > 0; tries++) {
      if (tries > 10_000) throw new Error("frames are never acknowledged");
      const { imei, number } = this.#unacknowledged.shift() as { imei: string; number: number };
      await this.#sendFrame(node, imei, number);
    }
  }

  #every(ms: number, ask: () => Promise<unknown>): void {
    this.#timers.push(
      setInterval(() => {
        const asked = ask();
        this.#underWay.add(asked);
        asked.finally(() => this.#underWay.delete(asked));
      }, ms),
    );
  }

  async #sendFrame(node: Node, imei: string, number: number): Promise<void> {
    const recordedAt = this.#beganAt + number * 10_000;
    const name = frameName(imei, recordedAt);
    this.sent.add(name);
    const latitude = Math.round((48 + (number % 5_000) * 0.001) * 1e6) / 1e6;
    const at = new Date(recordedAt).toISOString();
    const frame = { imei, recorded_at: at, latitude, longitude: 11.4, speed_kmh: 40, ignition: true };
    const headers = { Authorization: `Bearer ${this.#fleet.token}`, "Content-Type": "application/json" };
    const answer = await this.#ask(node, "frame", `${node.ingestUrl}/frames`, {
      method: "POST",
      headers,
      body: JSON.stringify([frame]),
    });
    if (answer === null) this.#unacknowledged.push({ imei, number });
    else {
      this.acknowledged.add(name);
      this.#newest.set(imei, Math.max(recordedAt, this.#newest.get(imei) ?? 0));
    }
  }

  /** No answer may be older than what was acknowledged when it was asked for, by whichever node. */
  async #readLatest(node: Node): Promise<void> {
    const known = new Map(this.#newest);
    const headers = { "X-API-Key": this.#fleet.key };
    const answer = await this.#ask(node, "read", `${node.url}/v1/positions/latest?limit=500`, { headers });
    if (answer === null) return;
    const { data } = JSON.parse(answer) as { data: { imei: string; recorded_at: string }[] };
    const shown = new Map(data.map(({ imei, recorded_at }) => [imei, Date.parse(recorded_at)]));
    for (const [imei, newest] of known) {
      if ((shown.get(imei) ?? 0) < newest) this.wrong.push(`${node.name} shows ${imei} at an earlier place`);
    }
  }

  /** Returns the body of a 200; null if there was none. */
  async #ask(node: Node, kind: ProbeKind, url: string, options: RequestInit = {}): Promise<string | null> {
    const sentAt = performance.now();
    let status = 0;
    let body: string | null = null;
    try {
      const response = await fetch(url, { ...options, signal: AbortSignal.timeout(patienceMs) });
      const text = await response.text();
      status = response.status;
      if (status === 200) body = text;
    } catch {
      // No answer.
    }
    this.seen.push({ node, kind, status, sentAt, endedAt: performance.now() });
    return body;
  }
}
