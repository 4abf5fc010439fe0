import { useShow } from "../common/use-show.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import type { StoredHistory } from "./vehicle-records.ts";

/** How much there is of a vehicle. */
export function StoredHistoryNote({ stored }: { readonly stored: StoredHistory }) {
  const { vehicles: words } = useAdministrationTexts();
  const show = useShow();
  const { frames, trips, alerts, from, to } = stored;
  if (frames === 0) return <p>{words.nothingStored}</p>;
  const counted = (count: number, word: (count: number, shown: string) => string) => word(count, show.number(count));
  const day = (at: string) => show.time(Date.parse(at), "date");
  return (
    <p>
      {words.stored(counted(frames, words.frames), counted(trips, words.trips), counted(alerts, words.alerts))}{" "}
      {from !== null && to !== null && words.storedSpan(day(from), day(to))}
    </p>
  );
}
