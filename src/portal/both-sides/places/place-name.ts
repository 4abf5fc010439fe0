import type { Place } from "../../../domain/geometry/distance.ts";
import type { LatestPosition } from "../contract/data.ts";
import type { Show } from "../reading/show.ts";
import type { Texts } from "../texts/texts.ts";
import { type NearTown, townText } from "./near-town.ts";
import type { Fences, FindFence, NearestFence } from "./nearest-fence.ts";

/** A position is right to some metres: "3 m from" would say more than is known. */
const leastMetres = 50;
/** So near to a place of their own people say that, also in the middle of a town. */
const besideMetres = 1_000;

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
  return nearest.metres <= 0 ? nearest.fence.name : fromFence(nearest, show, texts);
}

function fromFence({ fence, metres }: NearestFence, show: Pick<Show, "shortDistance">, { map }: Pick<Texts, "map">) {
  return map.from(show.shortDistance(Math.max(leastMetres, metres)), fence.name);
}

/** What is known of a place, from wherever it comes. */
export interface KnownPlace {
  readonly fence: NearestFence | null;
  readonly street: string | null;
  readonly town: NearTown | null;
}

/** A place in words: the fence it is in, else the street, else the fence or the town that is nearest; null: nothing is known. Pure. */
export function placeInWords(
  { fence, street, town }: KnownPlace,
  show: Pick<Show, "shortDistance" | "wholeDistance">,
  texts: Pick<Texts, "map">,
): string | null {
  if (fence !== null && fence.metres <= 0) return fence.fence.name;
  if (street !== null) return street;
  const isFenceNearer = fence !== null && fence.metres <= Math.max(besideMetres, town?.distance_m ?? 0);
  if (fence !== null && (town === null || isFenceNearer)) return fromFence(fence, show, texts);
  return town && townText(town, show, texts);
}

/** The fences that the API says a vehicle is in: they decide on alerts, too. Null: it is in none. */
export function fencesAround({ geofence_ids }: LatestPosition, fences: Fences | null): string | null {
  const inside = geofence_ids.flatMap((id) => fences?.byId.get(id)?.name ?? []);
  return inside.length > 0 ? inside.join(", ") : null;
}

/** A frame without a fix has no place. */
export function frameHasPlace<Frame extends Pick<LatestPosition, "latitude" | "longitude">>(
  frame: Frame,
): frame is Frame & Place {
  return frame.latitude !== null && frame.longitude !== null;
}

/** Degrees, where a place has no name. */
export function coordinatesOf({ latitude, longitude }: Place): string {
  return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
}
