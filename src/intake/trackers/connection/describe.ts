import { formatInstant } from "../../../domain/time/time.ts";

import type { TrackerFrame } from "../kit/frame.ts";
import type { LoggedMessage, MessageLog } from "./message-log.ts";

/** A message as its owner sees it. */
export interface ShownMessage {
  readonly protocol: string;
  /** As hex; of a very long message only the beginning. */
  readonly bytes: string;
  readonly length: number;
  /** What kind of message it is. */
  readonly what: string;
  readonly identity: string | null;
  /** What it reports, in the names of our own frames, without fields that it does not have. */
  readonly frames: readonly Readonly<Record<string, unknown>>[];
  /** Why it could not be read, or not all of it. */
  readonly problem: string | null;
  readonly left_out: readonly string[];
  readonly unread: readonly string[];
  /** As hex. Null: it has none. */
  readonly reply: string | null;
  readonly outcome: LoggedMessage["outcome"];
}

/** A device of which messages after a number are wanted. */
export interface WantedMessages {
  readonly imei: string;
  readonly accountId: number;
  readonly after: number;
}

export interface NumberedMessage {
  readonly imei: string;
  readonly number: number;
  readonly receivedAt: number;
  /** A `ShownMessage`, as JSON. */
  readonly json: string;
}

/** The messages of each device, the oldest first. */
export type ShowMessages = (wanted: readonly WantedMessages[]) => Promise<readonly NumberedMessage[]>;

export function messagesIn(log: MessageLog): ShowMessages {
  return async (wanted) =>
    wanted.flatMap(({ imei, accountId, after }) => {
      // A device may have had another owner.
      const own = log.of(imei, after).filter((message) => message.accountId === accountId);
      return own.map((message) => {
        const { number, receivedAt } = message;
        return { imei, number, receivedAt, json: JSON.stringify(shownMessage(message)) };
      });
    });
}

function shownMessage({ family, bytes, length, session, receivedAt, outcome }: LoggedMessage): ShownMessage {
  const decoded = family.decode(bytes, session, receivedAt);
  const isWhole = bytes.length === length;
  return {
    protocol: family.name,
    bytes: bytes.toHex(),
    length,
    what: decoded.what,
    identity: decoded.identity?.value ?? null,
    frames: decoded.frames.map(shownFrame),
    problem: isWhole ? (decoded.problem?.detail ?? null) : "only the beginning is kept",
    left_out: decoded.leftOut,
    unread: decoded.unread,
    reply: outcome === "stored" && decoded.reply !== null ? decoded.reply.toHex() : null,
    outcome,
  };
}

function shownFrame({ recordedAt, mayRepeat: _, ...fields }: TrackerFrame): Readonly<Record<string, unknown>> {
  const isSaid = (value: unknown) =>
    value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
  const said = Object.entries(fields).filter(([, value]) => isSaid(value));
  return { recorded_at: formatInstant(recordedAt), ...Object.fromEntries(said) };
}
