import { networkOf } from "../../access/address-meter.ts";
import { Counter } from "../../access/meter.ts";
import { BoundedMap } from "../../domain/bounded-map.ts";
import type { RefusedReason } from "./counts.ts";
import type { TrackerDevice, TrackerDirectory } from "./directory.ts";
import type { TrackerFamily } from "./kit/family.ts";
import { limits } from "./limits.ts";
import type { Networks } from "./networks.ts";

const unknownLimits = { perSecond: limits.unknownPerSecond, perDay: limits.unknownPerDay };
/** As many as could send from addresses of their own; then the oldest are forgotten. */
const maxNetworks = 50_000;

/** Who may connect, and who may log in. */
export class Gate {
  readonly #networks: Networks | null;
  readonly #directory: TrackerDirectory;
  readonly #now: () => number;
  readonly #connected = new Map<string, number>();
  readonly #strangers = new BoundedMap<string, Counter>({ max: maxNetworks });
  #total = 0;

  constructor(networks: Networks | null, directory: TrackerDirectory, now: () => number) {
    this.#networks = networks;
    this.#directory = directory;
    this.#now = now;
  }

  mayConnect(address: string): boolean {
    return this.#networks === null || this.#networks.has(address);
  }

  /** Null: it may stay, and must `leave` in the end. */
  enter(address: string): RefusedReason | null {
    if (!this.mayConnect(address)) return "network";
    const network = networkOf(address);
    const ofNetwork = this.#connected.get(network) ?? 0;
    if (this.#total >= limits.connections || ofNetwork >= limits.connectionsOfAddress) return "too_many_connections";
    this.#connected.set(network, ofNetwork + 1);
    this.#total++;
    return null;
  }

  leave(address: string): void {
    const network = networkOf(address);
    const ofNetwork = (this.#connected.get(network) ?? 1) - 1;
    if (ofNetwork > 0) this.#connected.set(network, ofNetwork);
    else this.#connected.delete(network);
    this.#total--;
  }

  /**
   * The device of a tracker. Whoever tries many identities that are none of ours is not told any more whether one is: only devices
   * that called before are let in from there.
   */
  find(
    identity: string,
    { name }: TrackerFamily,
    address: string,
  ): Promise<TrackerDevice | RefusedReason> | TrackerDevice | RefusedReason {
    const network = networkOf(address);
    const strangers = this.#strangers.get(network);
    if (strangers !== undefined && !this.#directory.wasKnown(identity)) {
      const { remainingDay, remainingSecond } = strangers.read(unknownLimits, this.#now());
      if (remainingDay === 0 || remainingSecond === 0) return "too_many_unknown";
    }
    // A tracker that nobody has added yet calls every minute: it counts once.
    const isNew = !this.#directory.isRemembered(identity);
    const judge = (device: TrackerDevice | null) => {
      if (device === null && isNew) this.#countStranger(network);
      if (device === null) return "unknown";
      return device.protocol === null || device.protocol === name ? device : "other_protocol";
    };
    const known = this.#directory.known(identity);
    return known === undefined ? this.#directory.find(identity).then(judge) : judge(known);
  }

  #countStranger(network: string): void {
    const counter = this.#strangers.getOrMake(network, () => new Counter());
    const now = this.#now();
    counter.takeSecond(unknownLimits, now);
    counter.takeDay(unknownLimits, now);
  }
}
