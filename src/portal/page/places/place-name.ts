import type { Place } from "../../../domain/geometry/distance.ts";
import type { Show } from "../common/show.ts";
import type { Texts } from "../texts/texts.ts";
import type { FindFence } from "./nearest-fence.ts";

/** A position is right to some metres: "3 m from" would say more than is known. */
const leastMetres = 50;

/**
 * What people call a place: the fence it is in, or "600 m from North depot"; null far from every fence. Pure, and fast
 * enough for every row of a list. Ask with the same object again, and the answer is known already.
 */
export function placeName(
  place: Place,
  find: FindFence,
  show: Pick<Show, "shortDistance">,
  texts: Pick<Texts, "map">,
): string | null {
  const nearest = find(place);
  if (nearest === null) return null;
  const { fence, metres } = nearest;
  return metres <= 0 ? fence.name : texts.map.from(show.shortDistance(Math.max(leastMetres, metres)), fence.name);
}

/** Degrees, where a place has no name. */
export function coordinatesOf({ latitude, longitude }: Place): string {
  return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
}
