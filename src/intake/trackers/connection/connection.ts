import type { FrameOutcome } from "../../../derive/plan.ts";
import type { IncomingFrame } from "../../incoming-frame.ts";
import type { FamilyCounts, RefusedReason } from "../counts.ts";
import type { TrackerOwner } from "../gate/directory.ts";
import type { DecodedMessage, TrackerFamily, Transport } from "../kit/family.ts";
import { MessageStream } from "../kit/stream.ts";
import { limits } from "../limits.ts";
import type { LoggedOutcome } from "./message-log.ts";
import { WorkTurns } from "./work-turns.ts";

/** What all connections of a family share. The listener gives it, a test gives its own. */
export interface TrackerHouse {
  readonly family: TrackerFamily;
  readonly over: Transport;
  readonly counts: FamilyCounts;
  readonly now: () => number;
  /** The device of this identity, or why there is none. Rejects if the store cannot be read. */
  readonly find: (
    identity: string,
    address: string,
  ) => Promise<TrackerOwner | RefusedReason> | TrackerOwner | RefusedReason;
  /** Resolves when the frames are on disk. */
  readonly store: (accountId: number, frames: readonly IncomingFrame[]) => Promise<readonly FrameOutcome[]>;
  readonly log: (device: TrackerOwner, message: ReceivedMessage, outcome: LoggedOutcome) => void;
  /** Of a device that was just found; null: none was. */
  readonly ownerOf: (identity: string) => TrackerOwner | null;
  readonly onLogin: (device: TrackerOwner, connection: TrackerConnection) => void;
  /** It is logged in, and has sent something. */
  readonly onHeard: (connection: TrackerConnection) => void;
  readonly onRefused: (reason: RefusedReason, identity: string | null) => void;
  readonly onFailure: (cause: unknown) => void;
}

/** The way back to a tracker. */
export interface TrackerLine {
  send(bytes: Uint8Array): void;
  /** Sends what waits to be sent, then ends. */
  end(): void;
}

/** A message with the state before it, so that it can be decoded again for its owner. */
export interface ReceivedMessage {
  readonly bytes: Uint8Array;
  readonly session: unknown;
  readonly receivedAt: number;
}

interface Decoded extends ReceivedMessage {
  readonly decoded: DecodedMessage<unknown>;
}

const turns = new WorkTurns(limits.bytesAtOnce);
/** A message costs something for itself, however short it is. */
const bytesForMessage = limits.bytesAtOnce / limits.messagesAtOnce;

/**
 * One tracker that is connected, or one datagram. Messages are answered in their order: each when its frames are on disk. If they
 * cannot be stored, there is no answer and the connection ends, so that the tracker sends them again. What came whole is stored also
 * if the tracker is gone by then: some send and hang up. Messages are decoded a few at a time, so that one peer cannot hold up the
 * others.
 */
export class TrackerConnection {
  readonly #house: TrackerHouse;
  readonly line: TrackerLine;
  readonly #address: string;
  readonly #stream: MessageStream;
  #session: unknown;
  /** Decoded and not yet stored. */
  #decoded: Decoded[] = [];
  #working: Promise<void> | null = null;
  #isClosed = false;
  #isFinished = false;
  #isDatagram = false;
  /** Bytes that it may look at before it must ask again. */
  #granted = 0;
  #bytesBeforeLogin = 0;
  /** Noise up to the last message that could be read, and what of it is in the counts. */
  #noiseBefore = 0;
  #noiseCounted = 0;
  /** Under which it logged in, as it was sent. */
  #identity: string | null = null;
  #judgedAt = 0;
  device: TrackerOwner | null = null;
  /** Whether it has said who it is: from then on it waits for us, however long the store takes. */
  isLookedUp = false;
  lastHeardAt: number;

  /** `address`: where it calls from. */
  constructor(house: TrackerHouse, line: TrackerLine, address: string) {
    this.#house = house;
    this.line = line;
    this.#address = address;
    this.#stream = new MessageStream(house.family);
    this.#session = house.family.begin(house.over);
    this.lastHeardAt = house.now();
  }

