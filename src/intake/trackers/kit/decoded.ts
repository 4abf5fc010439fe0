import type { TrackerEvent } from "./events.ts";
import type { DecodedMessage, DecodeProblem } from "./family.ts";
import { type ReadFields, type TrackerFrame, trackerFrames } from "./frame.ts";

type Rest<Session> = Partial<Omit<DecodedMessage<Session>, "what" | "session">>;

/** A message in which everything that is not named is empty. */
export function decoded<Session>(what: string, session: Session, rest: Rest<Session> = {}): DecodedMessage<Session> {
  return { what, session, frames: [], reply: null, problem: null, leftOut: [], unread: [], ...rest };
}

export function problemOf(kind: DecodeProblem["kind"], detail: string): DecodeProblem {
  return { kind, detail };
}

interface Reported {
  readonly frames: readonly TrackerFrame[];
  readonly problem: DecodeProblem | null;
  readonly leftOut: readonly string[];
}

/** The frames of a report, or that there are none for want of a time. */
export function reported(
  recordedAt: number | null,
  fields: ReadFields,
  events: readonly TrackerEvent[] = [],
): Reported {
  const leftOut: string[] = [];
  if (recordedAt === null) return { frames: [], problem: problemOf("no_time", "no time that can be read"), leftOut };
  return { frames: trackerFrames(recordedAt, fields, events, leftOut), problem: null, leftOut };
}

/**
 * For messages that trackers send only because of an alarm: without a time it is that of its receipt. They send alarms at once, and
 * somebody who calls for help must not be lost for want of a clock.
 */
export function reportedAlarm(
  recordedAt: number | null,
  fields: ReadFields,
  events: readonly TrackerEvent[],
  receivedAt: number,
): Reported {
  return reported(recordedAt ?? (events.length > 0 ? receivedAt : null), fields, events);
}
