import { formatDuration, formatKm, formatNumber } from "../common/format.ts";
import type { DaySummary } from "./day.ts";

interface DaySummaryProps {
  readonly summary: DaySummary;
  readonly trips: number;
  readonly stops: number;
}

export function DaySummaryRow({ summary, trips, stops }: DaySummaryProps) {
  const { distanceKm, drivingS, idleS, maxSpeedKmh, rejected } = summary;
  const figures: [term: string, text: string][] = [
    ["Distance", formatKm(distanceKm)],
    ["Trips", formatNumber(trips)],
    ["Stops between", formatNumber(stops)],
    ["On the way", formatDuration(drivingS)],
    ["Of it idle", formatDuration(idleS)],
    ["Top speed", maxSpeedKmh === null ? "–" : `${formatNumber(maxSpeedKmh)} km/h`],
    ["Frames rejected", formatNumber(rejected)],
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
