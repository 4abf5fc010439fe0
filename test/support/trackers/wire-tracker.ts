import type { TrackerProtocol } from "../../../src/domain/tracker-protocols.ts";
import { type CallerReport, callers } from "./callers.ts";

interface Line {
  readonly write: (bytes: Uint8Array) => unknown;
  readonly end: () => unknown;
}

/** Nothing says that a server is gone to which datagrams go. */
const datagramMs = 5_000;

/** A tracker that is connected to a real server. It keeps a report until it is answered, as real ones do. */
export class WireTracker {
  readonly imei: string;
  readonly #protocol: TrackerProtocol;
  readonly #port: number;
  #line: Line | null = null;
  #serial = 1;
  /** Those who wait for the reply: there is one to each thing that a caller sends. */
  #owed: ((isAnswered: boolean) => void) | null = null;
  /** Everything the server sent. */
  received = 0;

  constructor(protocol: TrackerProtocol, imei: string, port: number) {
    this.imei = imei;
    this.#protocol = protocol;
    this.#port = port;
  }

  /** False: the server does not answer, or refuses it. */
  async connect(): Promise<boolean> {
    const { login, over } = callers[this.#protocol];
    try {
      this.#line = await (over === "udp" ? this.#openUdp() : this.#openTcp());
    } catch {
      return false;
    }
    return login === null ? true : this.send(login(this.imei));
  }

  #openTcp(): Promise<Line> {
    const end = () => this.#end();
    return Bun.connect({
      hostname: "127.0.0.1",
      port: this.#port,
      socket: { data: (_, bytes) => this.#take(bytes), close: end, error: end, end },
    });
  }

  async #openUdp(): Promise<Line> {
    const socket = await Bun.udpSocket({
      connect: { hostname: "127.0.0.1", port: this.#port },
      socket: { data: (_, bytes) => this.#take(bytes), error: () => this.#end() },
    });
    const write = (bytes: Uint8Array) => {
      const owed = this.#owed;
      socket.send(bytes);
      setTimeout(() => {
        if (this.#owed === owed) this.#end();
      }, datagramMs).unref();
    };
    return { write, end: () => socket.close() };
  }

  #end(): void {
    this.#line = null;
    this.#settle(false);
  }

  /** Whether it was answered: only then it may forget the report. */
  report(report: CallerReport): Promise<boolean> {
    this.#serial += 2;
    return this.send(callers[this.#protocol].report(this.imei, report, this.#serial));
  }

  send(bytes: Uint8Array): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    if (this.#line === null) return Promise.resolve(false);
    this.#owed = resolve;
    this.#line.write(bytes);
    return promise;
  }

  close(): void {
    this.#line?.end();
  }

  #take(bytes: Uint8Array): void {
    // nginx sends an empty datagram where a node refuses one. That is no answer.
    if (bytes.length === 0) return;
    this.received += bytes.length;
    this.#settle(true);
  }

  #settle(isAnswered: boolean): void {
    this.#owed?.(isAnswered);
    this.#owed = null;
  }
}
