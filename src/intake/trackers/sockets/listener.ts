import { Failure } from "../../../domain/errors.ts";
import type { Observe } from "../../../observe/observation.ts";
import { pause, repeat } from "../../../observe/repeat.ts";
import type { FrameQueue } from "../../queue.ts";
import { TrackerConnection, type TrackerHouse } from "../connection/connection.ts";
import { MessageLog } from "../connection/message-log.ts";
import { type FamilyCounts, noCounts, type RefusedReason } from "../counts.ts";
import { type LookUpTrackers, TrackerDirectory } from "../gate/directory.ts";
import { Gate } from "../gate/gate.ts";
import { KnownNames, type ReadNames } from "../gate/known-names.ts";
import type { Networks } from "../gate/networks.ts";
import { Strangers } from "../gate/strangers.ts";
import type { TrackerFamily, Transport } from "../kit/family.ts";
import { limits } from "../limits.ts";
import { DatagramRoom, openDatagramPort, repliesWithin } from "./datagram-port.ts";
import { Door, type PlaceFigures } from "./door.ts";
import { endSilent } from "./end-silent.ts";
import { HeldBytes } from "./held-bytes.ts";
import { budgetOf, type FileBudget, readOpenFiles } from "./open-files.ts";
import { readProxyHeader } from "./proxy-header.ts";
import { TrackerSessions } from "./sessions.ts";
import { TcpPeer } from "./tcp-peer.ts";

/** How soon a device that was added is let in. */
const namesMs = 500;
/** How often silent connections are looked for. */
const usualSweepMs = 5_000;
/** So many times as late, the process has stood still: a machine that was paused, or had no time for it. */
const lateSweeps = 3;
/** As long as a stopping server waits for its requests. */
const maxDrainMs = 10_000;
/** A system gives ports at random; so many in a row are not taken for the other transport. */
const anyPortAttempts = 10;

/** The address of a peer that has reset its connection before we accepted it. It is in no network of a setting. */
const nowhere = "";

/** A port that trackers reach. */
export interface ListenedPort {
  readonly family: TrackerFamily;
  /** 0: any free one. */
  readonly port: number;
}

export interface TrackerListenerOptions {
  readonly ports: readonly ListenedPort[];
  readonly hostname: string;
  /** Which addresses may connect; null: any. */
  readonly networks: Networks | null;
  /** Balancers, which say where a tracker comes from; null: there is none. */
  readonly proxies: Networks | null;
  readonly lookUp: LookUpTrackers;
  readonly readNames: ReadNames;
  readonly writer: Pick<FrameQueue, "submit">;
  /** Notes trackers that are no device of ours. */
  readonly unknownDevices: { noteTracker(identity: string, family: string, now: number): void };
  readonly now: () => number;
  readonly observe: Observe;
  /** A test may want to look more often, and may have fewer files. */
  readonly sweepMs?: number;
  readonly openFiles?: number;
}

export interface TrackerListener {
  /** By family: the ports that are open. */
  readonly ports: Readonly<Record<string, number>>;
  readonly counts: Readonly<Record<string, FamilyCounts>>;
  readonly places: PlaceFigures;
  readonly messages: MessageLog;
  /**
   * Takes no new connections, and ends those that wait for no answer: the trackers connect to another node. Datagrams, which
   * cannot be sent elsewhere, are still taken.
   */
  drain(): void;
  /** Answers what has come, then ends all. */
  close(): Promise<void>;
}

/** Opens the ports of these families. Rejects, with none open, if one of them cannot be opened. */
export async function listenToTrackers(options: TrackerListenerOptions): Promise<TrackerListener> {
  const listener = new Listener(options, budgetOf(options.openFiles ?? (await readOpenFiles())));
  try {
    for (const port of options.ports) await listener.open(port);
  } catch (error) {
    await listener.close();
    throw error;
  }
  return listener;
}

interface OpenPort {
  /** Takes no more connections. */
  stop(): void;
  close(): void;
}

