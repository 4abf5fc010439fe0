import { geofence } from "../../api/records/geofence.ts";
import type { Place } from "../../domain/geometry/distance.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { Database } from "../../store/database.ts";
import { geofences } from "../../store/fleet/geofences.ts";
import type { Geofence } from "../both-sides/contract/data.ts";
import { fenceFinder } from "../both-sides/places/nearest-fence.ts";
import { coordinatesOf, placeInWords } from "../both-sides/places/place-name.ts";
import type { Show } from "../both-sides/reading/show.ts";
import type { Texts } from "../both-sides/texts/texts.ts";
import { townOf } from "../towns/town-of.ts";

/** The name of a street, from wherever there are some; null: it has none, or nobody knows it now. */
export type StreetName = (latitude: number, longitude: number) => Promise<string | null>;

export type NamePlace = (place: Place) => Promise<string>;

const fencesPerRead = 500;
/** More take long to read, and are all over the place. */
const maxFences = 5_000;

/** Names places for one person: the fence it is in, else the street, else the nearest fence or town, else degrees. */
export async function placeNamer(
  database: Database,
  visibility: Visibility,
  streetName: StreetName,
  { show, texts }: { readonly show: Show; readonly texts: Pick<Texts, "map"> },
): Promise<NamePlace> {
  const find = fenceFinder(await visibleFences(database, visibility));
  return async (place) => {
    const fence = find(place);
    const isInside = fence !== null && fence.metres <= 0;
    const street = isInside ? null : await streetName(place.latitude, place.longitude);
    const town = isInside || street !== null ? null : await townOf(place);
    return placeInWords({ fence, street, town }, show, texts) ?? coordinatesOf(place);
  };
}

async function visibleFences(database: Database, visibility: Visibility): Promise<Geofence[]> {
  const found: Geofence[] = [];
  for (let after: string | null = null; found.length < maxFences; ) {
    const rows: Awaited<ReturnType<typeof geofences>> = await geofences(database, visibility, {
      after,
      count: fencesPerRead,
    });
    for (const row of rows) found.push(JSON.parse(geofence.json([row])) as Geofence);
    if (rows.length < fencesPerRead) break;
    after = rows.at(-1)?.id ?? null;
  }
  return found;
}
