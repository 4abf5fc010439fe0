import type { LatestPosition } from "../api/records.ts";
import type { Show } from "../common/show.ts";
import type { Texts } from "../texts/texts.ts";
import { placeName } from "./place-name.ts";
import type { Fences } from "./use-fences.ts";

/** Where a vehicle is, in names that people know. The fences that the API says it is in come first: they decide on alerts, too. */
export function vehiclePlace(
  position: LatestPosition,
  fences: Fences | null,
  show: Pick<Show, "shortDistance">,
  texts: Pick<Texts, "map">,
): string | null {
  if (fences === null || position.latitude === null || position.longitude === null) return null;
  const inside = fencesAround(position, fences);
  if (inside.length > 0) return inside.join(", ");
  return placeName(position as LatestPosition & { latitude: number; longitude: number }, fences.find, show, texts);
}

/** The names of the fences that the vehicle is inside of, of those assigned to it. */
function fencesAround({ geofence_ids }: LatestPosition, { byId }: Fences): string[] {
  return geofence_ids.flatMap((id) => byId.get(id)?.name ?? []);
}
