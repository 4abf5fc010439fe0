import { connect, createServer, type Server, type Socket } from "node:net";
import { freePort } from "./free-port.mjs";

/** A way to a server that can be cut and blocked, as a network can. */
export interface TcpProxy {
  readonly port: number;
  /** The address that it was made for, over this way. */
  readonly url: string;
  /** Nothing gets through any more, and nobody is told. */
  freeze(): void;
  /** What clients send still arrives; no answer comes back. */
  muteAnswers(): void;
  /** Every connection ends, and new ones are refused. */
  cut(): Promise<void>;
  /** New connections lead there. Those that there are stay as they are. */
  leadTo(url: string): void;
  /** As in the beginning. What was held up by `freeze` goes on. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

export async function startTcpProxy(first: string): Promise<TcpProxy> {
  let target = new URL(first);
  const sockets = new Set<Socket>();
  const servers = new Set<Socket>();
  let isFrozen = false;
  const join = (client: Socket) => {
    const server = connect(Number(target.port), target.hostname);
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
  const port = await freePort();
  await listen(server, port);
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    port,
    url: Object.assign(new URL(first), { host: `127.0.0.1:${port}` }).href,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    muteAnswers() {
      for (const socket of servers) socket.pause();
    },
    cut,
    leadTo(url) {
      target = new URL(url);
    },
    async restore() {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
      if (server.listening) return;
      server = createServer(join);
      await listen(server, port);
    },
    async close() {
      if (server.listening) await cut();
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
}
