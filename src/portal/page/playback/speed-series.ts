import type uPlot from "uplot";
import type { Position } from "../../both-sides/contract/data.ts";

/** A longer silence is a gap in the line: nobody knows how fast the vehicle was. */
export const lineBreakMs = 10 * 60_000;

type Point = readonly [seconds: number, speed: number | null, rejected: number | null];

/** The speed over time, and the rejected frames on the axis. Pure. */
export function speedSeries(
  track: readonly Position[],
  rejected: readonly Position[],
  speedIn: (kmh: number) => number,
): uPlot.AlignedData {
  const points: Point[] = [];
  let before: number | null = null;
  for (const { recorded_at, speed_kmh } of track) {
    const moment = Date.parse(recorded_at);
    if (before !== null && moment - before > lineBreakMs) points.push([(before + moment) / 2000, null, null]);
    points.push([moment / 1000, speed_kmh === null ? null : speedIn(speed_kmh), null]);
    before = moment;
  }
  for (const { recorded_at } of rejected) points.push([Date.parse(recorded_at) / 1000, null, 0]);
  points.sort(([left], [right]) => left - right);
  return [points.map(([x]) => x), joinedOver(points), points.map(([, , y]) => y)];
}

/** A rejected frame makes no gap in the line: uPlot skips `undefined` and cuts at `null`. */
function joinedOver(points: readonly Point[]): (number | null | undefined)[] {
  return points.map(([, speed, mark]) => (mark === null ? speed : undefined));
}
