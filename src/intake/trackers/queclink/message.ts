import { textOf } from "../kit/bytes.ts";
import type { TrackerIdentity } from "../kit/family.ts";
import { utcTime } from "../kit/values.ts";

/** A text message, taken apart. What all have in common is named; `columns` are what lies between. */
export interface TrackMessage {
  readonly kind: "RESP" | "BUFF" | "ACK" | "NACK";
  /** Three letters: FRI, IGN … */
  readonly type: string;
  /** Model (2 or 6 hex digits) and version of the protocol; empty in the oldest form. */
  readonly version: string;
  readonly identity: TrackerIdentity;
  /** From the device's name up to the time of sending, without it. */
  readonly columns: readonly string[];
  /** The device's local time as it stands, in ms as if it were UTC. Null: not sent. */
  readonly sentAt: number | null;
  /** Four hex digits that the acknowledgement repeats. Null: the end of the message is missing. */
  readonly count: string | null;
}

const start = /^\+(RESP|BUFF|ACK|NACK):GT([A-Z0-9]{3}),/;
const imei = /^\d{15}$/;
/** Trackers for CDMA networks have a MEID instead. */
const meid = /^[0-9A-F]{14}$/i;
const fourHexDigits = /^[0-9A-F]{4}$/i;

/** Null for what is no text message, or does not name its sender. */
export function readMessage(bytes: Uint8Array): TrackMessage | null {
  const text = textOf(bytes).replace(/^[\r\n]+|[$\0]$/g, "");
  const match = start.exec(text);
  if (match === null) return null;
  const all = text.split(",");
  // The oldest trackers (GL100, GT300) have no version before the identity, and some have it after the count.
  const isOldest = identityOf(all[1]) !== null;
  const identity = identityOf(isOldest ? all[1] : all[2]);
  if (identity === null) return null;
  if (isOldest && !fourHexDigits.test(all.at(-1) ?? "") && fourHexDigits.test(all.at(-2) ?? "")) all.pop();
  const columnsAt = isOldest ? 2 : 3;
  const isWhole =
    all.length > columnsAt + 2 && fourHexDigits.test(all.at(-1) ?? "") && /^(\d{14})?$/.test(all.at(-2) ?? "");
  const columns = all.slice(columnsAt, isWhole ? -2 : undefined);
  return {
    kind: match[1] as TrackMessage["kind"],
    type: match[2] ?? "",
    version: isOldest ? "" : (all[1] ?? ""),
    identity,
    columns,
    sentAt: isWhole ? queclinkTime(all.at(-2)) : null,
    count: isWhole ? (all.at(-1) ?? null) : null,
  };
}

function identityOf(text = ""): TrackerIdentity | null {
  if (imei.test(text)) return { kind: "imei", value: text };
  return meid.test(text) ? { kind: "tracker_id", value: text.toUpperCase() } : null;
}

/** `YYYYMMDDHHMMSS` */
export function queclinkTime(text = ""): number | null {
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text);
  return match === null || Number(match[1]) < 2000 ? null : utcTime(match.slice(1).map(Number));
}

/** A number as it is written in decimal digits; null for an empty or another column. */
export function queclinkNumber(text = ""): number | null {
  return /^-?\d{1,10}(\.\d{1,10})?$/.test(text) ? Number(text) : null;
}

/** A number in hex digits. */
export function hexNumberOf(text = ""): number | null {
  return /^[0-9A-F]{1,8}$/i.test(text) ? Number.parseInt(text, 16) : null;
}
