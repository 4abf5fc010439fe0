import { formatInstant } from "../../domain/time/time.ts";

export function instantOrNull(ms: number | null): string | null {
  return ms === null ? null : formatInstant(ms);
}

/** A count of thousandths. */
export function milli<Count extends number | null>(count: Count): Count {
  return (count === null ? null : count / 1000) as Count;
}

export function degrees<E7 extends number | null>(e7: E7): E7 {
  return (e7 === null ? null : e7 / 1e7) as E7;
}

export function coordinatePair(latitudeE7: number, longitudeE7: number) {
  return { latitude: degrees(latitudeE7), longitude: degrees(longitudeE7) };
}

export function placeOrNull(latitudeE7: number | null, longitudeE7: number | null) {
  return latitudeE7 === null || longitudeE7 === null ? null : coordinatePair(latitudeE7, longitudeE7);
}
