import type { FrameOutcome } from "../../derive/plan.ts";
import type { IncomingFrame } from "../incoming-frame.ts";
import type { FamilyCounts, RefusedReason } from "./counts.ts";
import type { TrackerDevice } from "./directory.ts";
import type { DecodedMessage, TrackerFamily } from "./kit/family.ts";
import { MessageStream } from "./kit/stream.ts";
import { limits } from "./limits.ts";
import type { MessageOutcome } from "./message-log.ts";

/** What a connection needs of the rest. The listener gives it, a test gives its own. */
export interface ConnectionDeps {
  readonly family: TrackerFamily;
  readonly counts: FamilyCounts;
  readonly now: () => number;
  /** The device of this identity, or why there is none. Rejects if the store cannot be read. */
  readonly find: (identity: string) => Promise<TrackerDevice | RefusedReason> | TrackerDevice | RefusedReason;
  /** Resolves when the frames are on disk. */
  readonly store: (accountId: number, frames: readonly IncomingFrame[]) => Promise<readonly FrameOutcome[]>;
  readonly log: (device: TrackerDevice, message: ReceivedMessage, outcome: MessageOutcome) => void;
  readonly onLogin: (device: TrackerDevice, connection: TrackerConnection) => void;
  /** It is logged in, and has sent something. */
  readonly onHeard: (connection: TrackerConnection) => void;
  readonly onRefused: (reason: RefusedReason, identity: string | null) => void;
  readonly onFailure: (cause: unknown) => void;
  /** The way back to the tracker. */
  readonly send: (bytes: Uint8Array) => void;
  /** Sends what waits to be sent, then ends. */
  readonly close: () => void;
}

/** A message with the state before it, so that it can be decoded again for its owner. */
export interface ReceivedMessage {
  readonly bytes: Uint8Array;
  readonly session: unknown;
  readonly receivedAt: number;
}

interface Waiting extends ReceivedMessage {
  readonly decoded: DecodedMessage<unknown>;
}

/**
 * One tracker that is connected, or one datagram. Messages are decoded as they come, and answered in their order: each when its
 * frames are on disk. If they cannot be stored, there is no answer and the connection ends, so that the tracker sends them again.
 */
export class TrackerConnection {
  readonly #deps: ConnectionDeps;
  readonly #stream: MessageStream;
  #session: unknown;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #isWorking = false;
  #working: Promise<void> = Promise.resolve();
  #isClosed = false;
  #bytesBeforeLogin = 0;
  /** Under which it logged in, as it was sent. */
  #identity: string | null = null;
  device: TrackerDevice | null = null;
  lastHeardAt: number;

