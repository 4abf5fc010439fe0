import { type Fences, fenceFinder } from "../../both-sides/places/nearest-fence.ts";
import { collect } from "../api/pages.ts";
import { sharedLoad } from "../common/loading/use-load.ts";

/** More fences than a screen can show. */
const maxFences = 5000;

const fences = sharedLoad(async (): Promise<Fences> => {
  const { rows } = await collect("geofences", {}, maxFences);
  return { rows, byId: new Map(rows.map((fence) => [fence.geofence_id, fence])), find: fenceFinder(rows) };
});

/** One of them was changed here. */
export const forgetFences = fences.forget;

/** The same, to be awaited. */
export const loadFences = fences.fresh;

/** Every fence that the person sees; null until they are loaded, and if they cannot be: names of places are no necessity. */
export const useFences = fences.useShared;
