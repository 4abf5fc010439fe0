import type { FeatureCollection, LineString } from "geojson";

/** Where a vehicle has been lately. Pure. */
export interface TrailPoint {
  readonly recorded_at: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** Whether the vehicle was moved here, and did not drive. */
  readonly discontinuity: boolean;
}

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

/** A line for each stretch that was driven. */
export function trailLines(points: readonly TrailPoint[]): FeatureCollection<LineString> {
  const lines: number[][][] = [];
  let line: number[][] = [];
  for (const { latitude, longitude, discontinuity } of points) {
    if (latitude === null || longitude === null) continue;
    if (discontinuity) line = [];
    line.push([longitude, latitude]);
    if (line.length === 2) lines.push(line);
  }
  const features = lines.map((coordinates) => ({
    type: "Feature" as const,
    properties: {},
    geometry: { type: "LineString" as const, coordinates },
  }));
  return { type: "FeatureCollection", features };
}
