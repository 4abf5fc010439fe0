import { BoundedMap } from "../../../domain/bounded-map.ts";

/** A device that was added or changed is known as soon as this. A login has to wait for nothing longer. */
const freshMs = 5_000;
/** Twice as many as trackers can be connected. */
const maxEntries = 100_000;

export interface TrackerOwner {
  readonly imei: string;
  readonly accountId: number;
  /** The only family that may send for it; null: any. */
  readonly protocol: string | null;
  /** As the owner wrote it. */
  readonly model: string | null;
}

/** By what trackers call themselves. Those that are no device of ours are missing. */
export type LookUpTrackers = (identities: ReadonlySet<string>) => Promise<ReadonlyMap<string, TrackerOwner>>;

interface DirectoryEntry {
  readonly device: TrackerOwner | null;
  readonly readAt: number;
}

/** Which device a tracker is, by what it calls itself. Those that ask at the same time are looked up by one statement. */
export class TrackerDirectory {
  readonly #lookUpAll: LookUpTrackers;
  readonly #now: () => number;
  readonly #entries = new BoundedMap<string, DirectoryEntry>({ max: maxEntries });
  #asked = new Map<string, PromiseWithResolvers<TrackerOwner | null>>();

  constructor(lookUp: LookUpTrackers, now: () => number = () => performance.now()) {
    this.#lookUpAll = lookUp;
    this.#now = now;
  }

  /** Undefined: it must be looked up. */
  known(identity: string): TrackerOwner | null | undefined {
    const entry = this.#entries.get(identity);
    return entry !== undefined && this.#now() - entry.readAt < freshMs ? entry.device : undefined;
  }

  /** The fleet has changed: those that were no device of ours are looked up again. */
  forgetStrangers(): void {
    this.#entries.deleteIf(({ device }) => device === null);
  }

  /** Null: no device has this identity. Rejects if the store cannot be read. */
  find(identity: string): Promise<TrackerOwner | null> {
    const known = this.known(identity);
    if (known !== undefined) return Promise.resolve(known);
    const asked = this.#asked.get(identity);
    if (asked !== undefined) return asked.promise;
    if (this.#asked.size === 0) setImmediate(() => this.#lookUp());
    const answer = Promise.withResolvers<TrackerOwner | null>();
    this.#asked.set(identity, answer);
    return answer.promise;
  }

  async #lookUp(): Promise<void> {
    const asked = this.#asked;
    this.#asked = new Map();
    try {
      const devices = await this.#lookUpAll(new Set(asked.keys()));
      const readAt = this.#now();
      for (const [identity, { resolve }] of asked) {
        const device = devices.get(identity) ?? null;
        this.#entries.set(identity, { device, readAt });
        resolve(device);
      }
    } catch (error) {
      for (const { reject } of asked.values()) reject(error);
    }
  }
}
