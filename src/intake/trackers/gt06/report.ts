import type { SensorReport } from "../../../domain/frame.ts";
import type { ByteReader } from "../kit/bytes.ts";
import type { TrackerEvent } from "../kit/events.ts";
import type { ReadFields } from "../kit/frame.ts";
import type { Gt06Model } from "./tracker-model.ts";

/** What has been read of a message so far. It lives as long as one call of the decoder. */
export interface Gt06Report {
  readonly reader: ByteReader;
  readonly type: number;
  /** How far the tracker's clock is ahead of UTC, by its login. */
  readonly zoneMinutes: number;
  /** By the device. Null: none that needs to be known. */
  readonly model: Gt06Model | null;
  /** In ms since 1970. Undefined: the message has no time. Null: it has one that cannot be. */
  recordedAt: number | null | undefined;
  fields: { -readonly [Name in keyof ReadFields]: ReadFields[Name] };
  readonly sensors: SensorReport[];
  readonly events: TrackerEvent[];
  /** Parts that have no meaning for us, by the protocol's names. */
  readonly unread: string[];
  /** What kind of a message it is, if we know its number but not its kind. */
  unknown: string | null;
}

/** Reads the next part of a message into the report. */
export type Part = (report: Gt06Report) => void;

export function newReport(
  reader: ByteReader,
  type: number,
  { zoneMinutes, model }: Pick<Gt06Report, "zoneMinutes" | "model">,
): Gt06Report {
  return {
    reader,
    type,
    zoneMinutes,
    model,
    recordedAt: undefined,
    fields: {},
    sensors: [],
    events: [],
    unread: [],
    unknown: null,
  };
}

/** What became of a message. */
export interface ReadReport {
  readonly report: Gt06Report;
  readonly isWhole: boolean;
  readonly hasContent: boolean;
}

/**
 * Reads the parts in their order. If the message ends within one of them, that part does not count, since half of it would be
 * made up of zeros; what came before it counts.
 */
export function readParts(begin: () => Gt06Report, parts: readonly Part[]): ReadReport {
  for (let count = parts.length; ; count--) {
    const report = begin();
    const hasContent = report.reader.left > 0;
    for (const part of parts.slice(0, count)) part(report);
    if (report.reader.isShort) continue;
    const isWhole = count === parts.length;
    if (isWhole && report.reader.left > 0) addUnread(report, `${report.reader.left} more bytes`);
    return { report, isWhole, hasContent };
  }
}

export function addUnread(report: Gt06Report, name: string): void {
  report.unread.push(name);
}

/** Adds the event of a number, or names the number as unread. */
export function addEvent(report: Gt06Report, event: TrackerEvent | undefined, name: string): void {
  if (event === undefined) addUnread(report, name);
  else report.events.push(event);
}
