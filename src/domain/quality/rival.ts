import { metresBetween } from "../geometry/distance.ts";
import type { PlacedFrame } from "./own-verdict.ts";
import { reaches } from "./reach.ts";
import { type Waypoint, waypointAfter } from "./waypoint.ts";

/**
 * Frames that follow from each other and alternate with frames that repeat the exact coordinates of the anchor. Each
 * repetition clears the chains, so a tracker that began with a cached place would be believed there for as long as it sends
 * that place in between. The place that moves is the vehicle's; the one that never moves is the cached one. If neither
 * moves, nobody can tell, and the anchor stays.
 *
 * States that were stored before there were rivals lack theirs: missing is none.
 */
export interface Rival {
  readonly firstAt: number;
  /** Of the first frame. */
  readonly latitude: number;
  readonly longitude: number;
  /** Counted up to 3; more would not matter. */
  readonly frames: number;
  readonly last: Waypoint;
}

/** As many frames, over as long, as make a chain convincing. */
const framesToConvince = 3;
const msToConvince = 60_000;

/** Positions of a parked vehicle do not stray so far. */
const drivenMetres = 100;

/** With a frame that the anchor does not reach. The same one if it does not follow from it. */
export function rivalWith(rival: Rival | null, frame: PlacedFrame): Rival {
  if (!rival) {
    const { recordedAt: firstAt, latitude, longitude } = frame;
    return { firstAt, latitude, longitude, frames: 1, last: waypointAfter(null, frame, 0) };
  }
  const metres = metresBetween(rival.last, frame);
  const last = waypointAfter(rival.last, frame, metres);
  if (!reaches(rival.last, last, metres)) return rival;
  const { firstAt, latitude, longitude, frames } = rival;
  return { firstAt, latitude, longitude, frames: Math.min(framesToConvince, frames + 1), last };
}

/** After a frame was accepted, the rival remains only if that frame repeats the anchor, and if it has grown since the anchor. */
export function rivalAfter(rival: Rival | null, anchor: Waypoint | null, accepted: PlacedFrame): Rival | null {
  if (!rival || anchor === null || rival.last.at < anchor.at) return null;
  return anchor.latitude === accepted.latitude && anchor.longitude === accepted.longitude ? rival : null;
}

/** Whether it has driven on while the anchor was repeated where it was. */
export function hasOutlasted(rival: Rival, anchor: Waypoint): boolean {
  const { firstAt, frames, last } = rival;
  if (frames < framesToConvince || last.at - firstAt < msToConvince || anchor.at <= firstAt) return false;
  return metresBetween(rival, last) >= drivenMetres;
}
