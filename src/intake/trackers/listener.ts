import { Failure } from "../../domain/errors.ts";
import type { Observe } from "../../observe/observation.ts";
import { pause } from "../../observe/repeat.ts";
import type { FrameQueue } from "../queue.ts";
import { type ConnectionDeps, TrackerConnection } from "./connection.ts";
import { type FamilyCounts, noCounts, type RefusedReason } from "./counts.ts";
import { type LookUpTrackers, TrackerDirectory } from "./directory.ts";
import { Gate } from "./gate.ts";
import type { TrackerFamily } from "./kit/family.ts";
import { limits } from "./limits.ts";
import { MessageLog } from "./message-log.ts";
import type { Networks } from "./networks.ts";
import { Sessions } from "./sessions.ts";

/** How often silent connections are looked for. */
const sweepMs = 5_000;
/** As long as a stopping server waits for its requests. */
const maxDrainMs = 10_000;

/** A port that trackers reach. */
export interface TrackerPort {
  readonly family: TrackerFamily;
  /** 0: any free one. */
  readonly port: number;
}

export interface TrackerListenerOptions {
  readonly ports: readonly TrackerPort[];
  readonly hostname: string;
  /** Null: anybody may connect. */
  readonly networks: Networks | null;
  readonly lookUp: LookUpTrackers;
  readonly writer: Pick<FrameQueue, "submit">;
  /** Told of trackers that are no device of ours. */
  readonly unknownDevices: { noteTracker(identity: string, family: string, now: number): void };
  readonly now: () => number;
  readonly observe: Observe;
}

export interface TrackerListener {
  /** By family: the ports that are open. */
  readonly ports: Readonly<Record<string, number>>;
  readonly counts: Readonly<Record<string, FamilyCounts>>;
  readonly messages: MessageLog;
  /** Takes no new connections, and ends those that wait for no answer. The trackers connect to another node. */
  drain(): void;
  /** Answers what has come, then ends all. */
  close(): Promise<void>;
}

interface Peer {
  readonly connection: TrackerConnection;
  readonly address: string;
  readonly openedAt: number;
  /** Replies that the socket did not take yet. */
  unsent: Uint8Array[];
  isPaused: boolean;
  isEnding: boolean;
}

/** What Bun's sockets can do and its types do not name. */
interface PausableSocket {
  pause(): void;
  resume(): void;
  setKeepAlive(isOn: boolean, delayMs: number): void;
}

type TrackerSocket = Bun.Socket<Peer | null> & PausableSocket;

/** Opens the ports of these families. Rejects, with none open, if one of them cannot be opened. */
export async function listenToTrackers(options: TrackerListenerOptions): Promise<TrackerListener> {
  const listener = new Listener(options);
  try {
    for (const port of options.ports) await listener.open(port);
  } catch (error) {
    await listener.close();
    throw error;
  }
  return listener;
}

class Listener implements TrackerListener {
  readonly ports: Record<string, number> = {};
  readonly counts: Record<string, FamilyCounts> = {};
  readonly messages = new MessageLog();
  readonly #options: TrackerListenerOptions;
  readonly #directory: TrackerDirectory;
  readonly #gate: Gate;
  readonly #sessions: Sessions;
  readonly #servers: { stop(): void }[] = [];
  readonly #peers = new Map<TrackerSocket, Peer>();
  readonly #datagrams = new Set<TrackerConnection>();
  readonly #sweeping: Timer;
  #datagramBytes = 0;
  #isDraining = false;

  constructor(options: TrackerListenerOptions) {
    this.#options = options;
    this.#directory = new TrackerDirectory(options.lookUp);
    this.#gate = new Gate(options.networks, this.#directory, options.now);
    this.#sessions = new Sessions(options.observe);
    this.#sweeping = setInterval(() => this.#sweep(), sweepMs);
  }

