import type { Frame } from "../../src/domain/frame.ts";
import { metresPerDegree, radiansPerDegree } from "../../src/domain/geometry/bounding-box.ts";
import type { Place } from "../../src/domain/geometry/distance.ts";

/** Where a vehicle was at a moment, and what its tracker could have reported then. */
export interface Moment extends Place {
  readonly at: number;
  readonly kmh: number | null;
  /** The true way since the beginning of the track. */
  readonly metres: number;
  readonly ignition: boolean | null;
  /** False: the tracker says that it has no full fix. */
  readonly fix?: boolean;
  readonly accuracyM?: number | null;
}

export type Track = readonly Moment[];

/** A Monday at six in the morning. */
export const begin = Date.UTC(2026, 5, 1, 6);

export const home: Place = { latitude: 48.1, longitude: 11.5 };

export function moved<At extends Place>(place: At, east: number, north: number): At {
  return {
    ...place,
    latitude: place.latitude + north / metresPerDegree,
    longitude: place.longitude + east / (metresPerDegree * Math.cos(place.latitude * radiansPerDegree)),
  };
}

/** What the tracker knows of the ignition and the speed. */
export interface Knows {
  readonly ignition: boolean;
  readonly speed: boolean;
}

export const everything: Knows = { ignition: true, speed: true };
export const noIgnition: Knows = { ignition: false, speed: true };
export const noSpeed: Knows = { ignition: true, speed: false };
export const placesOnly: Knows = { ignition: false, speed: false };

/** The frames of a tracker that sends each moment at once. */
export function framesOf(track: Track, knows: Knows): Frame[] {
  return track.map((moment, index) => ({
    latitude: moment.latitude,
    longitude: moment.longitude,
    altitude_m: null,
    speed_kmh: knows.speed ? moment.kmh : null,
    heading_deg: null,
    accuracy_m: moment.accuracyM ?? null,
    satellites: null,
    hdop: null,
    ignition: knows.ignition ? moment.ignition : null,
    odometer_km: null,
    battery_percent: null,
    external_voltage_v: null,
    event: null,
    recordedAt: moment.at,
    digest: index,
    receivedAt: moment.at,
    fix: moment.fix ?? null,
    source: null,
    sensors: [],
  }));
}

/** The true way between the first and the last moment. */
export function kmOf(track: Track): number {
  return ((track.at(-1)?.metres ?? 0) - (track[0]?.metres ?? 0)) / 1000;
}
