import type { FenceInForce } from "../device-context.ts";
import type { CrossingFact } from "../facts.ts";
import { passage } from "../geometry/passage.ts";
import { placeBetween } from "../geometry/way.ts";
import type { Leg } from "../sighting.ts";
import { noFacts } from "../step.ts";
import { bufferMetres } from "./buffer.ts";
import type { EventType } from "./fence-record.ts";
import { momentOn } from "./moments.ts";

/** Over a longer leg nobody knows whether the vehicle drove straight through. */
const longestMs = 300_000;
/** Enter and exit must not share a millisecond. */
const minMs = 2;

/** Whether a leg is checked for fences it went through between its ends. */
export function mayPassUnseen({ ms }: Leg): boolean {
  return ms >= minMs && ms <= longestMs;
}

/**
 * The events of a fence that a leg went through though both its ends are outside; none if it did not. If the last event
 * reported is an enter, only the exit is reported.
 */
export function passageEvents(lastReported: EventType | null, fence: FenceInForce, leg: Leg): readonly CrossingFact[] {
  if (!mayPassUnseen(leg)) return noFacts;
  const through = passage(fence.area, leg.from, leg.to);
  if (through === null || through.chordMetres < 2 * bufferMetres(fence.area, leg.to.accuracyM)) return noFacts;
  const enteredAt = Math.min(momentOn(leg, through.entry), leg.to.at - 1);
  const leftAt = Math.max(momentOn(leg, through.exit), enteredAt + 1);
  const exit = passageEvent(fence, leg, "exit", through.exit, leftAt, leftAt - enteredAt);
  return lastReported === "enter" ? [exit] : [passageEvent(fence, leg, "enter", through.entry, enteredAt, null), exit];
}

function passageEvent(
  { id }: FenceInForce,
  { from, to }: Leg,
  eventType: EventType,
  fraction: number,
  occurredAt: number,
  dwellMs: number | null,
): CrossingFact {
  const { latitude, longitude } = placeBetween(from, to, fraction);
  const { receivedAt } = to;
  return {
    kind: "crossing",
    fenceId: id,
    eventType,
    occurredAt,
    latitude,
    longitude,
    speedKmh: to.speedKmh,
    interpolated: true,
    timeUncertaintyMs: 0,
    dwellMs,
    receivedAt,
    updatedAt: Math.max(from.receivedAt, receivedAt),
  };
}