  constructor(deps: ConnectionDeps) {
    this.#deps = deps;
    this.#stream = new MessageStream(deps.family);
    this.#session = deps.family.begin();
    this.lastHeardAt = deps.now();
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Resolves when it owes no answer to what has come so far. */
  get idle(): Promise<void> {
    return this.#working;
  }

  /** Whether it owes no answer. */
  get isIdle(): boolean {
    return !this.#isWorking && this.#waiting.length === 0;
  }

  /** `isAll`: it is a datagram, and nothing will follow. */
  receive(bytes: Uint8Array, isAll = false): void {
    if (this.#isClosed) return;
    const { counts } = this.#deps;
    const receivedAt = this.#deps.now();
    this.lastHeardAt = receivedAt;
    if (this.device === null) this.#bytesBeforeLogin += bytes.length;
    else this.#deps.onHeard(this);
    const noiseBefore = this.#stream.noiseBytes;
    for (const message of this.#stream.push(bytes)) this.#decode(message, receivedAt);
    if (isAll && this.#stream.heldBytes > 0) this.#decode(this.#stream.takeRest(), receivedAt);
    counts.noise_bytes += this.#stream.noiseBytes - noiseBefore;
    if (this.#stream.noiseBytes > limits.noiseBytes) {
      this.refuse("noise");
      return;
    }
    if (this.#bytesBeforeLogin > limits.bytesBeforeLogin && this.isIdle) {
      this.refuse("no_login");
      return;
    }
    if (!this.#isWorking) this.#working = this.#work();
  }

  #decode(message: Uint8Array, receivedAt: number): void {
    if (this.#isClosed) return;
    const { family, counts } = this.#deps;
    const session = this.#session;
    // A copy: the message is a part of what the socket read, and waits.
    const bytes = message.slice();
    try {
      const decoded = family.decode(bytes, session, receivedAt);
      this.#waiting.push({ bytes, session, receivedAt, decoded });
      this.#session = decoded.session;
      countReading(counts, decoded);
    } catch (cause) {
      // No decoder should throw. One that does must not end the others' connections.
      this.#deps.onFailure(cause);
      this.end();
      return;
    }
    this.#waitingBytes += bytes.length;
    counts.messages++;
  }

  /** Ends it. Nothing more is answered. */
  refuse(reason: RefusedReason, identity: string | null = this.#identity): void {
    if (this.#isClosed) return;
    this.#deps.onRefused(reason, identity);
    this.end();
  }

  end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#withhold(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#deps.close();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    try {
      while (this.#waiting.length > 0 && !this.#isClosed) {
        const device = this.device ?? (await this.#login());
        if (device !== null && !this.#isClosed) await this.#storeNext(device);
      }
    } catch (cause) {
      // The tracker has no answer, so it sends again.
      this.#deps.onFailure(cause);
      this.end();
    } finally {
      this.#isWorking = false;
    }
  }

  /** By the first message that says who sends. Null: this message says nothing, or the tracker was refused. */
  async #login(): Promise<TrackerDevice | null> {
    const [first] = this.#waiting;
    if (first === undefined) return null;
    const { identity, refusal } = first.decoded;
    if (identity === undefined) {
      this.#take(1);
      // It may be a heartbeat that overtook the login. It is not answered, and the bytes before the login are limited.
      if (first.decoded.frames.length > 0 || first.decoded.reply !== null) this.#deps.counts.refused.not_logged_in++;
      if (this.#bytesBeforeLogin > limits.bytesBeforeLogin) this.refuse("no_login");
      return null;
    }
    const found = await this.#deps.find(identity.value);
    if (typeof found === "string") {
      if (refusal !== undefined) this.#deps.send(refusal);
      this.refuse(found, identity.value);
      return null;
    }
    this.#identity = identity.value;
    this.device = found;
    this.#deps.onLogin(found, this);
    return found;
  }

  /** Stores the frames of as many messages as go into one transaction, then answers them in their order. */
  async #storeNext(device: TrackerDevice): Promise<void> {
    const { counts } = this.#deps;
    const frames: IncomingFrame[] = [];
    let count = 0;
    for (const { decoded, receivedAt } of this.#waiting) {
      if (decoded.identity !== undefined && decoded.identity.value !== this.#identity) break;
      if (count > 0 && frames.length + decoded.frames.length > limits.framesAtOnce) break;
      for (const frame of decoded.frames) {
        // Heartbeats have no time, so decoders give them ours. The time of a tracker is not the same to the millisecond.
        const isTimedByReceipt = frame.recordedAt === receivedAt;
        frames.push({ ...frame, imei: device.imei, receivedAt, isTimedByReceipt });
      }
      count++;
    }
    if (count === 0) {
      const other = this.#take(1)[0];
      if (other !== undefined) this.#deps.log(device, other, "other_identity");
      this.refuse("other_identity", other?.decoded.identity?.value ?? null);
      return;
    }
    const messages = this.#take(count);
    try {
      const outcomes = frames.length === 0 ? [] : await this.#deps.store(device.accountId, frames);
      const gone = outcomes.find((outcome) => typeof outcome !== "string");
      // The device was removed, or is another account's now: who it is must be asked again.
      if (gone !== undefined) {
        for (const message of messages) this.#deps.log(device, message, "not_stored");
        this.#withhold(messages);
        this.refuse("unknown");
        return;
      }
    } catch (cause) {
      this.#withhold(messages);
      for (const message of messages) this.#deps.log(device, message, "not_stored");
      throw cause;
    }
    counts.frames += frames.length;
    for (const message of messages) {
      if (message.decoded.reply !== null && !this.#isClosed) this.#deps.send(message.decoded.reply);
      this.#deps.log(device, message, "stored");
    }
  }

  #take(count: number): readonly Waiting[] {
    const taken = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    for (const { bytes } of taken) this.#waitingBytes -= bytes.length;
    return taken;
  }

  #withhold(messages: readonly Waiting[]): void {
    for (const { decoded } of messages) if (decoded.reply !== null) this.#deps.counts.replies_withheld++;
  }
}

function countReading(counts: FamilyCounts, { problem, leftOut, unread }: DecodedMessage<unknown>): void {
  if (problem !== null) counts.undecodable[problem.kind] = (counts.undecodable[problem.kind] ?? 0) + 1;
  counts.fields_left_out += leftOut.length;
  counts.parts_unread += unread.length;
}