  /** What has come and is not yet stored, or is no whole message yet. */
  get waitingBytes(): number {
    return this.#stream.heldBytes + this.#decoded.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  /** Whether it owes no answer. */
  get isIdle(): boolean {
    return this.#working === null;
  }

  /** Resolves when it owes no answer to what has come so far. */
  get idle(): Promise<void> {
    return this.#working ?? Promise.resolve();
  }

  receive(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    this.lastHeardAt = this.#house.now();
    if (this.device !== null) this.#house.onHeard(this);
    this.#stream.add(bytes);
    this.#working ??= this.#work();
  }

  /** All there is. What is left behind its last message is one without its end mark. */
  receiveDatagram(bytes: Uint8Array): void {
    this.#isDatagram = true;
    this.#isFinished = true;
    if (bytes.length > limits.datagramBytes) this.refuse("too_large");
    else this.receive(bytes);
  }

  /** Nothing more will come: it ends when what came whole is stored and answered. */
  finish(): void {
    this.#isFinished = true;
    if (!this.#isClosed) this.#working ??= this.#work();
  }

  /** Ends it. Nothing more is answered. */
  refuse(reason: RefusedReason, identity: string | null = this.#identity): void {
    if (this.#isClosed) return;
    this.#house.onRefused(reason, identity);
    this.end();
  }

  end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#withhold(this.#decoded);
    this.#decoded = [];
    this.#stream.takeRest();
    this.line.end();
  }

  async #work(): Promise<void> {
    try {
      // It must not end before its caller knows that it has begun.
      await Promise.resolve();
      while (!this.#isClosed && (await this.#decodeSome())) {
        const device = this.device ?? (await this.#login());
        if (device === null || this.#isClosed) continue;
        if (this.#house.now() - this.#judgedAt > limits.judgeAgainMs && !(await this.#isStillAllowed())) break;
        await this.#storeNext(device);
      }
      if (this.#isFinished) this.end();
    } catch (cause) {
      // The tracker has no answer, so it sends again.
      this.#house.onFailure(cause);
      this.end();
    } finally {
      this.#working = null;
    }
  }

  /** Whether something is decoded now. Before the login one message at a time: it may be the last that is read. */
  async #decodeSome(): Promise<boolean> {
    const most = this.device === null ? 1 : limits.messagesAtOnce;
    let frames = this.#decoded.reduce((sum, { decoded }) => sum + decoded.frames.length, 0);
    while (this.#decoded.length < most && frames < limits.framesAtOnce && !this.#isClosed) {
      while (this.#granted <= 0 && this.#stream.heldBytes > 0) await this.#askForTurn();
      const taken = this.#stream.take() ?? (this.#isDatagram ? this.#stream.takeLast() : null);
      if (taken === null) break;
      this.#granted -= taken.length + (taken.message === null ? 0 : bytesForMessage);
      if (taken.message === null) this.#countNoise();
      else frames += this.#decode(taken.message);
    }
    return this.#decoded.length > 0;
  }

  #read(message: ReceivedMessage): Decoded {
    const decoded = this.#house.family.decode(message.bytes, message.session, message.receivedAt);
    const read = { ...message, decoded };
    this.#decoded.push(read);
    this.#session = decoded.session;
    return read;
  }

  #askForTurn(): Promise<void> | null {
    const bytes = Math.min(this.#stream.heldBytes + bytesForMessage, limits.bytesAtOnce);
    this.#granted += bytes;
    return turns.ask(bytes, this.#isDatagram ? "datagrams" : this.device === null ? "before_login" : "logged_in");
  }

  /** Says how many frames are in it. */
  #decode(message: Uint8Array): number {
    const { counts } = this.#house;
    // A copy: it is a part of a larger piece, and outlives it in the log.
    const { decoded } = this.#read({ bytes: message.slice(), session: this.#session, receivedAt: this.lastHeardAt });
    counts.messages++;
    countReading(counts, decoded);
    if (decoded.problem === null) this.#countNoise(true);
    return decoded.frames.length;
  }

  /** Only what comes without a message between counts as a peer that speaks something else. */
  #countNoise(isMessage = false): void {
    const { noiseBytes } = this.#stream;
    this.#house.counts.noise_bytes += noiseBytes - this.#noiseCounted;
    this.#noiseCounted = noiseBytes;
    if (isMessage) this.#noiseBefore = noiseBytes;
    if (noiseBytes - this.#noiseBefore > limits.noiseBytes) this.refuse("noise");
  }

  /** By the first message that says who sends. Null: this message says nothing, or the tracker was refused. */
  async #login(): Promise<TrackerOwner | null> {
    const [first] = this.#decoded;
    if (first === undefined) return null;
    const { identity } = first.decoded;
    if (identity === undefined) {
      this.#decoded = [];
      this.#bytesBeforeLogin += first.bytes.length;
      // It may be a heartbeat that overtook the login. It is not answered, and the bytes before the login are limited.
      if (first.decoded.frames.length > 0 || first.decoded.reply !== null) this.#house.counts.refused.not_logged_in++;
      if (this.#bytesBeforeLogin > limits.bytesBeforeLogin) this.refuse("no_login");
      return null;
    }
    this.isLookedUp = true;
    const found = await this.#house.find(identity.value, this.#address);
    if (typeof found === "string") {
      const owner = found === "other_protocol" ? this.#house.ownerOf(identity.value) : null;
      if (owner !== null) this.#house.log(owner, first, "other_protocol");
      // Without an answer: a stranger that tries out identities learns nothing.
      this.refuse(found, identity.value);
      return null;
    }
    this.#identity = identity.value;
    this.device = found;
    const session = this.#house.family.ofModel?.(first.session, found.model);
    if (session !== undefined) {
      this.#decoded = [];
      this.#read({ ...first, session });
    }
    this.#judgedAt = this.#house.now();
    this.#house.onLogin(found, this);
    return found;
  }

  /** A device may have been bound to another family meanwhile, or its account suspended, or the name given to another device. */
  async #isStillAllowed(): Promise<boolean> {
    const found = await this.#house.find(this.#identity ?? "", this.#address);
    this.#judgedAt = this.#house.now();
    if (typeof found === "string") {
      this.refuse(found);
      return false;
    }
    const isSame = found.accountId === this.device?.accountId && found.imei === this.device.imei;
    // It is no stranger: it logs in again, as the other device.
    if (!isSame) this.end();
    else if (found.model !== this.device?.model) {
      this.device = found;
      this.#session = this.#house.family.ofModel?.(this.#session, found.model) ?? this.#session;
    }
    return isSame;
  }

  /** Stores the frames of as many messages as go into one transaction, then answers them in their order. */
  async #storeNext(device: TrackerOwner): Promise<void> {
    const { counts } = this.#house;
    const frames: IncomingFrame[] = [];
    let count = 0;
    for (const { decoded, receivedAt, bytes } of this.#decoded) {
      if (decoded.identity !== undefined && decoded.identity.value !== this.#identity) break;
      if (count > 0 && frames.length + decoded.frames.length > limits.framesAtOnce) break;
      for (const { mayRepeat, ...frame } of decoded.frames) {
        const alarmBytes = mayRepeat ? hashOf(bytes) : undefined;
        frames.push({ ...frame, imei: device.imei, receivedAt, alarmBytes });
      }
      count++;
    }
    if (count === 0) {
      const [other] = this.#decoded;
      if (other !== undefined) this.#house.log(device, other, "other_identity");
      this.refuse("other_identity", other?.decoded.identity?.value ?? null);
      return;
    }
    const messages = this.#decoded.slice(0, count);
    try {
      const outcomes = frames.length === 0 ? [] : await this.#house.store(device.accountId, frames);
      // The device was removed, or is another account's now: who it is must be asked again.
      if (outcomes.some((outcome) => typeof outcome !== "string")) {
        for (const message of messages) this.#house.log(device, message, "not_stored");
        this.refuse("unknown");
        return;
      }
    } catch (cause) {
      for (const message of messages) this.#house.log(device, message, "not_stored");
      throw cause;
    }
    this.#decoded = this.#decoded.slice(count);
    counts.frames += frames.length;
    for (const message of messages) {
      if (message.decoded.reply !== null && !this.#isClosed) this.line.send(message.decoded.reply);
      this.#house.log(device, message, "stored");
    }
  }

  #withhold(messages: readonly Decoded[]): void {
    for (const { decoded } of messages) if (decoded.reply !== null) this.#house.counts.replies_withheld++;
  }
}

/** In 53 bits. */
function hashOf(bytes: Uint8Array): number {
  return Number(Bun.hash.xxHash64(bytes) >> 11n);
}

function countReading(counts: FamilyCounts, { problem, leftOut, unread }: DecodedMessage<unknown>): void {
  if (problem !== null) counts.undecodable[problem.kind] = (counts.undecodable[problem.kind] ?? 0) + 1;
  counts.fields_left_out += leftOut.length;
  counts.parts_unread += unread.length;
}