  async open({ family, port }: TrackerPort): Promise<void> {
    this.counts[family.name] ??= noCounts();
    let opened = port;
    try {
      for (const transport of family.transports) {
        // Both transports have the same port, also where any will do.
        opened = transport === "tcp" ? this.#openTcp(family, opened) : await this.#openUdp(family, opened);
      }
    } catch (cause) {
      const message = `${this.#options.hostname}:${port} cannot be opened for ${family.name} trackers; choose another with --trackers ${family.name}=PORT`;
      throw new Failure("PORT_UNAVAILABLE", message, { cause });
    }
    this.ports[family.name] = opened;
    const { hostname, observe } = this.#options;
    observe({ kind: "tracker_port_opened", family: family.name, address: `${hostname}:${opened}` });
  }

  drain(): void {
    this.#isDraining = true;
    for (const server of this.#servers.splice(0)) server.stop();
    for (const { connection } of this.#peers.values()) if (connection.isIdle) connection.end();
  }

  async close(): Promise<void> {
    this.drain();
    clearInterval(this.#sweeping);
    const answered = new AbortController();
    const connections = [...this.#peers.values().map(({ connection }) => connection), ...this.#datagrams];
    const allAnswered = Promise.all(connections.map(({ idle }) => idle)).then(() => answered.abort());
    await Promise.race([allAnswered, pause(maxDrainMs, answered.signal)]);
    for (const connection of connections) connection.end();
  }

  #openTcp(family: TrackerFamily, port: number): number {
    const { hostname } = this.#options;
    const server = Bun.listen<Peer | null>({
      hostname,
      port,
      data: null,
      socket: {
        open: (socket) => this.#accept(socket as TrackerSocket, family),
        data: (socket, bytes) => this.#receive(socket as TrackerSocket, bytes),
        drain: (socket) => this.#flush(socket as TrackerSocket),
        close: (socket) => this.#leave(socket as TrackerSocket, family),
        error: (socket) => this.#leave(socket as TrackerSocket, family),
      },
    });
    this.#servers.push({ stop: () => server.stop() });
    return server.port;
  }

  #accept(socket: TrackerSocket, family: TrackerFamily): void {
    const address = socket.remoteAddress;
    const refused = this.#isDraining ? "overload" : this.#gate.enter(address);
    if (refused !== null) {
      socket.data = null;
      this.#note(family, refused, null);
      socket.terminate();
      return;
    }
    socket.setKeepAlive(true, 60_000);
    const connection = new TrackerConnection({
      ...this.#deps(family, address),
      send: (bytes) => this.#send(socket, bytes),
      close: () => this.#end(socket),
    });
    const peer = { connection, address, openedAt: this.#options.now(), unsent: [], isPaused: false, isEnding: false };
    socket.data = peer;
    this.#peers.set(socket, peer);
    this.#countsOf(family).connections++;
  }

  #receive(socket: TrackerSocket, bytes: Uint8Array): void {
    const peer = socket.data;
    if (peer === null) return;
    peer.connection.receive(bytes);
    // What it sends waits in its own memory and in the network, until this has been stored.
    if (peer.connection.waitingBytes > limits.waitingBytes && !peer.isPaused) {
      peer.isPaused = true;
      socket.pause();
    }
  }

  #leave(socket: TrackerSocket, family: TrackerFamily): void {
    const peer = socket.data;
    if (peer === null || !this.#peers.delete(socket)) return;
    socket.data = null;
    peer.connection.end();
    this.#gate.leave(peer.address);
    this.#sessions.end(peer.connection);
    this.#countsOf(family).connections--;
  }

  #send(socket: TrackerSocket, bytes: Uint8Array): void {
    const peer = socket.data;
    if (peer === null) return;
    if (peer.isPaused && peer.connection.waitingBytes < limits.waitingBytes / 2) {
      peer.isPaused = false;
      socket.resume();
    }
    peer.unsent.push(bytes);
    this.#flush(socket);
    const left = peer.unsent.reduce((sum, one) => sum + one.length, 0);
    if (left > limits.unsentReplyBytes) peer.connection.refuse("slow_reader");
  }

  #flush(socket: TrackerSocket): void {
    const peer = socket.data;
    if (peer === null) return;
    while (peer.unsent[0] !== undefined) {
      const [bytes] = peer.unsent;
      const sent = socket.write(bytes);
      if (sent < bytes.length) {
        if (sent > 0) peer.unsent[0] = bytes.subarray(sent);
        return;
      }
      peer.unsent.shift();
    }
    if (peer.isEnding) socket.end();
  }

