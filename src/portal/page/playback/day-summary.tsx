import { useShow } from "../common/use-show.ts";
import { useTexts } from "../texts/use-texts.ts";
import type { DaySummary } from "./day.ts";

interface DaySummaryProps {
  readonly summary: DaySummary;
  readonly trips: number;
  readonly stops: number;
}

export function DaySummaryRow({ summary, trips, stops }: DaySummaryProps) {
  const { playback: words, common } = useTexts();
  const show = useShow();
  const { distanceKm, drivingS, idleS, maxSpeedKmh, rejected } = summary;
  const figures: [term: string, text: string][] = [
    [words.distance, show.distance(distanceKm)],
    [words.trips, show.number(trips)],
    [words.stopsBetween, show.number(stops)],
    [words.onTheWay, show.duration(drivingS)],
    [words.ofItIdle, show.duration(idleS)],
    [words.topSpeed, maxSpeedKmh === null ? common.unknown : show.speed(maxSpeedKmh)],
    [words.rejected, show.number(rejected)],
  ];
  return (
    <dl className="figures">
      {figures.map(([term, text]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
