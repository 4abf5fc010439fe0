import type { Place } from "../../../domain/geometry/distance.ts";
import { coordinatesOf, placeName } from "../../both-sides/places/place-name.ts";
import { useSession } from "../common/session.ts";
import { useTexts } from "../texts/use-texts.ts";
import { loadFences, useFences } from "./use-fences.ts";
import { placeAddress, usePlaceName } from "./use-place-name.ts";

/**
 * What people call a place: its fence, else its address, else how far from the nearest fence it is. Null: it has no name.
 * The address is left out for a vehicle that is somewhere else in a moment: the geocoder cannot be asked so often.
 */
export function usePlace(place: Place | null, { withAddress = true } = {}): string | null {
  const fences = useFences();
  const texts = useTexts();
  const { show } = texts;
  const nearest = place && (fences?.find(place) ?? null);
  const isInside = nearest !== null && nearest.metres <= 0;
  const needsAddress = place !== null && !isInside && withAddress;
  const address = usePlaceName(needsAddress ? place.latitude : null, place?.longitude ?? null);
  const name = place && fences && placeName(place, fences.find, show, texts);
  return isInside ? name : (address ?? name);
}

export function PlaceText(place: Place) {
  const coordinates = coordinatesOf(place);
  return <span title={coordinates}>{usePlace(place) ?? coordinates}</span>;
}

/** More would keep a person waiting who wants a file: the geocoder answers one question after the other. */
const maxAddresses = 2000;

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
      const name = fences && placeName(place, fences.find, texts.show, texts);
      const isInside = (fences?.find(place)?.metres ?? 1) <= 0;
      const coordinates = coordinatesOf(place);
      const mayAsk = hasGeocoder && !isInside && (asked.has(coordinates) || asked.size < maxAddresses);
      if (mayAsk) asked.add(coordinates);
      const address = mayAsk ? await placeAddress(place, () => true) : null;
      return address ?? name ?? coordinates;
    };
  };
}
