import type { TrackerProtocol } from "../../../src/domain/tracker-protocols.ts";
import { type CallerReport, callers } from "./callers.ts";

/** A tracker that is connected to a real server. It keeps a report until it is answered, as real ones do. */
export class WireTracker {
  readonly imei: string;
  readonly #protocol: TrackerProtocol;
  readonly #port: number;
  #socket: Bun.Socket<undefined> | null = null;
  #serial = 1;
  /** Whoever waits for the reply: there is one to each thing that a caller sends. */
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
    const end = () => {
      this.#socket = null;
      this.#settle(false);
    };
    try {
      this.#socket = await Bun.connect({
        hostname: "127.0.0.1",
        port: this.#port,
        socket: { data: (_, bytes) => this.#take(bytes), close: end, error: end, end },
      });
    } catch {
      return false;
    }
    const { login } = callers[this.#protocol];
    return login === null ? true : this.send(login(this.imei));
  }

  /** Whether it was answered: only then it may forget the report. */
  report(report: CallerReport): Promise<boolean> {
    this.#serial += 2;
    return this.send(callers[this.#protocol].report(this.imei, report, this.#serial));
  }

  send(bytes: Uint8Array): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    if (this.#socket === null) return Promise.resolve(false);
    this.#owed = resolve;
    this.#socket.write(bytes);
    return promise;
  }

  close(): void {
    this.#socket?.end();
  }

  #take(bytes: Uint8Array): void {
    this.received += bytes.length;
    this.#settle(true);
  }

  #settle(isAnswered: boolean): void {
    this.#owed?.(isAnswered);
    this.#owed = null;
  }
}
