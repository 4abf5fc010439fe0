import { useShow } from "../common/use-show.ts";
import { useTexts } from "../texts/use-texts.ts";
import { coordinatesOf, placeName } from "./place-name.ts";
import { useFences } from "./use-fences.ts";
import { usePlaceName } from "./use-place-name.ts";

interface PlaceProps {
  readonly latitude: number;
  readonly longitude: number;
}

/** A place, such as the end of a trip: its fence, else its address, else how far from the nearest fence it is. */
export function Place({ latitude, longitude }: PlaceProps) {
  const fences = useFences();
  const show = useShow();
  const texts = useTexts();
  const place = { latitude, longitude };
  const nearest = fences?.find(place) ?? null;
  const isInside = nearest !== null && nearest.metres <= 0;
  const address = usePlaceName(isInside ? null : latitude, longitude);
  const coordinates = coordinatesOf(place);
  const name = fences && placeName(place, fences.find, show, texts);
  return <span title={coordinates}>{(isInside ? name : (address ?? name)) ?? coordinates}</span>;
}
