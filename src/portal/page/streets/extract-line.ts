import type { Place } from "../../../domain/geometry/distance.ts";

/** Around the vehicles, so that the map does not end where they drive next. */
const marginDegrees = 0.4;
/** A build of a day is there a day later. */
const buildAgeMs = 2 * 86_400_000;

/** The line that loads a map of where the vehicles are; without vehicles, of an example. Pure. */
export function extractLine(places: readonly Place[], now: number): string {
  const day = new Date(now - buildAgeMs).toISOString().slice(0, 10).replaceAll("-", "");
  const box = places.length === 0 ? [12.9, 52.2, 13.9, 52.8] : boxAround(places);
  const bounds = box.map((degrees) => degrees.toFixed(1)).join(",");
  return `pmtiles extract https://build.protomaps.com/${day}.pmtiles region.pmtiles --bbox=${bounds} --maxzoom=14`;
}

function boxAround(places: readonly Place[]): readonly number[] {
  const longitudes = places.map(({ longitude }) => longitude);
  const latitudes = places.map(({ latitude }) => latitude);
  return [
    Math.max(-180, Math.min(...longitudes) - marginDegrees),
    Math.max(-85, Math.min(...latitudes) - marginDegrees),
    Math.min(180, Math.max(...longitudes) + marginDegrees),
    Math.min(85, Math.max(...latitudes) + marginDegrees),
  ];
}
