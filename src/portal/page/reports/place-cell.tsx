import { Place } from "../places/place.tsx";
import { useTexts } from "../texts/use-texts.ts";

interface PlaceCellProps {
  readonly place: { readonly latitude: number; readonly longitude: number } | null;
}

/** Where something was, as people call it. */
export function PlaceCell({ place }: PlaceCellProps) {
  const { common } = useTexts();
  return place === null ? common.unknown : <Place latitude={place.latitude} longitude={place.longitude} />;
}
