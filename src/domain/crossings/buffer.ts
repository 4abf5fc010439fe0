import { type FenceArea, inradiusMetres } from "../geometry/fence-area.ts";

/** Going out takes this much more than going in, so that a fix wavering on the edge causes no events. */
const usualAccuracyMetres = 25;
const minMetres = 20;
const maxMetres = 50;
/** As a share of the fence's inradius, so that a small fence's buffer is not larger than the fence. */
const maxShare = 1 / 4;

/** How far outside a frame of this accuracy must be for an exit. */
export function bufferMetres(area: FenceArea, accuracyM: number | null): number {
  const buffer = Math.min(Math.max(accuracyM ?? usualAccuracyMetres, minMetres), maxMetres);
  return Math.min(buffer, inradiusMetres(area) * maxShare);
}
