import { useSyncExternalStore } from "react";

/** On a low screen the map needs the room more. The style sheet has the same bound. */
const low = matchMedia("(max-height: 800px)");
const heightsPx = { low: 104, high: 140 };

export function usePlotHeight(): number {
  const isLow = useSyncExternalStore(
    (listener) => {
      low.addEventListener("change", listener);
      return () => low.removeEventListener("change", listener);
    },
    () => low.matches,
  );
  return isLow ? heightsPx.low : heightsPx.high;
}
