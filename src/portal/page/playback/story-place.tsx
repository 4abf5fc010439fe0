import { useTexts } from "../texts/use-texts.ts";
import { type Point, usePlace } from "./use-place.ts";

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
