import { Connection, type WireRequest } from "./connection.ts";
import type { DrillFleet } from "./fleet.ts";

/** One request and what became of it. */
export interface Outcome {
  readonly kind: "read" | "write";
  /** Null: no answer came. */
  readonly status: number | null;
  /** What the client saw; null if it got what it asked for. */
  readonly error: string | null;
  /** `performance.now()` when it was sent and when it ended. */
  readonly sentAt: number;
  readonly endedAt: number;
}

type ChooseAddress = () => string | Promise<string>;

export interface LoadOptions {
  readonly fleet: DrillFleet;
  /** The address for the next connection of a reader: always that of a proxy, or the client's own choice of a node. */
  readonly readFrom: ChooseAddress;
  readonly writeTo: ChooseAddress;
  readonly readers?: number;
  readonly writers?: number;
  /** Between two requests of one connection. */
  readonly pauseMs?: number;
  /** A writer waits so long before it sends the same frames again. */
  readonly resendMs?: number;
  readonly framesPerMessage?: number;
  readonly onOutcome?: (outcome: Outcome) => void;
}

export interface LoadResult {
  readonly reads: number;
  readonly writes: number;
  /** Everything that a client saw fail, in order. */
  readonly errors: readonly Outcome[];
  /** `IMEI recorded_at` of each frame whose message was acknowledged, and of each that was ever sent. */
  readonly acknowledged: ReadonlySet<string>;
  readonly sent: ReadonlySet<string>;
  /** Messages that were acknowledged with frames stored before: they were sent twice, by the client or by a proxy. */
  readonly duplicates: number;
}

export interface Load {
  readonly soFar: LoadResult;
  /** Ends it when each client has an answer to what it sent. A writer goes on until its last message is acknowledged. */
  stop(): Promise<LoadResult>;
}

const hourMs = 3_600_000;

/** A frame's name in the sets of a load. */
export function frameName(imei: string, recordedAt: number): string {
  return `${imei} ${recordedAt}`;
}

/**
 * Readers and writers, each on a connection of its own that it keeps for as long as the server lets it. A failed request is
 * never repeated behind the drill's back: it is counted, and only then a writer sends the same again, as a gateway does.
 */
export function startLoad(options: LoadOptions): Load {
  const { fleet, readers = 8, writers = 4, pauseMs = 5, resendMs = 100, framesPerMessage = 5 } = options;
  const errors: Outcome[] = [];
  const acknowledged = new Set<string>();
  const sent = new Set<string>();
  const counts = { reads: 0, writes: 0, duplicates: 0 };
  let isOver = false;
  const result = (): LoadResult => ({ ...counts, errors, acknowledged, sent });

  const note = (outcome: Outcome) => {
    counts[outcome.kind === "read" ? "reads" : "writes"]++;
    if (outcome.error !== null) errors.push(outcome);
    options.onOutcome?.(outcome);
  };

  const read = async (reader: number) => {
    const client = new Client("read", options.readFrom, note);
    const paths = readPaths(fleet.imeis);
    for (let turn = reader; !isOver; turn++) {
      const target = paths[turn % paths.length] as string;
      await client.send({ method: "GET", target, headers: { Authorization: `Bearer ${fleet.key}` } });
      await Bun.sleep(pauseMs);
    }
    client.close();
  };

  const write = async (writer: number) => {
    const client = new Client("write", options.writeTo, note);
    const own = fleet.imeis.filter((_, index) => index % writers === writer);
    const beginAt = Date.now() - 24 * hourMs;
    for (let number = 0; !isOver; number++) {
      const imei = own[number % own.length] as string;
      const round = Math.floor(number / own.length);
      const frames = Array.from({ length: framesPerMessage }, (_, index) =>
        frameOf(imei, beginAt, round * framesPerMessage + index),
      );
      const names = frames.map(({ recorded_at }) => frameName(imei, Date.parse(recorded_at)));
      for (const name of names) sent.add(name);
      const headers = { Authorization: `Bearer ${fleet.token}`, "Content-Type": "application/json" };
      const request = { method: "POST", target: "/frames", headers, body: JSON.stringify(frames) };
      for (;;) {
        const body = await client.send(request);
        if (body !== null) {
          const { accepted, duplicate } = JSON.parse(body) as { accepted: number; duplicate: number };
          if (accepted + duplicate !== frames.length) throw new Error(`frames were refused: ${body}`);
          if (duplicate > 0) counts.duplicates++;
          break;
        }
        await Bun.sleep(resendMs);
      }
      for (const name of names) acknowledged.add(name);
      await Bun.sleep(pauseMs);
    }
    client.close();
  };

  const running = [
    ...Array.from({ length: readers }, (_, reader) => read(reader)),
    ...Array.from({ length: writers }, (_, writer) => write(writer)),
  ];
  return {
    get soFar() {
      return result();
    },
    async stop() {
      isOver = true;
      await Promise.all(running);
      return result();
    },
  };
}

/** One connection, opened anew where the server has closed it. */
class Client {
  #connection: Connection | null = null;

  constructor(
    readonly kind: Outcome["kind"],
    readonly address: ChooseAddress,
    readonly note: (outcome: Outcome) => void,
  ) {}

  /** Returns the body of an answer of 200 or 304; null if there was none. */
  async send(request: WireRequest): Promise<string | null> {
    if (!this.#connection?.isOpen) {
      const { hostname, port } = new URL(await this.address());
      this.#connection = new Connection(hostname, Number(port));
    }
    const sentAt = performance.now();
    try {
      const { status, body } = await this.#connection.exchange(request);
      const text = body.toString();
      const error = status === 200 || status === 304 ? null : `${status} ${text.slice(0, 200)}`;
      this.note({ kind: this.kind, status, error, sentAt, endedAt: performance.now() });
      return error === null ? text : null;
    } catch (error) {
      this.close();
      const message = error instanceof Error ? error.message : String(error);
      this.note({ kind: this.kind, status: null, error: message, sentAt, endedAt: performance.now() });
      return null;
    }
  }

  close(): void {
    this.#connection?.close();
    this.#connection = null;
  }
}

/** A vehicle on its way north, a frame every ten seconds of its own time. */
function frameOf(imei: string, beginAt: number, number: number) {
  const recordedAt = Math.floor(beginAt / 1000) * 1000 + number * 10_000;
  const latitude = Math.round((52 + (number % 5_000) * 0.001) * 1e6) / 1e6;
  const at = new Date(recordedAt).toISOString();
  return { imei, recorded_at: at, latitude, longitude: 13.4, speed_kmh: 40, ignition: true };
}

function readPaths(imeis: readonly string[]): string[] {
  const since = new Date(Date.now() - 48 * hourMs).toISOString();
  return imeis.flatMap((imei) => [
    "/v1/positions/latest?limit=100",
    `/v1/positions/history?imei=${imei}&from=${since}&limit=50`,
    "/v1/devices",
    `/v1/trips?imei=${imei}&from=${since}`,
  ]);
}
