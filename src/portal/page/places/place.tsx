import type { Place } from "../../../domain/geometry/distance.ts";
import type { LatestPosition } from "../../both-sides/contract/data.ts";
import type { Fences, NearestFence } from "../../both-sides/places/nearest-fence.ts";
import { coordinatesOf, fencesAround, frameHasPlace, placeInWords } from "../../both-sides/places/place-name.ts";
import { useSession } from "../common/session.ts";
import { useTexts } from "../texts/use-texts.ts";
import { loadFences, useFences } from "./use-fences.ts";
import { placeAround, usePlaceAround } from "./use-place-around.ts";

/**
 * What people call a place: its fence, else its street, else how far from the nearest fence or town it is. Null: it has no
 * name. `isPassing`: the vehicle is somewhere else in a moment, and a geocoder cannot be asked so often.
 */
export function usePlace(place: Place | null, { isPassing = false } = {}): string | null {
  const fences = useFences();
  const fence = place && (fences?.find(place) ?? null);
  return useWords(place, fence, isPassing);
}

/** The same for a row of a long list: a geocoder is asked only far from every fence; else it is the fence or the town. */
export function useListedPlace(place: Place | null, fences: Fences | null, { isPassing = false } = {}): string | null {
  const fence = place && (fences?.find(place) ?? null);
  return useWords(place, fence, isPassing || fences === null || fence !== null);
}

/** Where a vehicle in a list is. */
export function useVehiclePlace(position: LatestPosition, fences: Fences | null, isMoving: boolean): string | null {
  const inside = fencesAround(position, fences);
  const place = inside === null && frameHasPlace(position) ? position : null;
  return useListedPlace(place, fences, { isPassing: isMoving }) ?? inside;
}

function useWords(place: Place | null, fence: NearestFence | null, mayNotAskGeocoder: boolean): string | null {
  const texts = useTexts();
  const { has_geocoder: hasGeocoder } = useSession();
  const isInside = fence !== null && fence.metres <= 0;
  // Streets of tiles cost nothing.
  const around = usePlaceAround(isInside ? null : place, { isTownEnough: mayNotAskGeocoder && hasGeocoder });
  return placeInWords({ fence, street: around?.street ?? null, town: around?.town ?? null }, texts.show, texts);
}

export function PlaceText(place: Place) {
  const coordinates = coordinatesOf(place);
  return <span title={coordinates}>{usePlace(place) ?? coordinates}</span>;
}

/** After other words of a line, where it has a name; nothing where it has none. */
export function AsidePlace({ place, fences }: { readonly place: Place | null; readonly fences: Fences | null }) {
  const name = useListedPlace(place, fences);
  return name === null ? null : <> · {name}</>;
}

/** More would keep a person waiting who wants a file. */
const maxAsked = 20_000;
/** The geocoder answers one question after the other. */
const maxAskedOfGeocoder = 2000;

/** Names places as `PlaceText` shows them, for a file. */
export function usePlaceNamer(): () => (place: Place) => Promise<string> {
  const texts = useTexts();
  const { has_geocoder: hasGeocoder, user } = useSession();
  return () => {
    const asked = new Set<string>();
    // Names of places are no necessity.
    const loading = loadFences(user.user_id).catch(() => null);
    return async (place) => {
      const fences = await loading;
      const fence = fences?.find(place) ?? null;
      const coordinates = coordinatesOf(place);
      const hasRoom = asked.size < (hasGeocoder ? maxAskedOfGeocoder : maxAsked);
      const mayAsk = (fence?.metres ?? 1) > 0 && (hasRoom || asked.has(coordinates));
      if (mayAsk) asked.add(coordinates);
      const { street, town } = (mayAsk ? await placeAround(place, hasGeocoder) : null) ?? { street: null, town: null };
      return placeInWords({ fence, street, town }, texts.show, texts) ?? coordinates;
    };
  };
}
