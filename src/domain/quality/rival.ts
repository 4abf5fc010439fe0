import { metresBetween } from "../geometry/distance.ts";
import { framesToConvince, msToConvince } from "./chains.ts";
import type { PlacedFrame } from "./own-verdict.ts";
import { reaches } from "./reach.ts";
import { type Waypoint, waypointAfter, waypointOutOfReach } from "./waypoint.ts";

/**
 * Frames that follow from each other and alternate with frames that repeat the exact coordinates of the anchor. Each
 * repetition clears the chains, so a tracker that started with a cached place would be believed there for as long as it
 * sends that place in between. The place that moves is the vehicle's; the one that never moves is the cached one. If
 * neither moves, there is no way to know, and the anchor stays.
 */
export interface Rival {
  readonly firstAt: number;
  /** Of the first frame. */
  readonly latitude: number;
  readonly longitude: number;
  /** Counted up to 5; more would not matter. */
  readonly frames: number;
  readonly last: Waypoint;
}

/** Positions of a parked vehicle do not drift this far. */
const drivenMetres = 100;

/** The rival after a frame that the anchor does not reach. A frame that does not follow from it starts a new one. */
export function rivalWith(rival: Rival | null, frame: PlacedFrame): Rival {
  if (rival === null) {
    const { recordedAt: firstAt, latitude, longitude } = frame;
    return { firstAt, latitude, longitude, frames: 1, last: waypointOutOfReach(frame) };
  }
  const metres = metresBetween(rival.last, frame);
  const last = waypointAfter(rival.last, frame, metres);
  if (!reaches(rival.last, last, metres)) return rival;
  const { firstAt, latitude, longitude, frames } = rival;
  return { firstAt, latitude, longitude, frames: Math.min(framesToConvince, frames + 1), last };
}

/** After a frame was accepted, the rival remains only if that frame repeats the anchor and the rival has grown since. */
export function rivalAfter(rival: Rival | null, anchor: Waypoint | null, accepted: PlacedFrame): Rival | null {
  if (rival === null || anchor === null || rival.last.at < anchor.at) return null;
  return anchor.latitude === accepted.latitude && anchor.longitude === accepted.longitude ? rival : null;
}

/** Whether the rival moved while the anchor only repeated its place. */
export function hasOutlasted(rival: Rival, anchor: Waypoint | null): boolean {
  const { firstAt, frames, last } = rival;
  if (anchor === null || frames < framesToConvince || last.at - firstAt < msToConvince || anchor.at <= firstAt)
    return false;
  return metresBetween(rival, last) >= drivenMetres;
}
