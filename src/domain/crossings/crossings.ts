import type { DeviceFences, FenceInForce } from "../device-context.ts";
import type { CrossingFact } from "../facts.ts";
import { isSamePlace, metresBetween, type Place } from "../geometry/distance.ts";
import { contains } from "../geometry/fence-area.ts";
import type { Fix, Leg, Sighting } from "../sighting.ts";
import { joinedLists, noFacts, onlyState, type Step } from "../step.ts";
import { advanceFence, type Manner, mayPassUnseen } from "./advance.ts";
import { driftMetres, standingMetres } from "./buffer.ts";
import { type EventType, type FenceRecord, type FenceStep, outside } from "./fence-record.ts";
import { endVisit, settleBeforeEdit } from "./settle.ts";

/** What is known of a device and its fences. The device is outside all fences without a record. */
export interface CrossingState {
  /** In ascending order of the fence's id. */
  readonly records: readonly FenceRecord[];
  /** Where the vehicle was stopped, as of the last valid frame. */
  readonly stop: Place | null;
}

export const initialCrossings: CrossingState = { records: [], stop: null };

/** Fences this near to a leg are checked, too, in case of rounding. */
const marginMetres = 1;

/** One frame, prepared once for all fences. */
interface FrameAtFences extends Manner {
  readonly fix: Fix;
  /** Null if it does not follow from the frame before: then each fence's side is found afresh, without an event. */
  readonly leg: Leg | null;
  readonly previousAt: number | null;
  /** Where the vehicle is taken to be. At a stop this is the stop, since the fix drifts around it. */
  readonly place: Place;
}

/**
 * Checks a frame against the fences in force at its time. `stop` is where the vehicle is stopped, null while it is on a
 * trip. The frame at which it stops still counts as driving: it shows on which side the stop is.
 *
 * Of two frames of one moment only the first counts, since nothing can happen between them.
 */
export function stepCrossings(
  state: CrossingState,
  { fix, leg, previous }: Sighting,
  stop: Place | null,
  fences: DeviceFences,
): Step<CrossingState, CrossingFact> {
  if (fix === null || leg?.ms === 0) return onlyState(state);
  const isSameStop = stop !== null && state.stop !== null && isWithin(standingMetres, stop, state.stop);
  const isStanding = isSameStop && isWithin(standingMetres, stop, fix);
  const mayPass = leg !== null && mayPassUnseen(leg) && !(isSameStop && isWithin(driftMetres, stop, fix));
  const place = isStanding ? stop : fix;
  const glance = { fix, leg, previousAt: previous?.at ?? null, stop: isStanding ? stop : null, mayPass, place };

  const wayFrom = mayPass ? leg.from : place;
  const near = inOrder(fences.near(fix.at, wayFrom, fix, marginMetres));
  const { state: records, facts } = stepRecords(state.records, near, glance, fences);
  const isSame = records === state.records && isSamePlace(stop, state.stop);
  const stopNow = stop && { latitude: stop.latitude, longitude: stop.longitude };
  return { state: isSame ? state : { records, stop: stopNow }, facts };
}

/** The ids of the fences that the device is inside of, in ascending order. */
export function fencesInside({ records }: CrossingState): readonly string[] {
  return records.length === 0 ? [] : records.filter(({ isInside }) => isInside).map(({ fenceId }) => fenceId);
}

/** Later than every version of a fence. */
const now = Number.MAX_SAFE_INTEGER;

