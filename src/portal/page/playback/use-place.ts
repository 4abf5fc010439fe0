import { useShow } from "../common/use-show.ts";
import { placeName } from "../places/place-name.ts";
import { useFences } from "../places/use-fences.ts";
import { usePlaceName } from "../places/use-place-name.ts";
import { useTexts } from "../texts/use-texts.ts";

export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/**
 * What people call a place: its fence, else its address, else how far from the nearest fence it is. Null: it has no name.
 * The address is left out for a vehicle that is somewhere else in a moment: the geocoder cannot be asked so often.
 */
export function usePlace(point: Point | null, { withAddress = true } = {}): string | null {
  const fences = useFences();
  const show = useShow();
  const texts = useTexts();
  const nearest = point && (fences?.find(point) ?? null);
  const isInside = nearest !== null && nearest.metres <= 0;
  const isAsked = point !== null && !isInside && withAddress;
  const address = usePlaceName(isAsked ? point.latitude : null, point?.longitude ?? null);
  const name = point && fences && placeName(point, fences.find, show, texts);
  return isInside ? name : (address ?? name);
}
