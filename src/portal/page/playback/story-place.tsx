import { useShow } from "../common/use-show.ts";
import { placeName } from "../places/place-name.ts";
import { useFences } from "../places/use-fences.ts";
import { usePlaceName } from "../places/use-place-name.ts";
import { useTexts } from "../texts/use-texts.ts";

interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** What people call a place: its fence, else its address, else how far from the nearest fence it is. Null: it has no name. */
function usePlace(point: Point | null): string | null {
  const fences = useFences();
  const show = useShow();
  const texts = useTexts();
  const nearest = point && (fences?.find(point) ?? null);
  const isInside = nearest !== null && nearest.metres <= 0;
  const address = usePlaceName(point === null || isInside ? null : point.latitude, point?.longitude ?? null);
  const name = point && fences && placeName(point, fences.find, show, texts);
  return isInside ? name : (address ?? name);
}

/** Where it was; nothing where no place has a name. */
export function StoryPlace({ at }: { readonly at: Point }) {
  const name = usePlace(at);
  return name === null ? null : <span className="story-place">{name}</span>;
}

interface StoryWayProps {
  readonly from: Point | null;
  /** Null: not there yet. */
  readonly to: Point | null;
}

/** From where to where; nothing where no place has a name. */
export function StoryWay({ from, to }: StoryWayProps) {
  const { playback: words } = useTexts();
  const [start, end] = [usePlace(from), usePlace(to)];
  if (start === null && end === null) return null;
  const way = end === null ? words.wayFrom(start ?? "") : start === null ? words.wayTo(end) : words.way(start, end);
  return <span className="story-place">{way}</span>;
}
