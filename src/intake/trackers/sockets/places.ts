import { ArrivalOrder } from "./arrival-order.ts";

/** How many sockets of trackers a process has room for. */
export interface PlaceLimits {
  readonly all: number;
  /** Of those, before their login. */
  readonly beforeLogin: number;
  /** Of one address, logged in or not. */
  readonly ofAddress: number;
  /** Of one address, read from before their login. */
  readonly readOfAddress: number;
}

/** `waiting`: nothing is read from it now. `ended`: it was sent away before a login, and has not gone yet. */
export type PlaceState = "waiting" | "before_login" | "ended" | "logged_in";

/** Null for a newcomer that does not get in; it is not remembered. */
export interface PlaceDecision<Socket> {
  readonly state: "waiting" | "before_login" | null;
  /** Has lost its place to the newcomer. It is forgotten already: to be closed. */
  readonly pushedOut: Socket | null;
  /** Has got the place of that one: to be read from. */
  readonly next: Socket | null;
  /** Has had its turn, and waits from now on: not to be read from. */
  readonly paused: Socket | null;
}

interface SocketPlace<Socket> {
  readonly socket: Socket;
  readonly address: AddressSockets<Socket>;
  state: PlaceState;
}

class AddressSockets<Socket> {
  readonly name: string;
  count = 0;
  read = 0;
  /** In the order in which they began to wait. */
  readonly waiting = new ArrivalOrder<SocketPlace<Socket>>();
  /** Of those that are read from, all that can lose their turn: the first has had it for longest. */
  readonly reading = new ArrivalOrder<SocketPlace<Socket>>();
  /** Of those without a login, all that can lose their place: the first has had the longest time to say something. */
  readonly silent = new ArrivalOrder<SocketPlace<Socket>>();

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Which connected sockets are read from, which wait for that, and which must go. Before a login few of an address are read from, and
 * the next one gets the turn of the one that has had it for longest: those that say nothing keep out no other. When there is no room
 * for another one, the address with the most silent sockets loses its oldest: a flood pushes out itself, and others get in. A socket that is logged in never goes for a newcomer. Decides in a time that does not
 * depend on how many there are.
 */
export class Places<Socket> {
  readonly limits: PlaceLimits;
  readonly #isOwed: (socket: Socket) => boolean;
  readonly #places = new Map<Socket, SocketPlace<Socket>>();
  readonly #addresses = new Map<string, AddressSockets<Socket>>();
  /** By the number of their silent sockets; each in the order in which they came to it. */
  readonly #bySilent: ArrivalOrder<AddressSockets<Socket>>[] = [];
  /** None has more silent ones. */
  #most = 0;
  readonly #counts: Record<PlaceState, number> = { waiting: 0, before_login: 0, ended: 0, logged_in: 0 };

  /** `isOwed`: it has said who it is and waits for us, so it keeps its place. */
  constructor(limits: PlaceLimits, isOwed: (socket: Socket) => boolean) {
    this.limits = limits;
    this.#isOwed = isOwed;
  }

  get counts(): Readonly<Record<PlaceState, number>> {
    return this.#counts;
  }

  stateOf(socket: Socket): PlaceState | null {
    return this.#places.get(socket)?.state ?? null;
  }

