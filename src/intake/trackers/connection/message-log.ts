import { BoundedMap } from "../../../domain/bounded-map.ts";
import type { TrackerFamily } from "../kit/family.ts";

/** As the owner needs them to see what a tracker does; more would be a store. */
const maxMessages = 50;
/** Of all devices of this process. Those that were not looked at, and that have been silent for longest, are forgotten first. */
const maxBytes = 16 * 1_024 * 1_024;
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

interface Ring {
  readonly messages: LoggedMessage[];
  next: number;
}

/** The last messages of each tracker, in memory only: they are for its owner, and never for the log. */
export class MessageLog {
  readonly #rings = new BoundedMap<string, Ring>({ max: maxBytes / (entryBytes + 100), weigh: () => maxMessages });
  #number = 0;

  add(imei: string, message: Omit<LoggedMessage, "number" | "length">): void {
    const { bytes } = message;
    const kept = bytes.slice(0, maxShownBytes);
    const logged = { ...message, bytes: kept, length: bytes.length, number: ++this.#number };
    const ring = this.#rings.getOrMake(imei, () => ({ messages: [], next: 0 }));
    if (ring.messages.length < maxMessages) ring.messages.push(logged);
    else ring.messages[ring.next] = logged;
    ring.next = (ring.next + 1) % maxMessages;
  }

  /** The oldest first, only those after this number. */
  of(imei: string, after = 0): readonly LoggedMessage[] {
    const messages = this.#rings.get(imei)?.messages ?? [];
    return messages.filter(({ number }) => number > after).sort((one, other) => one.number - other.number);
  }
}
