import { pause } from "../../../observe/repeat.ts";
import { limits } from "../limits.ts";

/** `send` says whether a reply went out. */
type TakeDatagram = (bytes: Uint8Array, address: string, send: (reply: Uint8Array) => boolean) => void;

type DatagramSocket = Bun.udp.Socket<"uint8array" | "buffer">;

/**
 * If a datagram met a closed port, the system fails the next send, to whatever address, and sends nothing then. Some
 * addresses cannot be sent to at all, and any sender may write such a one on a datagram.
 */
const attempts = 3;

/** Another program may have taken the port meanwhile. */
const openAgainMs = 1_000;

/** `take` gets each datagram with the way back to where it says that it comes from. `atOnce`: a test may read fewer. */
export async function openDatagramPort(
  hostname: string,
  port: number,
  take: TakeDatagram,
  atOnce: number = limits.datagramsAtOnce,
): Promise<DatagramPort> {
  const opened = new DatagramPort(hostname, take, atOnce);
  await opened.open(port);
  return opened;
}

/**
 * The runtime reads from a socket until nothing is left. A sender faster than our reading would keep everything else from its turn,
 * and reading ends only when the socket is closed. So one that has given too many in a turn is closed, with what waits in it, and
 * opened again in the next: those are lost, as if the network had no room for them.
 */
class DatagramPort {
  readonly #hostname: string;
  readonly #take: TakeDatagram;
  readonly #atOnce: number;
  readonly #end = new AbortController();
  #socket: DatagramSocket | null = null;
  #port = 0;
  #countInTurn = 0;

  constructor(hostname: string, take: TakeDatagram, atOnce: number) {
    this.#hostname = hostname;
    this.#take = take;
    this.#atOnce = atOnce;
  }

  get port(): number {
    return this.#port;
  }

  async open(port: number): Promise<void> {
    const socket = await Bun.udpSocket({
      hostname: this.#hostname,
      port,
      socket: {
        data: (from, bytes, fromPort, address) => this.#receive(from, bytes, fromPort, address),
        // The sender is gone, and its machine says so. Without a handler that would end the server.
        error: () => {},
      },
    });
    if (this.#end.signal.aborted) socket.close();
    else this.#socket = socket;
    this.#port = socket.port;
  }

  close(): void {
    this.#end.abort();
    this.#socket?.close();
  }

  #receive(from: DatagramSocket, bytes: Uint8Array, port: number, address: string): void {
    if (this.#countInTurn >= this.#atOnce) return;
    if (this.#countInTurn === 0) setImmediate(() => this.#endTurn());
    this.#countInTurn++;
    this.#take(bytes, address, (reply) => wasSent(this.#socket, reply, port, address));
    if (this.#countInTurn < this.#atOnce) return;
    from.close();
    this.#socket = null;
  }

  #endTurn(): void {
    if (this.#countInTurn >= this.#atOnce) void this.#openAgain();
    this.#countInTurn = 0;
  }

  async #openAgain(): Promise<void> {
    const { signal } = this.#end;
    while (this.#socket === null && !signal.aborted) {
      await this.open(this.#port).catch(() => pause(openAgainMs, signal));
    }
  }
}

function wasSent(socket: DatagramSocket | null, reply: Uint8Array, port: number, address: string): boolean {
  for (let attempt = 0; socket !== null && attempt < attempts; attempt++) {
    try {
      return socket.send(reply, port, address);
    } catch {
      // The next attempt says whether it was about this one.
    }
  }
  return false;
}

/** What IP and UDP put before each datagram, with either address family at least. */
const headerBytes = 28;

/**
 * Sends the replies to a datagram as long as they have no more bytes on the wire, all together, than what came: where a datagram says
 * it comes from may be made up, and no victim must get more through us than was sent for it. Others are withheld.
 */
export function repliesWithin(
  receivedBytes: number,
  send: (reply: Uint8Array) => boolean,
  onWithheld: () => void,
): (reply: Uint8Array) => void {
  let left = receivedBytes + headerBytes;
  return (reply) => {
    const bytes = reply.length + headerBytes;
    if (bytes <= left && send(reply)) left -= bytes;
    else onWithheld();
  };
}

/** How many datagrams, and of how many bytes, have come and are not stored yet. */
export class DatagramRoom {
  #count = 0;
  #bytes = 0;

  isFullFor(bytes: number): boolean {
    return this.#count >= limits.datagrams || this.#bytes + bytes > limits.datagramsBytes;
  }

  async hold(bytes: number, stored: Promise<void>): Promise<void> {
    this.#count++;
    this.#bytes += bytes;
    await stored;
    this.#count--;
    this.#bytes -= bytes;
  }
}