  /** After what is still to be sent. */
  #end(socket: TrackerSocket): void {
    const peer = socket.data;
    if (peer === null) return;
    peer.isEnding = true;
    this.#flush(socket);
  }

  async #openUdp(family: TrackerFamily, port: number): Promise<number> {
    const { hostname } = this.#options;
    const server = await Bun.udpSocket({
      hostname,
      port,
      socket: {
        data: (socket, bytes, fromPort, address) =>
          this.#receiveDatagram(family, bytes, address, (reply) => socket.send(reply, fromPort, address)),
      },
    });
    this.#servers.push({ stop: () => server.close() });
    return server.port;
  }

  /** A datagram is a connection of its own: whoever sends it says in it who it is. */
  #receiveDatagram(family: TrackerFamily, bytes: Uint8Array, address: string, send: (reply: Uint8Array) => void): void {
    const refused = !this.#gate.mayConnect(address)
      ? "network"
      : this.#datagramBytes + bytes.length > limits.waitingDatagramBytes
        ? "overload"
        : null;
    if (refused !== null) {
      this.#note(family, refused, null);
      return;
    }
    const connection = new TrackerConnection({
      ...this.#deps(family, address),
      onLogin: () => {},
      send,
      close: () => {},
    });
    this.#datagrams.add(connection);
    this.#datagramBytes += bytes.length;
    connection.receive(bytes.slice());
    connection.idle.then(() => {
      this.#datagrams.delete(connection);
      this.#datagramBytes -= bytes.length;
    });
  }

  #deps(family: TrackerFamily, address: string): Omit<ConnectionDeps, "send" | "close"> {
    const { writer, now, observe, unknownDevices } = this.#options;
    return {
      family,
      counts: this.#countsOf(family),
      now,
      find: (identity) => this.#gate.find(identity, family, address),
      store: (accountId, frames) => writer.submit(accountId, frames),
      log: ({ imei, accountId }, { bytes, session, receivedAt }, outcome) =>
        this.messages.add(imei, { accountId, bytes, session, receivedAt, family, outcome }),
      onLogin: (device, connection) => this.#sessions.begin(device.imei, connection),
      onHeard: (connection) => this.#sessions.heard(connection, family),
      onRefused: (reason, identity) => {
        if (reason === "unknown" && identity !== null) unknownDevices.noteTracker(identity, family.name, now());
        this.#note(family, reason, identity);
      },
      onFailure: (cause) => observe({ kind: "tracker_messages_not_stored", family: family.name, cause }),
    };
  }

  #countsOf(family: TrackerFamily): FamilyCounts {
    return this.counts[family.name] ?? noCounts();
  }

  #note(family: TrackerFamily, reason: RefusedReason, identity: string | null): void {
    this.#countsOf(family).refused[reason]++;
    const { observe } = this.#options;
    observe({ kind: "tracker_refused", family: family.name, reason, identity });
  }

  #sweep(): void {
    const now = this.#options.now();
    for (const [, { connection, openedAt }] of this.#peers) {
      if (connection.device === null && now - openedAt > limits.loginMs) connection.refuse("no_login");
      else if (now - connection.lastHeardAt > limits.idleMs && connection.isIdle) connection.refuse("idle");
      else if (this.#isDraining && connection.isIdle) connection.end();
    }
    for (const [socket, peer] of this.#peers) if (peer.isEnding) socket.terminate();
  }
}
