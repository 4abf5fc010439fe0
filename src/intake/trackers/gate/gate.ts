import { networkOf } from "../../../access/address-meter.ts";
import type { RefusedReason } from "../counts.ts";
import type { TrackerFamily, Transport } from "../kit/family.ts";
import type { TrackerDirectory, TrackerOwner } from "./directory.ts";
import type { KnownNames } from "./known-names.ts";
import type { Networks } from "./networks.ts";
import type { Strangers } from "./strangers.ts";

export interface GateParts {
  /** Null: any address may connect. */
  readonly networks: Networks | null;
  readonly names: KnownNames;
  readonly directory: TrackerDirectory;
  readonly strangers: Strangers;
}

/** What a tracker calls itself, and how it calls. */
export interface TrackerLogin {
  readonly identity: string;
  readonly family: Pick<TrackerFamily, "name">;
  readonly address: string;
  readonly over: Transport;
}

/** Who may connect, and who may log in. For how many there is room is the door's matter. */
export class Gate {
  readonly #parts: GateParts;

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  mayConnect(address: string): boolean {
    const { networks } = this.#parts;
    return networks === null || networks.has(address);
  }

  /** Learns of devices that were added or got another tracker. To be called about once a second. */
  async refresh(): Promise<void> {
    if (await this.#parts.names.refresh()) this.#parts.directory.forgetStrangers();
  }

  /**
   * The device of a tracker. One that has a name of ours is looked up, whatever else calls from its address; one that has not costs no
   * look-up. Rejects if the store cannot be read.
   */
  find(call: TrackerLogin): Promise<TrackerOwner | RefusedReason> | TrackerOwner | RefusedReason {
    const { names, directory } = this.#parts;
    if (!names.has(call.identity)) {
      return names.isWhole ? this.#refuse(call) : names.whole().then(() => this.find(call));
    }
    const known = directory.known(call.identity);
    if (known !== undefined) return this.#judge(call, known);
    return directory.find(call.identity).then((device) => this.#judge(call, device));
  }

  /** Of a device that was just found; null: it was not. */
  owner(identity: string): TrackerOwner | null {
    return this.#parts.directory.known(identity) ?? null;
  }

  /** Null: of a suspended account, or removed since the names were read. */
  #judge(call: TrackerLogin, device: TrackerOwner | null): TrackerOwner | RefusedReason {
    if (device === null) return this.#refuse(call);
    return device.protocol === null || device.protocol === call.family.name ? device : "other_protocol";
  }

  #refuse({ address, over }: TrackerLogin): RefusedReason {
    return this.#parts.strangers.refuse(networkOf(address), over);
  }
}
