import { useShow } from "../common/use-show.ts";

export interface PlaceProps {
  readonly place: { readonly latitude: number; readonly longitude: number } | null;
}

/** Where something was, as people call it. */
export function PlaceCell({ place }: PlaceProps) {
  const show = useShow();
  if (place === null) return "–";
  return `${show.number(place.latitude, 4)}, ${show.number(place.longitude, 4)}`;
}
