/** Which part of the world the map shows, and where on it a vehicle can be seen: a card may lie over a part of it. Pure. */

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A mark with its name is about this large. */
const roomPixels = 36;

/** The largest part of the map that the card leaves free. */
export function freePart(map: Box, card: Box | null): Box {
  if (card === null || !overlap(map, card)) return map;
  // Each side by its name: a browser's rectangle loses them when it is spread.
  const { left, top, right, bottom } = map;
  const parts: Box[] = [
    { left, top, right: card.left, bottom },
    { left: card.right, top, right, bottom },
    { left, top, right, bottom: card.top },
    { left, top: card.bottom, right, bottom },
  ];
  return parts.reduce((best, part) => (areaOf(part) > areaOf(best) ? part : best));
}

/** From the middle of the map to the middle of its free part, in pixels. */
export function offsetToFree(map: Box, card: Box | null): [x: number, y: number] {
  const free = freePart(map, card);
  return [(free.left + free.right - map.left - map.right) / 2, (free.top + free.bottom - map.top - map.bottom) / 2];
}

/** Whether a mark at this point of the map, counted from its corner, is neither under the card nor at the very edge. */
export function isInSight(map: Box, card: Box | null, point: { readonly x: number; readonly y: number }): boolean {
  const [x, y] = [map.left + point.x, map.top + point.y];
  const isInMap =
    x >= map.left + roomPixels &&
    x <= map.right - roomPixels &&
    y >= map.top + roomPixels &&
    y <= map.bottom - roomPixels;
  return isInMap && (card === null || !overlap(card, around(x, y)));
}

function around(x: number, y: number): Box {
  return { left: x - roomPixels, right: x + roomPixels, top: y - roomPixels, bottom: y + roomPixels };
}

function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

function areaOf({ left, top, right, bottom }: Box): number {
  return Math.max(0, right - left) * Math.max(0, bottom - top);
}

export interface VehiclePlace {
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/** The core of a fleet, and how many times farther away another vehicle is still shown. */
const coreShare = 0.8;
const farTimes = 3;

/** Those that are no more than some times as far from the middle as most of them. Pure. */
export function placesTogether(places: readonly VehiclePlace[]): readonly VehiclePlace[] {
  const known = places.filter(({ latitude, longitude }) => latitude !== null && longitude !== null);
  const middle = { latitude: median(known, "latitude"), longitude: median(known, "longitude") };
  const away = ({ latitude, longitude }: VehiclePlace) =>
    Math.abs((latitude ?? 0) - middle.latitude) + Math.abs((longitude ?? 0) - middle.longitude);
  const core = Float64Array.from(known, away).sort()[Math.ceil(known.length * coreShare) - 1] ?? 0;
  return known.filter((place) => away(place) <= core * farTimes);
}

function median(places: readonly VehiclePlace[], of: keyof VehiclePlace): number {
  const values = Float64Array.from(places, (place) => place[of] ?? 0).sort();
  return values[Math.floor(values.length / 2)] ?? 0;
}
