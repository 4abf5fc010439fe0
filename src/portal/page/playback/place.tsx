import type { Place } from "../../../domain/geometry/distance.ts";
import { usePlace } from "../places/place.tsx";
import { useTexts } from "../texts/use-texts.ts";

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
  const way = end === null ? words.wayFrom(start ?? "") : start === null ? words.wayTo(end) : `${start} – ${end}`;
  return <span className="story-place">{way}</span>;
}
