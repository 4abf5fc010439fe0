import { useTexts } from "../texts/use-texts.ts";
import type { MapProblem } from "./base-style.ts";

/** One line over the map if it is not the one that it should be. */
export function BaseMapNote({ problem }: { readonly problem: MapProblem | null }) {
  const { map: words } = useTexts();
  if (problem === null) return null;
  return (
    <p className="map-note" role="status">
      {problem === "style" ? words.styleUnusable : words.streetsUnusable}
    </p>
  );
}
