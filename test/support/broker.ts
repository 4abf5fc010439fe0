import { createServer, type Server, type Socket } from "node:net";
import { Aedes, type AedesOptions } from "aedes";
import { freePort } from "./free-port.mjs";

/** A real broker on a port of its own, which can be away for a while and keeps what it has. */
export interface TestBroker {
  readonly url: string;
  readonly port: number;
  /** With QoS 1. Resolves when the broker has it. */
  publish(topic: string, payload: unknown): Promise<void>;
  /** Resolves when this client has subscribed since the broker began. */
  subscribed(clientId: string): Promise<void>;
  /** Resolves when so many messages in all have been acknowledged. */
  acknowledged(count: number): Promise<void>;
  /** Resolves when there is nothing left that this client has not acknowledged. */
  drained(clientId: string): Promise<void>;
  /** How many messages are kept for this client. */
  kept(clientId: string): Promise<number>;
  /** Called for each message when it is acknowledged. */
  onAcknowledged: ((payload: string) => void) | null;
  /** Cuts every connection. Clients can come back at once. */
  cut(): void;
  stop(): Promise<void>;
  /** On the same port, with what it had. */
  start(): Promise<void>;
}

interface Kept {
  outgoingStream(client: { readonly id: string }): AsyncIterable<unknown>;
}

export async function startBroker(options: AedesOptions = {}): Promise<TestBroker> {
  let aedes: Aedes & { readonly persistence?: Kept };
  let server: Server;
  const port = await freePort();
  let persistence: Kept | undefined;
  let acknowledged = 0;
  const subscribers = new Set<string>();
  const sockets = new Set<Socket>();
  let changed = Promise.withResolvers<void>();
  const change = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  const until = async (isSo: () => boolean | Promise<boolean>) => {
    for (;;) {
      const next = changed.promise;
      if (await isSo()) return;
      await next;
    }
  };
  const kept = async (id: string) => (await Array.fromAsync(persistence?.outgoingStream({ id }) ?? [])).length;

  const start = async () => {
    aedes = await Aedes.createBroker({ ...options, persistence });
    persistence = aedes.persistence;
    aedes.on("subscribe", (_, client) => {
      if (client) subscribers.add(client.id);
      change();
    });
    aedes.on("ack", (packet) => {
      acknowledged++;
      // What is acknowledged for the second time is unknown by then.
      broker.onAcknowledged?.("payload" in (packet ?? {}) ? String((packet as { payload: unknown }).payload) : "");
      change();
    });
    server = createServer((socket) => {
      sockets.add(socket.on("close", () => sockets.delete(socket)));
      aedes.handle(socket);
    });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  };
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const stop = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    await new Promise<void>((resolve) => aedes.close(() => resolve()));
    cut();
    await closed;
    subscribers.clear();
  };
  const broker: TestBroker = {
    url: `mqtt://127.0.0.1:${port}`,
    port,
    publish: (topic, payload) =>
      new Promise((resolve, reject) => {
        const text = typeof payload === "string" ? payload : JSON.stringify(payload);
        const packet = {
          cmd: "publish",
          topic,
          payload: Buffer.from(text),
          qos: 1,
          dup: false,
          retain: false,
        } as const;
        aedes.publish(packet, (error) => (error ? reject(error) : resolve()));
      }),
    subscribed: (clientId) => until(() => subscribers.has(clientId)),
    acknowledged: (count) => until(() => acknowledged >= count),
    drained: (clientId) => until(async () => (await kept(clientId)) === 0),
    kept,
    onAcknowledged: null,
    cut,
    stop,
    start,
  };
  await start();
  return broker;
}
