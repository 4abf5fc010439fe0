import type { Position } from "../../../both-sides/contract/data.ts";

/** Where a vehicle was, as lines on the map. Pure. */
export type TrailPoint = Pick<Position, "recorded_at" | "latitude" | "longitude" | "discontinuity">;

export type TrailLine = [longitude: number, latitude: number][];

export const trailMs = 3_600_000;

/** The trail with further points, in the order of time, without what is older than an hour before the newest. */
export function longerTrail(before: readonly TrailPoint[], further: readonly TrailPoint[]): readonly TrailPoint[] {
  const last = before.at(-1)?.recorded_at ?? "";
  const all = [...before, ...further.filter(({ recorded_at }) => recorded_at > last)];
  const newest = all.at(-1);
  if (newest === undefined) return all;
  const since = Date.parse(newest.recorded_at) - trailMs;
  return all.filter(({ recorded_at }) => Date.parse(recorded_at) >= since);
}

type Placed = Pick<TrailPoint, "latitude" | "longitude">;

/** A frame without a place has no point. Neither has one at 0, 0, where no vehicle is. */
export function trailPoint({ latitude, longitude }: Placed): TrailLine[number] | null {
  if (latitude === null || longitude === null || (latitude === 0 && longitude === 0)) return null;
  return [longitude, latitude];
}

export function pointsOf(frames: readonly Placed[]): TrailLine {
  return frames.map(trailPoint).filter((point) => point !== null);
}

/** A line for each stretch that was driven: a discontinuity is where the vehicle was moved, and did not drive. */
export function drivenLines(track: readonly TrailPoint[]): TrailLine[] {
  const lines: TrailLine[] = [];
  let line: TrailLine = [];
  for (const frame of track) {
    if (frame.discontinuity) line = [];
    const point = trailPoint(frame);
    if (point === null) continue;
    line.push(point);
    if (line.length === 2) lines.push(line);
  }
  return lines;
}