class Listener implements TrackerListener {
  readonly ports: Record<string, number> = {};
  readonly counts: Record<string, FamilyCounts> = {};
  readonly messages = new MessageLog();
  readonly #options: TrackerListenerOptions;
  readonly #gate: Gate;
  readonly #door: Door;
  readonly #strangers: Strangers;
  readonly #endFollowing: () => Promise<void>;
  readonly #sessions: TrackerSessions;
  readonly #open: OpenPort[] = [];
  readonly #houses = new Map<string, TrackerHouse>();
  readonly #peers = new Set<TcpPeer>();
  /** Datagrams, and trackers that are gone, as long as what they sent is not stored. */
  readonly #leaving = new Set<TrackerConnection>();
  readonly #sweeping: Timer;
  readonly #sweepMs: number;
  #sweptAt: number;
  readonly #held = new HeldBytes(() => this.#countHeld());
  readonly #datagrams = new DatagramRoom();
  #isDraining = false;
  #isClosing = false;

  constructor(options: TrackerListenerOptions, budget: FileBudget) {
    this.#options = options;
    this.#door = new Door({ budget, now: options.now, observe: options.observe });
    this.#door.introduce();
    this.#strangers = new Strangers(options.now, options.observe);
    this.#gate = new Gate({
      networks: options.networks,
      names: new KnownNames(options.readNames),
      directory: new TrackerDirectory(options.lookUp),
      strangers: this.#strangers,
    });
    this.#endFollowing = repeat("names of trackers", namesMs, options.observe, () => this.#gate.refresh());
    this.#sessions = new TrackerSessions(options.observe);
    this.#sweptAt = options.now();
    this.#sweepMs = options.sweepMs ?? usualSweepMs;
    this.#sweeping = setInterval(() => this.#sweep(), this.#sweepMs);
  }

  get places(): PlaceFigures {
    return this.#door.places;
  }

  async open({ family, port }: ListenedPort): Promise<void> {
    this.counts[family.name] ??= noCounts();
    const { hostname, observe } = this.#options;
    const opened = await this.#openTransports(family, port, port === 0 ? anyPortAttempts : 1);
    this.ports[family.name] = opened;
    observe({ kind: "tracker_port_opened", family: family.name, address: `${hostname}:${opened}` });
  }

  /** All transports of a family have the same port. Where any will do, one that TCP finds free may be taken for UDP. */
  async #openTransports(family: TrackerFamily, port: number, attempts: number): Promise<number> {
    const openBefore = this.#open.length;
    let opened = port;
    try {
      for (const transport of family.transports) {
        opened = transport === "tcp" ? this.#openTcp(family, opened) : await this.#openUdp(family, opened);
      }
      return opened;
    } catch (cause) {
      for (const port of this.#open.splice(openBefore)) port.close();
      if (attempts > 1) return this.#openTransports(family, port, attempts - 1);
      const message = `${this.#options.hostname}:${opened} cannot be opened for ${family.name} trackers; choose another port with --trackers ${family.name}=PORT, or another address with --tracker-host`;
      throw new Failure("PORT_UNAVAILABLE", message, { cause });
    }
  }

  drain(): void {
    this.#isDraining = true;
    for (const port of this.#open) port.stop();
    this.#endIdle();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.drain();
    clearInterval(this.#sweeping);
    const answered = new AbortController();
    const ofPeers = [...this.#peers].flatMap(({ connection }) => connection ?? []);
    const connections = [...ofPeers, ...this.#leaving];
    const allAnswered = Promise.all(connections.map(({ idle }) => idle)).then(() => answered.abort());
    await Promise.race([allAnswered, pause(maxDrainMs, answered.signal)]);
    for (const connection of connections) connection.end();
    for (const peer of this.#peers) peer.end();
    await this.#endFollowing();
    this.#strangers.report();
    this.#door.report();
    // The replies to datagrams have gone out by it.
    for (const port of this.#open.splice(0)) port.close();
  }

  #openTcp(family: TrackerFamily, port: number): number {
    const { hostname } = this.#options;
    const onEnding = (peer: TcpPeer) => this.#door.ended(peer);
    const leave = (socket: Bun.Socket<TcpPeer | null>) => {
      if (socket.data !== null) this.#leave(socket.data);
    };
    /** It sends no more, and may still want to hear the answer. */
    const finish = (socket: Bun.Socket<TcpPeer | null>) => {
      const peer = socket.data;
      if (peer?.connection) peer.connection.finish();
      else peer?.end();
    };
    const server = Bun.listen<TcpPeer | null>({
      hostname,
      port,
      data: null,
      allowHalfOpen: true,
      socket: {
        open: (socket) => {
          socket.data = new TcpPeer(socket, family, onEnding);
          // What a peer sent before it reset the connection is there to be read; where it was is not.
          this.#accept(socket.data, (socket.remoteAddress as string | undefined) ?? nowhere);
        },
        data: (socket, bytes) => {
          if (socket.data !== null) this.#receive(socket.data, bytes);
        },
        drain: (socket) => socket.data?.flush(),
        end: finish,
        close: leave,
        error: leave,
      },
    });
    this.#open.push({ stop: () => server.stop(), close: () => server.stop() });
    return server.port;
  }

  #accept(peer: TcpPeer, address: string): void {
    this.#peers.add(peer);
    this.#countsOf(peer.family).connections++;
    if (this.#isDraining) peer.cut();
    // Its header is read first.
    else if (this.#options.proxies?.has(address)) this.#place(peer, address, () => {});
    else this.#letIn(peer, address);
  }

  #letIn(peer: TcpPeer, address: string): void {
    if (!this.#gate.mayConnect(address)) {
      this.#note(peer.family, "network", null);
      peer.cut();
      return;
    }
    this.#place(peer, address, () => {
      peer.connection = new TrackerConnection(this.#houseOf(peer.family, "tcp"), peer, address);
      const { head } = peer;
      peer.head = null;
      if (head !== null && head.length > 0) this.#receive(peer, head);
    });
  }

  #place(peer: TcpPeer, address: string, begin: () => void): void {
    const lost = this.#door.enter(peer, address, begin);
    if (lost === null) return;
    this.#note(lost.family, lost === peer ? "too_many_connections" : "no_place", null);
    lost.cut();
  }

  #receive(peer: TcpPeer, bytes: Uint8Array): void {
    // It has reset the connection: the runtime gives at once what it sent before, though it waits for a place.
    if (peer.isWaiting) peer.stopWaiting();
    if (peer.connection === null) {
      this.#receiveHeader(peer, peer.head === null ? bytes : Buffer.concat([peer.head, bytes]));
      return;
    }
    peer.connection.receive(bytes);
    this.#held.add(bytes.length);
    peer.slowDown(this.#held.isMuch ? 0 : limits.waitingBytes);
    if (this.#held.isTooMuch) peer.connection.refuse("overload");
  }

  #countHeld(): number {
    let held = 0;
    for (const { connection, head } of this.#peers) held += connection?.waitingBytes ?? head?.length ?? 0;
    for (const { waitingBytes } of this.#leaving) held += waitingBytes;
    return held;
  }

  /** A balancer's connection begins with where the tracker is. */
  #receiveHeader(peer: TcpPeer, bytes: Uint8Array): void {
    const header = readProxyHeader(bytes);
    if (header.kind === "incomplete") {
      peer.head = bytes.slice();
    } else if (header.kind === "wrong") {
      this.#note(peer.family, "no_proxy_header", null);
      peer.cut();
    } else {
      peer.head = bytes.slice(header.length);
      this.#door.leave(peer);
      // A balancer that does not know where it comes from, or that looks whether we are there, counts as itself.
      this.#letIn(peer, header.address ?? peer.address);
    }
  }

  #leave(peer: TcpPeer): void {
    if (!this.#peers.delete(peer)) return;
    peer.gone();
    this.#countsOf(peer.family).connections--;
    this.#door.leave(peer);
    if (peer.connection === null) return;
    this.#sessions.end(peer.connection);
    peer.connection.finish();
    this.#letGo(peer.connection);
  }

  /** What it sent is stored, though it cannot be answered any more. */
  async #letGo(connection: TrackerConnection): Promise<void> {
    this.#leaving.add(connection);
    await connection.idle;
    this.#leaving.delete(connection);
  }

  async #openUdp(family: TrackerFamily, port: number): Promise<number> {
    const server = await openDatagramPort(this.#options.hostname, port, (bytes, address, send) => {
      const withhold = () => this.#countsOf(family).replies_withheld++;
      this.#receiveDatagram(family, bytes, address, repliesWithin(bytes.length, send, withhold));
    });
    this.#open.push({ stop: () => {}, close: () => server.close() });
    return server.port;
  }

  /** A datagram is a connection of its own: it says who sent it. */
  #receiveDatagram(family: TrackerFamily, bytes: Uint8Array, address: string, send: (reply: Uint8Array) => void): void {
    // Nothing would wait for it to be stored. It has no answer, so it is sent again.
    if (this.#isClosing) return;
    const isTooMuch = this.#datagrams.isFullFor(bytes.length) || this.#held.isTooMuch;
    if (isTooMuch || !this.#gate.mayConnect(address)) {
      this.#note(family, isTooMuch ? "overload" : "network", null);
      return;
    }
    const connection = new TrackerConnection(this.#houseOf(family, "udp"), { send, end: () => {} }, address);
    this.#held.add(bytes.length);
    connection.receiveDatagram(bytes);
    this.#datagrams.hold(bytes.length, this.#letGo(connection));
  }

  /** One for all connections of a family over a transport. */
  #houseOf(family: TrackerFamily, over: Transport): TrackerHouse {
    const name = `${family.name} ${over}`;
    const house = this.#houses.get(name) ?? this.#newHouse(family, over);
    this.#houses.set(name, house);
    return house;
  }

  #newHouse(family: TrackerFamily, over: Transport): TrackerHouse {
    const { writer, now, observe, unknownDevices } = this.#options;
    return {
      family,
      over,
      counts: this.#countsOf(family),
      now,
      find: (identity, address) => this.#gate.find({ identity, family, address, over }),
      store: (accountId, frames) => writer.submit(accountId, frames),
      log: ({ imei, accountId }, { bytes, session, receivedAt }, outcome) =>
        this.messages.add(imei, { accountId, bytes, session, receivedAt, family, outcome }),
      ownerOf: (identity) => this.#gate.owner(identity),
      onLogin: ({ imei }, connection) => {
        // A datagram is over before another could come.
        if (!(connection.line instanceof TcpPeer)) return;
        this.#sessions.begin(imei, connection);
        this.#door.login(connection.line);
      },
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
    // Others sum these up: `Strangers`, `Door`.
    if (reason === "too_many_unknown" || reason === "no_place") return;
    this.#options.observe({ kind: "tracker_refused", family: family.name, reason, identity });
  }

  #endIdle(): void {
    for (const peer of this.#peers) {
      if (peer.connection?.isIdle) peer.connection.end();
      else if (peer.isWaiting && !peer.isEnding) peer.end();
    }
  }

  #sweep(): void {
    const now = this.#options.now();
    const hasStoodStill = now - this.#sweptAt > lateSweeps * this.#sweepMs;
    this.#sweptAt = now;
    // What was sent meanwhile is read first.
    if (!hasStoodStill) endSilent(this.#peers, now);
    this.#held.count();
    this.#strangers.reportDue();
    this.#door.reportDue();
    if (this.#isDraining) this.#endIdle();
  }
}