  enter(socket: Socket, name: string): PlaceDecision<Socket> {
    const pushedOut = this.#lacksRoom(name) === null ? null : this.#silentOf(name);
    const next = pushedOut === null ? null : this.leave(pushedOut);
    if (this.#lacksRoom(name) !== null) return { state: null, pushedOut, next, paused: null };
    const address = this.#addresses.get(name) ?? new AddressSockets<Socket>(name);
    this.#addresses.set(name, address);
    const paused = address.read < this.limits.readOfAddress ? null : this.#pauseFirst(address);
    const state = address.read < this.limits.readOfAddress ? "before_login" : "waiting";
    const place: SocketPlace<Socket> = { socket, address, state };
    this.#places.set(socket, place);
    address.count++;
    this.#change(place, state, 1);
    this.#setSilent(place, true);
    return { state, pushedOut, next, paused };
  }

  /** Says who has its place from now on: to be read from. */
  login(socket: Socket): Socket | null {
    return this.stateOf(socket) === "ended" ? null : this.#become(socket, "logged_in");
  }

  /** It was sent away. As long as it does not go, it can be pushed out. */
  end(socket: Socket): Socket | null {
    return this.stateOf(socket) === "logged_in" ? null : this.#become(socket, "ended");
  }

  leave(socket: Socket): Socket | null {
    const place = this.#places.get(socket);
    if (place === undefined) return null;
    const { address } = place;
    this.#places.delete(socket);
    this.#setSilent(place, false);
    this.#change(place, place.state, -1);
    address.count--;
    if (address.count === 0) this.#addresses.delete(address.name);
    return this.#next(address);
  }

  #become(socket: Socket, state: PlaceState): Socket | null {
    const place = this.#places.get(socket);
    if (place === undefined || place.state === state) return null;
    this.#move(place, state);
    this.#setSilent(place, state !== "logged_in");
    return this.#next(place.address);
  }

  #change(place: SocketPlace<Socket>, state: PlaceState, by: 1 | -1): void {
    this.#counts[state] += by;
    const { address } = place;
    if (state === "before_login") address.read += by;
    const row = state === "before_login" ? address.reading : state === "waiting" ? address.waiting : null;
    if (by > 0) row?.add(place);
    else row?.delete(place);
  }

  #pauseFirst({ reading }: AddressSockets<Socket>): Socket | null {
    for (let { first } = reading; first !== null; first = reading.first) {
      if (!this.#isOwed(first.socket)) {
        this.#move(first, "waiting");
        return first.socket;
      }
      // It is asked once: soon it is logged in, or ended.
      reading.delete(first);
    }
    return null;
  }

  #move(place: SocketPlace<Socket>, state: PlaceState): void {
    this.#change(place, place.state, -1);
    place.state = state;
    this.#change(place, state, 1);
  }

  #next(address: AddressSockets<Socket>): Socket | null {
    const { first } = address.waiting;
    if (first === null || address.read >= this.limits.readOfAddress) return null;
    this.#move(first, "before_login");
    return first.socket;
  }

  /** For which there is no room: this address alone, or any. */
  #lacksRoom(name: string): "address" | "any" | null {
    const { all, beforeLogin, ofAddress } = this.limits;
    if ((this.#addresses.get(name)?.count ?? 0) >= ofAddress) return "address";
    const silent = this.#places.size - this.#counts.logged_in;
    return silent >= beforeLogin || this.#places.size >= all ? "any" : null;
  }

  /** Who must go for a newcomer from there. */
  #silentOf(name: string): Socket | null {
    const ofAddress = this.#lacksRoom(name) === "address" ? this.#addresses.get(name) : null;
    while (true) {
      const address = ofAddress === null ? this.#mostSilent() : ofAddress;
      const oldest = address?.silent.first ?? null;
      if (oldest === null) return null;
      if (oldest.state === "ended" || !this.#isOwed(oldest.socket)) return oldest.socket;
      // It is asked once: soon it is logged in, or ended.
      this.#setSilent(oldest, false);
    }
  }

  #mostSilent(): AddressSockets<Socket> | null {
    while (this.#most > 0 && this.#bySilent[this.#most]?.size === 0) this.#most--;
    return this.#bySilent[this.#most]?.first ?? null;
  }

  #setSilent(place: SocketPlace<Socket>, isSilent: boolean): void {
    const { address } = place;
    if (address.silent.has(place) === isSilent) return;
    this.#bySilent[address.silent.size]?.delete(address);
    if (isSilent) address.silent.add(place);
    else address.silent.delete(place);
    const count = address.silent.size;
    if (count === 0) return;
    while (this.#bySilent.length <= count) this.#bySilent.push(new ArrivalOrder());
    this.#bySilent[count]?.add(address);
    this.#most = Math.max(this.#most, count);
  }
}
