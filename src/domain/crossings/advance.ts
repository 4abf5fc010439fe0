import type { FenceInForce } from "../device-context.ts";
import type { CrossingFact } from "../facts.ts";
import type { Place } from "../geometry/distance.ts";
import { mayMeet, signedDistanceMetres } from "../geometry/fence-area.ts";
import { passage, placeBetween } from "../geometry/passage.ts";
import type { Leg } from "../sighting.ts";
import { joinedLists, noFacts } from "../step.ts";
import { bufferMetres, isBeyond } from "./buffer.ts";
import { type EventType, type FenceRecord, type FenceStep, outside, worthStoring } from "./fence-record.ts";
import { candidateOn, eventsThrough, momentOn, strayedOn } from "./moments.ts";
import { settle } from "./settle.ts";

/** How the vehicle came to the end of a leg. */
export interface Manner {
  /** Where it stands; null if it drives. */
  readonly stop: Place | null;
  /** Whether it may have driven through a fence between the leg's ends. */
  readonly mayPass: boolean;
}

/** What is known of a fence after one more leg. While the vehicle stands, a frame can only confirm a candidate. */
export function advanceFence(record: FenceRecord | null, fence: FenceInForce, leg: Leg, manner: Manner): FenceStep {
  if (record === null && !mayMeet(fence.area.extent, leg.to, leg.to)) {
    return { record: null, events: manner.mayPass ? passageEvents(null, fence, leg) : noFacts };
  }
  const before = record ?? { fenceId: fence.id, ...outside };
  const settled = settle(before, fence, leg, manner.stop);
  const isVisitOver = before.candidate !== null && !before.isInside && !settled.record.isInside;
  const isPending = settled.record.candidate !== null;
  const { record: after, events } = isVisitOver || isPending ? settled : look(settled, fence, leg, manner);
  return { record: after === record ? record : worthStoring(after), events };
}

/** Looks whether the leg leads to the other side, with nothing pending from before. */
function look(
  { record, events }: FenceStep<FenceRecord>,
  fence: FenceInForce,
  leg: Leg,
  { stop, mayPass }: Manner,
): FenceStep<FenceRecord> {
  const { isInside } = record;
  const { area } = fence;
  const metres = signedDistanceMetres(area, leg.to);
  const hasStrayed = isInside ? metres > 0 : metres <= 0;
  const strayed = hasStrayed ? (record.strayed ?? strayedOn(area, leg)) : null;
  const isReason = stop === null && isBeyond(isInside, metres, area, leg.to);
  const candidate = isReason && strayed !== null ? candidateOn(strayed, leg) : null;
  const mayHavePassed = !isInside && !hasStrayed && mayPass;
  const passed = mayHavePassed ? passageEvents(record.lastReported, fence, leg) : noFacts;
  const lastReported = passed.length > 0 ? null : record.lastReported;
  const isSame = strayed === record.strayed && candidate === record.candidate && lastReported === record.lastReported;
  return {
    record: isSame ? record : { ...record, lastReported, strayed, candidate },
    events: joinedLists(events, passed),
  };
}

/** Over a longer leg nobody knows whether the vehicle drove straight through. */
const longestMs = 300_000;
/** Enter and exit must not share a millisecond. */
const minMs = 2;

/** Whether a leg is checked for fences it went through between its ends. */
export function mayPassUnseen({ ms }: Leg): boolean {
  return ms >= minMs && ms <= longestMs;
}

/** The events of a fence that a leg went through with both ends outside. After an enter, only the exit is reported. */
function passageEvents(lastReported: EventType | null, fence: FenceInForce, leg: Leg): readonly CrossingFact[] {
  if (!mayPassUnseen(leg)) return noFacts;
  const through = passage(fence.area, leg.from, leg.to);
  if (through === null || through.chordMetres < 2 * bufferMetres(fence.area, leg.to.accuracyM)) return noFacts;
  const enteredAt = Math.min(momentOn(leg, through.entry), leg.to.at - 1);
  const leftAt = Math.max(momentOn(leg, through.exit), enteredAt + 1);
  const { from, to } = leg;
  const edgeAt = (at: number, fraction: number) => ({ at, ...placeBetween(from, to, fraction), speedKmh: to.speedKmh });
  const seen = { interpolated: true, receivedAt: to.receivedAt, updatedAt: Math.max(from.receivedAt, to.receivedAt) };
  const [entry, exit] = [edgeAt(enteredAt, through.entry), edgeAt(leftAt, through.exit)];
  return eventsThrough(fence.id, lastReported, entry, exit, seen);
}
