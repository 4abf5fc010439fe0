import { type FenceArea, inradiusMetres } from "../geometry/fence-area.ts";

/** Going out takes this much more than going in, so that a fix that wavers on the edge is no traffic. */
const usualAccuracyMetres = 25;
const leastMetres = 20;
const maxMetres = 50;
/** Of the fence's inradius, so that the buffer of a small fence is not larger than the fence. */
const maxShare = 1 / 4;

/** How far outside a frame of this accuracy must be for an exit. */
export function bufferMetres(area: FenceArea, accuracyM: number | null): number {
  const buffer = Math.min(Math.max(accuracyM ?? usualAccuracyMetres, leastMetres), maxMetres);
  return Math.min(buffer, inradiusMetres(area) * maxShare);
}
