import { type FenceArea, inradiusMetres } from "../geometry/fence-area.ts";
import type { Fix } from "../sighting.ts";

/** Going out takes this much more than going in, so that a fix wavering on the edge causes no events. */
const usualAccuracyMetres = 25;
const minMetres = 20;
const maxMetres = 50;
/** As a share of the fence's inradius, so that a small fence's buffer is not larger than the fence. */
const maxShare = 1 / 4;

/** How far a fix of this accuracy may be off. */
export function errorMetres(accuracyM: number | null): number {
  return Math.min(Math.max(accuracyM ?? usualAccuracyMetres, minMetres), maxMetres);
}

/** How far outside a frame of this accuracy must be for an exit. */
export function bufferMetres(area: FenceArea, accuracyM: number | null): number {
  return Math.min(errorMetres(accuracyM), inradiusMetres(area) * maxShare);
}

/** Whether a frame, so many metres from the edge, is so clearly on the other side that it is a reason for an event. */
export function isBeyond(isInside: boolean, metres: number, area: FenceArea, { accuracyM }: Fix): boolean {
  return isInside ? metres >= bufferMetres(area, accuracyM) : metres <= 0;
}

/** A parked vehicle's fix drifts no farther. A stop that has moved farther since the last frame is another stop. */
export const standingMetres = 100;

/** A lone fix of a parked vehicle can be this far off, and lead over a fence and back: that is no way through it. */
export const driftMetres = 2 * standingMetres;
