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

/** The same for messages that have no time and hold when they come, such as heartbeats. They must never be sent again later. */
export function reportedNow(receivedAt: number, fields: ReadFields, events: readonly TrackerEvent[] = []): Reported {
  return reported(receivedAt, { ...fields, time_source: "receipt" }, events);
}

/**
 * For alarms that have neither a place nor a time (no field for it, or nothing in it), and for those that are known to be sent at
 * once, whatever their time is: a call for help must not be lost, so an alarm gets the time of its receipt. The same bytes are the
 * same alarm. A time that is sent and cannot be read is otherwise `no_time`, also of an alarm: the message may be an old one.
 */
export function untimedAlarm(fields: ReadFields, events: readonly TrackerEvent[], receivedAt: number): Reported {
  return events.length === 0 ? reported(null, fields) : reportedNow(receivedAt, { ...fields, mayRepeat: true }, events);
}
