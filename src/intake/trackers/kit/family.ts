import type { TrackerFrame } from "./frame.ts";
import type { Seen } from "./seen.ts";

/** What the framer finds at the start of the bytes that have come so far. Lengths are in bytes. */
export type Cut =
  /** A whole message. */
  | { readonly kind: "message"; readonly length: number }
  /** The beginning of a message: the rest has not come yet. */
  | { readonly kind: "incomplete" }
  /** No message starts within this length (at least 1): it is skipped, and counted. */
  | { readonly kind: "noise"; readonly length: number };

/** How a tracker calls itself: its IMEI, or what the protocol has instead, which is the `tracker_id` of a device. */
export interface TrackerIdentity {
  readonly kind: "imei" | "tracker_id";
  readonly value: string;
}

/** Why a message, or a part of it, could not be read. The kinds are labels of a metric, so there are only these. */
export interface DecodeProblem {
  readonly kind: /** The checksum does not fit the bytes. */
    | "checksum"
    /** Whole and right, but of a number or name that we do not know. */
    | "unknown_message"
    /** Shorter or longer than its kind allows, or a value that cannot be. */
    | "malformed"
    /** No time that can be read, so no frame. It is answered as handled, or the tracker would send it for ever. */
    | "no_time"
    /** A part of a message whose other parts did not come. */
    | "missing_part";
  /** For the owner, who sees it beside the bytes: plain words, such as "message 0x9b" or "the checksum is 3f21, not 9a02". */
  readonly detail: string;
}

/**
 * What a message says. A decoder makes it and does nothing else: it reads no clock, remembers nothing, and never throws, whatever
 * the bytes are.
 */
export interface DecodedMessage<Session> {
  /** What kind of message it is, for the owner: "login", "location 0x22", "heartbeat". */
  readonly what: string;
  /** Who sent it, if the message says so. Else it belongs to the tracker that logged in on this connection. */
  readonly identity?: TrackerIdentity;
  /** In the order of the message. */
  readonly frames: readonly TrackerFrame[];
  /** What the protocol wants as an answer, sent once the frames are on disk; null: no answer. */
  readonly reply: Uint8Array | null;
  /** The state of the connection after this message. */
  readonly session: Session;
  readonly problem: DecodeProblem | null;
  /** Fields whose value was out of bounds: left out, while the frame stays. */
  readonly leftOut: readonly string[];
  /** Parts of the message that have no meaning for us, by the protocol's own names: "item 0x64", "io 389". */
  readonly unread: readonly string[];
}

export type Transport = "tcp" | "udp";

/** A family of trackers that speak one protocol. All of it is pure: bytes in, meaning out. The sockets are in `sockets/`. */
export interface TrackerFamily<Session = unknown> {
  /** As in `--trackers` and `tracker_protocol`. */
  readonly name: string;
  /** The port that people know from other gateways. */
  readonly port: number;
  readonly transports: readonly Transport[];
  /** A longer message is noise. It bounds what a connection can hold. */
  readonly maxMessageBytes: number;
  /** What ends a message, if that may be missing at the end of a datagram: there it is added. */
  readonly lineEnd?: Uint8Array;
  /**
   * Looks at the start of `bytes`, which are not empty. Must answer something other than `incomplete` from `maxMessageBytes` on.
   * The work must grow with the bytes and not faster, whatever they are: what it has searched, it remembers in `seen`.
   */
  cut(bytes: Uint8Array, seen?: Seen): Cut;
  /** The state of a new connection, or of a datagram. Some protocols want answers over UDP only. Left out: over TCP. */
  begin(over?: Transport): Session;
  /**
   * For families of which messages of some models can be told from others only by the model: the session of a tracker whose device
   * has this `tracker_model`, as its owner wrote it. Called when the device is known; the message that said who it is, is decoded
   * again with that.
   */
  ofModel?(session: Session, model: string | null): Session;
  /** `message` is what `cut` found. `receivedAt`: in ms since 1970, for protocols that send a time without its date. */
  decode(message: Uint8Array, session: Session, receivedAt: number): DecodedMessage<Session>;
}
