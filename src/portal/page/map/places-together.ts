export interface Place {
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/** The core of a fleet, and how many times farther away another vehicle is still shown. */
const coreShare = 0.8;
const farTimes = 3;

/** Those that are no more than some times as far from the middle as most of them. Pure. */
export function placesTogether(places: readonly Place[]): readonly Place[] {
  const known = places.filter(({ latitude, longitude }) => latitude !== null && longitude !== null);
  const middle = { latitude: median(known, "latitude"), longitude: median(known, "longitude") };
  const away = ({ latitude, longitude }: Place) =>
    Math.abs((latitude ?? 0) - middle.latitude) + Math.abs((longitude ?? 0) - middle.longitude);
  const core = Float64Array.from(known, away).sort()[Math.ceil(known.length * coreShare) - 1] ?? 0;
  return known.filter((place) => away(place) <= core * farTimes);
}

function median(places: readonly Place[], of: keyof Place): number {
  const values = Float64Array.from(places, (place) => place[of] ?? 0).sort();
  return values[Math.floor(values.length / 2)] ?? 0;
}
