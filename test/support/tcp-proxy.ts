import { connect, createServer, type Socket } from "node:net";
import { listenLastingly, listenOn } from "./lasting-port.ts";

export interface ProxyTarget {
  readonly hostname: string;
  readonly port: number;
}

/** A way to a server that can be cut and blocked, as a network can. */
export interface TcpProxy {
  readonly port: number;
  /** Nothing gets through any more, and nobody is told. */
  freeze(): void;
  /** What clients send still arrives; no answer comes back. */
  muteAnswers(): void;
  /** Every connection ends, and new ones are refused. */
  cut(): Promise<void>;
  /** New connections lead there. Those that there are stay as they are. */
  leadTo(target: ProxyTarget): void;
  /** As in the beginning. What was held up by `freeze` goes on. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

export async function startTcpProxy(first: ProxyTarget): Promise<TcpProxy> {
  let target = first;
  const sockets = new Set<Socket>();
  const servers = new Set<Socket>();
  let isFrozen = false;
  const join = (client: Socket) => {
    const server = connect(target.port, target.hostname);
    servers.add(server);
    server.on("close", () => servers.delete(server));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      if (isFrozen) one.pause();
    }
  };
  let server = createServer(join);
  const port = await listenLastingly(server);
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    port,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    muteAnswers() {
      for (const socket of servers) socket.pause();
    },
    cut,
    leadTo(other) {
      target = other;
    },
    async restore() {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
      if (server.listening) return;
      server = createServer(join);
      await listenOn(server, port);
    },
    async close() {
      if (server.listening) await cut();
    },
  };
}
