import type { FenceInForce } from "../device-context.ts";
import type { Place } from "../geometry/distance.ts";
import { contains } from "../geometry/fence-area.ts";
import { type EventType, type FenceRecord, outside } from "./fence-record.ts";

/** Whether the fence or its assignment is newer than the last frame: then no crossing was driven. */
export function isNewerThanLastFrame(fence: FenceInForce, previousAt: number | null): boolean {
  return previousAt === null || fence.versionFrom > previousAt || fence.assignedFrom > previousAt;
}

/**
 * Finds on which side of a fence the device is, without an event: at first, after a discontinuity, after an edit.
 *
 * Reported enters and exits must still alternate, so the next event is left out if it would repeat the last one. Nothing
 * is remembered of a fence that the device was outside of, so we do not know whether an exit was reported. We assume that
 * one was, and leave out the next exit, unless the device has only now been assigned to the fence for the first time.
 */
export function findSide(
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
export function leave(record: FenceRecord): FenceRecord | null {
  const { fenceId, isInside, lastReported, strayed, candidate } = record;
  if (lastReported !== "enter") return null;
  if (!isInside && strayed === null && candidate === null) return record;
  return { fenceId, ...outside, lastReported };
}
