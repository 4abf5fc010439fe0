import { Failure } from "../../domain/errors.ts";

/** A line from a tracker to a server. */
export interface ListedTracker {
  readonly isClosed: boolean;
  /** Sends a message, and waits for what comes back; null: nothing did in this time. */
  exchange(message: Uint8Array, waitMs: number): Promise<Uint8Array | null>;
  close(): void;
}

interface Address {
  readonly hostname: string;
  readonly port: number;
}

export async function openLine({ hostname, port }: Address, isUdp: boolean): Promise<ListedTracker> {
  let waiting: PromiseWithResolvers<Uint8Array | null> | null = null;
  let isClosed = false;
  const take = (bytes: Uint8Array) => waiting?.resolve(bytes.slice());
  const end = () => {
    isClosed = true;
    waiting?.resolve(null);
  };
  const exchange = async (send: (bytes: Uint8Array) => unknown, message: Uint8Array, waitMs: number) => {
    waiting = Promise.withResolvers();
    send(message);
    const timer = setTimeout(() => waiting?.resolve(null), waitMs);
    const reply = await waiting.promise;
    clearTimeout(timer);
    return reply;
  };
  if (isUdp) {
    const socket = await Bun.udpSocket({
      connect: { hostname, port },
      socket: { data: (_, bytes) => take(bytes), error: () => waiting?.resolve(null) },
    });
    return {
      isClosed: false,
      exchange: (message, waitMs) => exchange((bytes) => socket.send(bytes), message, waitMs),
      close: () => socket.close(),
    };
  }
  const socket = await Bun.connect({
    hostname,
    port,
    socket: { data: (_, bytes) => take(bytes), close: end, error: end },
  }).catch((cause) => {
    throw new Failure("UNAVAILABLE", `${hostname}:${port} does not answer`, { cause });
  });
  return {
    get isClosed() {
      return isClosed;
    },
    exchange: (message, waitMs) => exchange((bytes) => socket.write(bytes), message, waitMs),
    close: () => socket.end(),
  };
}
