import { connect, createServer, type Server, type Socket } from "node:net";
import { freePort } from "./free-port.mjs";

/** A way to a server that can be cut and blocked, as a network can. */
export interface TcpProxy {
  readonly port: number;
  /** The address that it was made for, over this way. */
  readonly url: string;
  /** Nothing gets through any more, and neither side learns of it. */
  freeze(): void;
  /** What clients send still arrives; no answer comes back. */
  muteAnswers(): void;
  /** Every connection ends, and new ones are refused. */
  cut(): Promise<void>;
  /** New connections lead there. Those that there are stay as they are. */
  leadTo(url: string): void;
  /** New connections lead nowhere for so long. Those that there are stay as they are. */
  delayNew(ms: number): void;
  /** As in the beginning. What was held up by `freeze` goes on. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

export async function startTcpProxy(first: string): Promise<TcpProxy> {
  let target = new URL(first);
  const sockets = new Set<Socket>();
  const servers = new Set<Socket>();
  let isFrozen = false;
  let delayMs = 0;
  const accept = (client: Socket) => {
    if (delayMs === 0) return join(client);
    sockets.add(client);
    client.pause();
    const timer = setTimeout(() => join(client), delayMs);
    client.on("close", () => clearTimeout(timer));
    client.on("error", () => client.destroy());
  };
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
  let server = createServer(accept);
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
    delayNew(ms) {
      delayMs = ms;
    },
    async restore() {
      isFrozen = false;
      delayMs = 0;
      for (const socket of sockets) socket.resume();
      if (server.listening) return;
      server = createServer(accept);
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