/**
 * The ids of the fences that a device is shown inside of, in ascending order. For fences that have not changed since the
 * live position (the last valid frame), that is what the rules found. A fence that was edited since, or that the device
 * was assigned to since, is shown if it contains that position; the next frame will find the same, without an event. So
 * editing a fence changes what is shown at once, and changes nothing that the rules remember.
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
    return fence !== null && !isNewerThanLastFrame(fence, live.at);
  });
  for (const fence of fences.near(now, live, live, marginMetres)) {
    if (isNewerThanLastFrame(fence, live.at) && contains(fence.area, live)) shown.push(fence.id);
  }
  return shown.sort();
}

/** Goes through the fences that are remembered and those that are near, both in the order of their ids. */
function stepRecords(
  records: readonly FenceRecord[],
  near: readonly FenceInForce[],
  glance: FrameAtFences,
  fences: DeviceFences,
): Step<readonly FenceRecord[], CrossingFact> {
  if (records.length === 0 && near.length === 0) return onlyState(records);
  const after: FenceRecord[] = [];
  let events: readonly CrossingFact[] = noFacts;
  let isSame = true;
  for (let nextRecord = 0, nextNear = 0; nextRecord < records.length || nextNear < near.length; ) {
    const known = records[nextRecord];
    const close = near[nextNear];
    const isKnown = known !== undefined && (close === undefined || known.fenceId <= close.id);
    const isNear = close !== undefined && (known === undefined || close.id <= known.fenceId);
    if (isKnown) nextRecord++;
    if (isNear) nextNear++;
    const record = isKnown ? known : null;
    const fence = isNear ? close : record && fences.find(record.fenceId, glance.fix.at);
    const step = stepFence(record, fence, glance, fences);
    events = joinedLists(events, step.events);
    if (step.record !== null) after.push(step.record);
    isSame &&= step.record === record;
  }
  return { state: isSame ? records : after, facts: events };
}

function stepFence(
  record: FenceRecord | null,
  fence: FenceInForce | null,
  glance: FrameAtFences,
  fences: DeviceFences,
): FenceStep {
  const { fix, leg, previousAt, stop, place } = glance;
  const isKnown = leg !== null && fence !== null && !isNewerThanLastFrame(fence, previousAt);
  if (isKnown) return advanceFence(record, fence, leg, glance);

  const before = record?.candidate && previousAt !== null ? fences.find(record.fenceId, previousAt) : null;
  const concluded =
    record && before && (leg ? settleBeforeEdit(record, before, leg, stop) : endVisit(record, before, fix));
  const { record: resolved, events } = concluded ?? { record, events: noFacts };
  if (fence === null) return { record: resolved && leave(resolved), events };
  return { record: findSide(resolved, fence, place, previousAt, leg === null), events };
}

function isWithin(metres: number, one: Place, other: Place): boolean {
  return isSamePlace(one, other) || metresBetween(one, other) <= metres;
}

function inOrder(fences: readonly FenceInForce[]): readonly FenceInForce[] {
  if (fences.length < 2) return fences;
  return fences.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/** Whether the fence or its assignment is newer than the last frame: then no crossing was driven. */
function isNewerThanLastFrame(fence: FenceInForce, previousAt: number | null): boolean {
  return previousAt === null || fence.versionFrom > previousAt || fence.assignedFrom > previousAt;
}

/**
 * Finds on which side of a fence the device is, without an event: at first, after a discontinuity, after an edit.
 *
 * Reported enters and exits must still alternate, so the next event is left out if it would repeat the last one. Nothing
 * is remembered of a fence that the device was outside of, so we do not know whether an exit was reported. We assume that
 * one was, and leave out the next exit, unless the device has only now been assigned to the fence for the first time.
 */
function findSide(
  record: FenceRecord | null,
  fence: FenceInForce,
  place: Place,
  previousAt: number | null,
  isDiscontinuity: boolean,
): FenceRecord | null {
  const isInside = contains(fence.area, place);
  if (!isInside) return record && leave(record);
  const isFirst = previousAt === null || fence.firstAssignedFrom > previousAt;
  // An edit of the shape does not interrupt a stay; being carried or reassigned does.
  const hasStayed = !isDiscontinuity && previousAt !== null && fence.assignedFrom <= previousAt;
  const entered = hasStayed ? record : null;
  return {
    fenceId: fence.id,
    isInside,
    enteredAt: entered?.enteredAt ?? null,
    entryKnownAt: entered?.entryKnownAt ?? null,
    lastReported: lastReportedOf(record, isFirst),
    strayed: null,
    candidate: null,
    left: null,
  };
}

function lastReportedOf(record: FenceRecord | null, isFirst: boolean): EventType | null {
  if (record?.isInside) return record.lastReported;
  if (record?.lastReported === "enter") return "enter";
  return isFirst ? null : "exit";
}

/** The device is outside from now on, or not assigned any more, and no exit is reported. */
function leave(record: FenceRecord): FenceRecord | null {
  const { fenceId, isInside, lastReported, strayed, candidate } = record;
  if (lastReported !== "enter") return null;
  if (!isInside && strayed === null && candidate === null) return record;
  return { fenceId, ...outside, lastReported };
}
