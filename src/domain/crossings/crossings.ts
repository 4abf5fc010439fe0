import type { DeviceFences, FenceInForce } from "../device-context.ts";
import type { Fact } from "../facts.ts";
import { metresBetween, type Place } from "../geometry/distance.ts";
import { contains } from "../geometry/fence-area.ts";
import type { Fix, Leg, Sighting } from "../sighting.ts";
import { advance, concludeBefore } from "./advance.ts";
import type { FenceRecord } from "./fence-record.ts";
import { isNews, leave, settle } from "./silent.ts";
import { mayPassUnseen } from "./unseen-passage.ts";

/** What is known of a device and its fences. The device is outside of all fences that it does not mention. */
export interface CrossingState {
  /** In ascending order of the fence's id. */
  readonly records: readonly FenceRecord[];
  /** Where the vehicle stood stopped at the last valid frame. */
  readonly stop: Place | null;
}

export const initialCrossings: CrossingState = { records: [], stop: null };

/** A parked vehicle's fix drifts no farther than this; within it, it is the same stop, and nothing changes. */
const standingMetres = 100;

/** Fences so near to a way that rounding might count are looked at, too. */
const marginMetres = 1;

/** One frame, as all fences see it. */
interface Glance {
  readonly fix: Fix;
  /** Null if it does not follow from the frame before: then all fences are settled anew, silently. */
  readonly leg: Leg | null;
  readonly previousAt: number | null;
  readonly isStanding: boolean;
  /** Where a fence is settled: at the stop, since the fix drifts around it. */
  readonly place: Place;
}

/**
 * Takes a frame past the fences that are in force at its time. `stop` is where the vehicle stands stopped, null while it
 * is on a trip. The frame with which it comes to a stop counts as one on the way: it says on which side the stop is.
 *
 * Of two frames of one moment only the first counts, since nothing can happen between them.
 */
export function stepCrossings(
  state: CrossingState,
  { fix, leg, previous }: Sighting,
  stop: Place | null,
  fences: DeviceFences,
  facts: Fact[],
): CrossingState {
  if (fix === null || leg?.ms === 0) return state;
  const isSameStop = stop !== null && state.stop !== null && isWithin(stop, state.stop);
  const isStanding = isSameStop && isWithin(stop, fix);
  const place = isStanding ? stop : fix;
  const glance: Glance = { fix, leg, previousAt: previous?.at ?? null, isStanding, place };

  const wayFrom = leg !== null && !isStanding && mayPassUnseen(leg) ? leg.from : place;
  const near = inOrder(fences.near(fix.at, wayFrom, fix, marginMetres));
  const records = stepRecords(state.records, near, glance, fences, facts);
  const stopNow = isSameStop ? state.stop : stop && { latitude: stop.latitude, longitude: stop.longitude };
  return records === state.records && stopNow === state.stop ? state : { records, stop: stopNow };
}

/** The ids of the fences that the device is inside of, in ascending order. */
export function fencesInside({ records }: CrossingState): readonly string[] {
  return records.length === 0 ? [] : records.filter(({ isInside }) => isInside).map(({ fenceId }) => fenceId);
}

/** Later than every version of a fence. */
const now = Number.MAX_SAFE_INTEGER;

/**
 * The ids of the fences that a device is to show itself inside of, in ascending order: what the rules found, of the fences
 * that are now as its live position, the last valid frame, met them. A fence that was edited since, or that the device was
 * assigned to since, holds that place or does not: the next frame will find that as silently. So editing a fence changes
 * what is shown at once, and changes nothing of what the rules remember.
 */
export function fencesShown(
  state: CrossingState,
  live: Place & { readonly at: number },
  fences: DeviceFences,
): readonly string[] {
  const inside = fencesInside(state);
  if (fences.unchangedSince <= live.at) return inside;
  const shown = inside.filter((id) => {
    const fence = fences.find(id, now);
    return fence !== null && !isNews(fence, live.at);
  });
  for (const fence of fences.near(now, live, live, marginMetres)) {
    if (isNews(fence, live.at) && contains(fence.area, live)) shown.push(fence.id);
  }
  return shown.sort();
}

/** Goes through the fences that are remembered and those that are near, both in the order of their ids. */
function stepRecords(
  records: readonly FenceRecord[],
  near: readonly FenceInForce[],
  glance: Glance,
  fences: DeviceFences,
  facts: Fact[],
): readonly FenceRecord[] {
  if (records.length === 0 && near.length === 0) return records;
  const after: FenceRecord[] = [];
  let isSame = true;
  let nextNear = 0;
  for (const record of records) {
    for (; nextNear < near.length; nextNear++) {
      const fence = near[nextNear] as FenceInForce;
      if (fence.id >= record.fenceId) break;
      isSame = !push(after, stepFence(null, fence, glance, fences, facts)) && isSame;
    }
    const fence = near[nextNear]?.id === record.fenceId ? near[nextNear++] : fences.find(record.fenceId, glance.fix.at);
    const stepped = stepFence(record, fence ?? null, glance, fences, facts);
    push(after, stepped);
    isSame = stepped === record && isSame;
  }
  for (; nextNear < near.length; nextNear++) {
    isSame = !push(after, stepFence(null, near[nextNear] ?? null, glance, fences, facts)) && isSame;
  }
  return isSame ? records : after;
}

function stepFence(
  record: FenceRecord | null,
  fence: FenceInForce | null,
  { leg, previousAt, isStanding, place }: Glance,
  fences: DeviceFences,
  facts: Fact[],
): FenceRecord | null {
  const isKnown = leg !== null && fence !== null && !isNews(fence, previousAt);
  if (isKnown) return advance(record, fence, leg, isStanding, facts);

  const before = record?.candidate && leg && fences.find(record.fenceId, leg.from.at);
  const resolved = record && leg && before ? concludeBefore(record, before, leg, isStanding, facts) : record;
  if (fence === null) return resolved && leave(resolved);
  return settle(resolved, fence, place, previousAt, leg === null);
}

function push(records: FenceRecord[], record: FenceRecord | null): boolean {
  if (record === null) return false;
  records.push(record);
  return true;
}

function isWithin(one: Place, other: Place): boolean {
  if (one.latitude === other.latitude && one.longitude === other.longitude) return true;
  return metresBetween(one, other) <= standingMetres;
}

function inOrder(fences: readonly FenceInForce[]): readonly FenceInForce[] {
  if (fences.length < 2) return fences;
  return fences.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}
