import type { Place } from "../../../domain/geometry/distance.ts";
import { useShow } from "../common/use-show.ts";
import { placeName } from "../places/place-name.ts";
import { useFences } from "../places/use-fences.ts";
import { usePlaceName } from "../places/use-place-name.ts";
import { useTexts } from "../texts/use-texts.ts";

/**
 * What people call a place: its fence, else its address, else how far from the nearest fence it is. Null: it has no name.
 * The address is left out for a vehicle that is somewhere else in a moment: the geocoder cannot be asked so often.
 */
export function usePlace(place: Place | null, { withAddress = true } = {}): string | null {
  const fences = useFences();
  const show = useShow();
  const texts = useTexts();
  const nearest = place && (fences?.find(place) ?? null);
  const isInside = nearest !== null && nearest.metres <= 0;
  const isAsked = place !== null && !isInside && withAddress;
  const address = usePlaceName(isAsked ? place.latitude : null, place?.longitude ?? null);
  const name = place && fences && placeName(place, fences.find, show, texts);
  return isInside ? name : (address ?? name);
}

/** Where it was; nothing where no place has a name. */
export function StoryPlace({ at }: { readonly at: Place }) {
  const name = usePlace(at);
  return name === null ? null : <span className="story-place">{name}</span>;
}

interface StoryWayProps {
  readonly from: Place | null;
  /** Null: not there yet. */
  readonly to: Place | null;
}

/** From where to where; nothing where no place has a name. */
export function StoryWay({ from, to }: StoryWayProps) {
  const { playback: words } = useTexts();
  const [start, end] = [usePlace(from), usePlace(to)];
  if (start === null && end === null) return null;
  const way = end === null ? words.wayFrom(start ?? "") : start === null ? words.wayTo(end) : words.way(start, end);
  return <span className="story-place">{way}</span>;
}
