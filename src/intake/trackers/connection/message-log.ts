import type { TrackerFamily } from "../kit/family.ts";

/** As the owner needs them to see what a tracker does; more would be a store. */
const maxMessages = 50;
/** Of all devices of this process: some messages of each of ten thousand, all of those of a few hundred. */
const maxBytes = 16 * 1_024 * 1_024;
const bytesWithRoom = 0.95 * maxBytes;
/** A packet of a Teltonika may have more; its beginning says enough. */
const maxShownBytes = 1_300;
/** What an entry takes beside its bytes. */
const entryBytes = 200;

/** A message as it came. Decoders are pure, so what it means is worked out again when its owner looks. */
export interface LoggedMessage {
  /** Counts up in this process: what was shown before is not shown again. */
  readonly number: number;
  /** Whose device it was then. */
  readonly accountId: number;
  readonly receivedAt: number;
  readonly family: TrackerFamily;
  readonly bytes: Uint8Array;
  /** Of how many bytes: more than are kept, if it was very long. */
  readonly length: number;
  /** The state of the connection before it. */
  readonly session: unknown;
  /** What became of it: answered, stored without an answer, or why not. */
  readonly outcome: LoggedOutcome;
}

/** `other_protocol`: the device is bound to another family, so the tracker was refused. */
export type LoggedOutcome = "stored" | "not_stored" | "other_identity" | "other_protocol";

/** Messages of one device, the oldest first. */
interface Recent {
  readonly messages: LoggedMessage[];
}

/** Where there is no room for all, devices that have been silent for longest keep these, then one, then none. */
const keptWithoutRoom = [4, 1, 0] as const;

/** The last messages of each tracker, in memory only: they are for its owner, and never for the log. */
export class MessageLog {
  /** By how many messages they have: more than each of the numbers above. Within each, those that were silent for longest first. */
  readonly #tiers = keptWithoutRoom.map(() => new Map<string, Recent>());
  #number = 0;
  #bytes = 0;

  add(imei: string, message: Omit<LoggedMessage, "number" | "length">): void {
    const { bytes } = message;
    const kept = bytes.slice(0, maxShownBytes);
    const recent = this.#taken(imei) ?? { messages: [] };
    recent.messages.push({ ...message, bytes: kept, length: bytes.length, number: ++this.#number });
    this.#bytes += kept.length + entryBytes;
    if (recent.messages.length > maxMessages) this.#dropOldest(recent);
    this.#put(imei, recent);
    if (this.#bytes > maxBytes) this.#makeRoom();
  }

  /** The oldest first, only those after this number. */
  of(imei: string, after = 0): readonly LoggedMessage[] {
    const recent = this.#tiers.find((tier) => tier.has(imei))?.get(imei);
    return recent?.messages.filter(({ number }) => number > after) ?? [];
  }

  #taken(imei: string): Recent | undefined {
    const tier = this.#tiers.find((one) => one.has(imei));
    const recent = tier?.get(imei);
    tier?.delete(imei);
    return recent;
  }

  /** As the one that has sent last. */
  #put(imei: string, recent: Recent): void {
    const tier = keptWithoutRoom.findIndex((kept) => recent.messages.length > kept);
    this.#tiers[tier]?.set(imei, recent);
  }

  /** Some at once: finding those that were silent for longest costs more than dropping one of their messages. */
  #makeRoom(): void {
    for (const [index, kept] of keptWithoutRoom.entries()) {
      for (const [imei, recent] of this.#tiers[index] ?? []) {
        if (this.#bytes <= bytesWithRoom) return;
        this.#tiers[index]?.delete(imei);
        while (recent.messages.length > kept) this.#dropOldest(recent);
        if (recent.messages.length > 0) this.#put(imei, recent);
      }
    }
  }

  #dropOldest(recent: Recent): void {
    const oldest = recent.messages.shift();
    this.#bytes -= oldest === undefined ? 0 : oldest.bytes.length + entryBytes;
  }
}
