import type { Place } from "../../../domain/geometry/distance.ts";

/**
 * Where the spot opens in the maps of the visitor's own device: an app on phones and Macs, else OpenStreetMap. Nothing is asked
 * of anybody before the link is followed. Pure.
 */
export function mapsLink({ latitude, longitude }: Place, name: string, userAgent: string): string {
  const at = `${latitude.toFixed(6)},${longitude.toFixed(6)}`;
  // Brackets would end the name early.
  const label = encodeURIComponent(name.replace(/[()]/g, " ").trim());
  if (/Android/.test(userAgent)) return `geo:${at}?q=${at}(${label})`;
  if (/iPhone|iPad|Macintosh/.test(userAgent)) return `https://maps.apple.com/?ll=${at}&q=${label}`;
  const [lat, lon] = at.split(",");
  return `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=15/${lat}/${lon}`;
}
