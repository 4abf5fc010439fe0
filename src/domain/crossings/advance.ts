import type { FenceInForce } from "../device-context.ts";
import type { Place } from "../geometry/distance.ts";
import { mayMeet } from "../geometry/extent.ts";
import { signedDistanceMetres } from "../geometry/fence-area.ts";
import type { Leg } from "../sighting.ts";
import { joined, noFacts } from "../step.ts";
import { isBeyond } from "./buffer.ts";
import { type FenceRecord, outside, worthStoring } from "./fence-record.ts";
import type { FenceStep } from "./fence-step.ts";
import { candidateOn, strayedOn } from "./moments.ts";
import { settle } from "./settle.ts";
import { passageEvents } from "./unseen-passage.ts";

/** How the vehicle came to the end of a leg. */
export interface Manner {
  /** Where it stands; null if it drives. */
  readonly stop: Place | null;
  /** Whether it may have driven through a fence between the leg's ends. */
  readonly mayPass: boolean;
}

/**
 * What is known of a fence after one more leg. While the vehicle stands, a frame is no reason for an event; it can only
 * confirm the candidate before it.
 */
export function advance(record: FenceRecord | null, fence: FenceInForce, leg: Leg, manner: Manner): FenceStep {
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
  return { record: isSame ? record : { ...record, lastReported, strayed, candidate }, events: joined(events, passed) };
}
