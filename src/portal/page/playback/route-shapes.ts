import type { Position } from "../api/records.ts";

export type Line = [longitude: number, latitude: number][];

/** A frame without a place has no point. Neither has one at 0, 0, where no vehicle is. */
export function pointOf({ latitude, longitude }: Position): [number, number] | null {
  if (latitude === null || longitude === null || (latitude === 0 && longitude === 0)) return null;
  return [longitude, latitude];
}

export function lineOf(track: readonly Position[]): Line {
  return track.flatMap((frame) => {
    const point = pointOf(frame);
    return point === null ? [] : [point];
  });
}

/** The track, cut at each discontinuity. Pure. */
export function segments(track: readonly Position[]): Line[] {
  const lines: Line[] = [];
  let begun = 0;
  for (let index = 1; index <= track.length; index++) {
    if (index < track.length && !track[index]?.discontinuity) continue;
    const line = lineOf(track.slice(begun, index));
    if (line.length > 1) lines.push(line);
    begun = index;
  }
  return lines;
}
