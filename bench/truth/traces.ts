import { metresBetween } from "../../src/domain/geometry/distance.ts";
import { readTrace } from "../../test/support/shared-traces.ts";
import type { Moment, Track } from "./track.ts";

const kmhPerMph = 1.609344;
const kmhPerMps = 3.6;

/** Below this speed at both ends a leg of a second is the receiver's error, in km/h. */
const idleKmh = 1;

/** A vehicle that stood at both ends of a leg has stood all the while, unless the leg is longer than this. */
const standMetres = 50;

/** Numbers the metres of a track by its own legs, but for those on which the vehicle stood. */
function withWay(moments: readonly Moment[]): Moment[] {
  let metres = 0;
  return moments.map((moment, index) => {
    const leg = metresBetween(moments[index - 1] ?? moment, moment);
    const fastest = Math.max(moments[index - 1]?.kmh ?? idleKmh, moment.kmh ?? idleKmh);
    if (fastest >= idleKmh || leg > standMetres) metres += leg;
    return { ...moment, metres };
  });
}

export interface Drive {
  readonly name: string;
  readonly track: Track;
}

/** The drives of one car, a moment a second. Its tracker sends while the ignition is on. */
export function readDrives(): readonly Drive[] | null {
  const lines = readTrace("drives.csv");
  if (lines === null) return null;
  const drives = Map.groupBy(lines, ({ drive = "" }) => drive);
  return [...drives].map(([name, own]) => {
    const moments = own.map((line) => ({
      at: Date.parse(line.time_utc ?? ""),
      latitude: Number(line.gps_lat),
      longitude: Number(line.gps_long),
      kmh: line.speed_mph ? Number(line.speed_mph) * kmhPerMph : null,
      fix: Number(line.gps_fix) === 3,
      metres: 0,
      ignition: true,
    }));
    return { name, track: withWay(moments.filter(({ latitude }) => latitude !== 0)) };
  });
}

/** The kilometres by the reported speeds, instead of by the places. */
export function kmBySpeed(track: Track): number {
  let metres = 0;
  for (const [index, { at, kmh }] of track.entries()) {
    const before = track[index - 1];
    if (before === undefined) continue;
    metres += ((((before.kmh ?? 0) + (kmh ?? 0)) / 2 / kmhPerMps) * (at - before.at)) / 1000;
  }
  return metres / 1000;
}

/** The straight lines from each moment to the next. */
export function kmByLegs(track: Track): number {
  let metres = 0;
  for (const [index, moment] of track.entries()) metres += metresBetween(track[index - 1] ?? moment, moment);
  return metres / 1000;
}

/** A day of each bus of a city, some 20 to 120 s apart. Its way is by its legs, which cut corners. */
export function readBuses(): readonly Drive[] | null {
  const lines = readTrace("buses-2016-05-30.csv");
  if (lines === null) return null;
  const distinct = new Map(lines.map((line) => [`${line.vehicle_id} ${line.timestamp}`, line]));
  const buses = Map.groupBy(distinct.values(), ({ vehicle_id = "" }) => vehicle_id);
  return [...buses].map(([name, own]) => {
    const moments = own.map((line) => ({
      at: Date.parse(line.timestamp ?? ""),
      latitude: Number(line.latitude),
      longitude: Number(line.longitude),
      kmh: line.speed ? Number(line.speed) * kmhPerMps : null,
      metres: 0,
      ignition: null,
    }));
    return { name, track: withWay(moments.sort((one, other) => one.at - other.at)) };
  });
}
