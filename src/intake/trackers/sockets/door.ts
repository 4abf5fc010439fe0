import { networkOf } from "../../../access/address-meter.ts";
import type { Observe } from "../../../observe/observation.ts";
import type { FileBudget } from "./open-files.ts";
import { Places } from "./places.ts";
import type { TcpPeer } from "./tcp-peer.ts";

const minuteMs = 60_000;
/** Far fewer than `limits.connections`, and below what most systems give. */
const fewOpenFiles = 8_192;
const advice = "docs/operations.md, Open files";

/** How many sockets there are, by state, and how many there may be. */
export interface PlaceFigures {
  readonly counts: Readonly<Record<string, number>>;
  readonly limits: Readonly<Record<string, number>>;
}

export interface DoorParts {
  readonly budget: FileBudget;
  readonly now: () => number;
  readonly observe: Observe;
}

/**
 * Gives sockets their places and turns. One that waits is neither closed nor read from: what it sends stays in the network, as if it
 * had not been accepted yet. (The runtime cannot stop accepting and leave the others in the backlog.)
 */
export class Door {
  readonly #parts: DoorParts;
  readonly #places: Places<TcpPeer>;
  readonly #closedOf = new Map<string, number>();
  #reportedAt: number;

  constructor(parts: DoorParts) {
    this.#parts = parts;
    const isOwed = ({ connection, isEnding }: TcpPeer) => connection?.isLookedUp === true && !isEnding;
    this.#places = new Places(parts.budget.places, isOwed);
    this.#reportedAt = parts.now();
  }

  /** To be called once: what there is room for. */
  introduce(): void {
    const { openFiles, keptFree, places } = this.#parts.budget;
    const { all: trackers, beforeLogin } = places;
    this.#parts.observe({ kind: "limits", openFiles, trackers, beforeLogin, keptFree });
    if (openFiles < fewOpenFiles) this.#parts.observe({ kind: "open_files_few", openFiles, trackers, advice });
  }

  /** For metrics. */
  get places(): PlaceFigures {
    const { all, beforeLogin } = this.#places.limits;
    return { counts: this.#places.counts, limits: { all, before_login: beforeLogin } };
  }

  /** Calls `begin` as soon as it has a place. Returns who has none any more: the newcomer, or another one. It is to be cut. */
  enter(peer: TcpPeer, address: string, begin: () => void): TcpPeer | null {
    peer.address = address;
    const { state, pushedOut, next, paused } = this.#places.enter(peer, networkOf(address));
    this.#start(next);
    // It has been heard. If it says more, that waits in the network.
    paused?.wait(() => {});
    if (state === "waiting") peer.wait(begin);
    else if (state === "before_login") {
      peer.placedAt = this.#parts.now();
      begin();
    }
    const lost = state === null ? peer : pushedOut;
    if (lost !== null) this.#noteClosed(networkOf(lost.address));
    return lost;
  }

  login(peer: TcpPeer): void {
    this.#start(this.#places.login(peer));
    // What it said before it had to wait was a login.
    peer.stopWaiting();
  }

  ended(peer: TcpPeer): void {
    this.#start(this.#places.end(peer));
  }

  leave(peer: TcpPeer): void {
    this.#start(this.#places.leave(peer));
  }

  /** To be called every few seconds: says once a minute who was closed. */
  reportDue(): void {
    // A clock that was set back must not silence it.
    if (Math.abs(this.#parts.now() - this.#reportedAt) >= minuteMs) this.report();
  }

  report(): void {
    this.#reportedAt = this.#parts.now();
    if (this.#closedOf.size === 0) return;
    const closedOf = [...this.#closedOf].toSorted(([, one], [, other]) => other - one);
    const [[address]] = closedOf as [[string, number]];
    const closed = closedOf.reduce((sum, [, count]) => sum + count, 0);
    this.#closedOf.clear();
    const { waiting } = this.#places.counts;
    this.#parts.observe({ kind: "tracker_places_taken", closed, addresses: closedOf.length, address, waiting, advice });
  }

  #start(peer: TcpPeer | null): void {
    if (peer === null) return;
    // A second turn is not another minute for the login.
    peer.placedAt ??= this.#parts.now();
    peer.stopWaiting();
  }

  /** Of as many addresses as there are places; the others are summed up. */
  #noteClosed(name: string): void {
    const isFull = this.#closedOf.size >= this.#places.limits.all && !this.#closedOf.has(name);
    const counted = isFull ? "other addresses" : name;
    this.#closedOf.set(counted, (this.#closedOf.get(counted) ?? 0) + 1);
  }
}
