import { contains, type FenceArea, prepareFence } from "../../domain/geometry/fence-area.ts";
import type { FenceShape } from "../../domain/geometry/fence-shape.ts";
import { unbrokenSince, type Version } from "../../domain/versions.ts";
import type { Transaction } from "../../store/database.ts";
import { type LivePlace, livePlaces, saveContainment } from "../../store/frames/latest.ts";

/** A fence's shape and devices from some moment on. */
export interface FenceContent {
  readonly shape: FenceShape;
  readonly devices: ReadonlySet<number>;
}

/** A fence with all its versions, before a load and after it; each in ascending time. */
export interface FenceChange {
  readonly fenceId: string;
  readonly before: readonly Version<FenceContent>[];
  readonly after: readonly Version<FenceContent>[];
}

/**
 * Updates which fences devices are shown to be inside of, by the fences as they are now. Returns the devices for which
 * that changed. Without this, a vehicle that sends nothing would keep showing what its last frame found.
 *
 * For a version newer than the live position, the next frame will find the same, without an event (`fencesShown`). An
 * older version concerns frames that were derived already: they are derived again, and until then this is the best that
 * is known. There is no event.
 */
export async function updateContainment(
  tx: Transaction,
  accountId: number,
  changes: readonly FenceChange[],
): Promise<readonly number[]> {
  const edits = changes.map(editOf);
  const concerned = new Set(edits.flatMap(({ devices }) => devices));
  const moved: LivePlace[] = [];
  for (const live of await livePlaces(tx, accountId, concerned)) {
    const inside = new Set(live.inside);
    for (const edit of edits) {
      const answer = edit.answer(live);
      if (answer === true) inside.add(edit.fenceId);
      if (answer === false) inside.delete(edit.fenceId);
    }
    const now = [...inside].sort();
    if (now.join() !== live.inside.join()) moved.push({ ...live, inside: now });
  }
  await saveContainment(tx, accountId, moved);
  return moved.map(({ device }) => device);
}

interface Edit {
  readonly fenceId: string;
  readonly devices: readonly number[];
  /** Whether the place is inside; null if that has not changed. */
  answer(live: LivePlace): boolean | null;
}

function editOf({ fenceId, before, after }: FenceChange): Edit {
  const old = before.at(-1)?.content ?? null;
  const newest = after.at(-1)?.content;
  if (newest === undefined) throw new Error(`fence ${fenceId} has no version`);
  const shapeText = JSON.stringify(newest.shape);
  const hasShape = ({ shape }: FenceContent) => shape === newest.shape || JSON.stringify(shape) === shapeText;
  const versionFrom = unbrokenSince(after, after.length - 1, hasShape);
  const isMoved = old === null || !hasShape(old);
  let area: FenceArea | null = null;
  return {
    fenceId,
    devices: [...newest.devices, ...(old?.devices ?? [])],
    answer({ device, at, place }) {
      if (!newest.devices.has(device)) return old?.devices.has(device) ? false : null;
      const assignedFrom = unbrokenSince(after, after.length - 1, ({ devices }) => devices.has(device));
      const isNewer = Math.max(versionFrom, assignedFrom) > at;
      if (!isNewer && !isMoved && old?.devices.has(device)) return null;
      area ??= prepareFence(newest.shape);
      return contains(area, place);
    },
  };
}
