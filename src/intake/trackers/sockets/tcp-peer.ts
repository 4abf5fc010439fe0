import type { TrackerConnection } from "../connection/connection.ts";
import type { TrackerFamily } from "../kit/family.ts";
import { limits } from "../limits.ts";

/** What Bun's sockets can do and its types do not name. */
interface PausableSocket {
  pause(): void;
  resume(): void;
  setKeepAlive(isOn: boolean, delayMs: number): void;
}

/** Finds out sooner than its silence would whether a tracker is gone without a word. */
const keepAliveMs = 60_000;

/** The socket of a tracker: sends replies as fast as they are taken, and reads no faster than frames are stored. */
export class TcpPeer {
  readonly #socket: Bun.Socket<TcpPeer | null> & PausableSocket;
  readonly #onEnding: (peer: TcpPeer) => void;
  readonly family: TrackerFamily;
  /** Since when it is read from, or was first; null: it still waits for that. */
  placedAt: number | null = null;
  /** Where it comes from: a balancer's, until that has said more. */
  address = "";
  connection: TrackerConnection | null = null;
  /** What came before the balancer's header was whole; then what came behind it. */
  head: Uint8Array | null = null;
  /** Null while the socket takes what it is given, which is nearly always. */
  #unsent: Uint8Array[] | null = null;
  #isPaused = false;
  /** To be called when it is read from; null: it is already. */
  #begin: (() => void) | null = null;
  isEnding = false;
  /** Whether nothing can be sent any more. */
  #isGone = false;

  /** `onEnding`: nothing more is read from it. */
  constructor(socket: Bun.Socket<TcpPeer | null>, family: TrackerFamily, onEnding: (peer: TcpPeer) => void) {
    this.#socket = socket as Bun.Socket<TcpPeer | null> & PausableSocket;
    this.family = family;
    this.#onEnding = onEnding;
    this.#socket.setKeepAlive(true, keepAliveMs);
  }

  /** Nothing is read from it for now. What it sends stays in the network. */
  wait(begin: () => void): void {
    this.#begin = begin;
    this.#socket.pause();
  }

  get isWaiting(): boolean {
    return this.#begin !== null;
  }

  stopWaiting(): void {
    const begin = this.#begin;
    this.#begin = null;
    if (begin === null || this.isEnding) return;
    this.#socket.resume();
    begin();
  }

  /**
   * To be called after the connection has received something: with more than these bytes not yet stored, what comes meanwhile waits
   * in the network.
   */
  slowDown(mostBytes: number): void {
    if (this.#isPaused || (this.connection?.waitingBytes ?? 0) <= mostBytes) return;
    this.#isPaused = true;
    this.#socket.pause();
    this.connection?.idle.then(() => {
      this.#isPaused = false;
      if (!this.isEnding && !this.isWaiting) this.#socket.resume();
    });
  }

  send(bytes: Uint8Array): void {
    if (this.#isGone) return;
    this.#unsent ??= [];
    this.#unsent.push(bytes);
    this.flush();
    const left = this.#unsent?.reduce((sum, one) => sum + one.length, 0) ?? 0;
    if (left > limits.unsentReplyBytes) this.connection?.refuse("slow_reader");
  }

  flush(): void {
    if (this.#isGone) return;
    const unsent = this.#unsent ?? [];
    for (let [next] = unsent; next !== undefined; [next] = unsent) {
      const sent = this.#socket.write(next);
      if (sent < next.length) {
        if (sent > 0) unsent[0] = next.subarray(sent);
        return;
      }
      unsent.shift();
    }
    this.#unsent = null;
    if (this.isEnding) this.#socket.end();
  }

  /** After what is still to be sent. */
  end(): void {
    this.isEnding = true;
    this.flush();
    this.#onEnding(this);
  }

  /** The socket is closed. */
  gone(): void {
    this.#isGone = true;
    this.isEnding = true;
  }

  cut(): void {
    this.isEnding = true;
    this.#socket.terminate();
  }
}
