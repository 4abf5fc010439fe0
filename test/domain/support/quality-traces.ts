import { compareFrames, type Frame } from "../../../src/domain/frame.ts";
import { readTrace } from "../../support/shared-traces.ts";
import { frameWith } from "./quality-frames.ts";

const number = (value: string | undefined) => (value ? Number(value) : null);
const times = (value: string | undefined, factor: number) => (value ? Number(value) * factor : null);

/** One car, a frame a second, 14 drives. */
export function readDrives(): Frame[] | null {
  const rows = readTrace("drives.csv");
  if (rows === null) return null;
  const frames = rows.map((row, digest) =>
    frameWith({
      recordedAt: Date.parse(row.time_utc ?? ""),
      digest,
      latitude: number(row.gps_lat),
      longitude: number(row.gps_long),
      altitude_m: number(row.gps_elevation),
      heading_deg: number(row.gps_heading),
      fix: number(row.gps_fix) === 3,
      satellites: number(row.gps_sats),
      hdop: number(row.gps_hdop),
      speed_kmh: times(row.speed_mph, 1.609344),
    }),
  );
  return frames.sort(compareFrames);
}

/** A day of a city's buses, each bus on its own. A frame that is there for two trips of its bus is taken once. */
export function readBuses(): Map<string, Frame[]> | null {
  const rows = readTrace("buses-2016-05-30.csv");
  if (rows === null) return null;
  const distinct = new Map(rows.map((row) => [`${row.vehicle_id} ${row.timestamp}`, row]));
  const buses = new Map<string, Frame[]>();
  for (const [digest, row] of [...distinct.values()].entries()) {
    const frame = frameWith({
      recordedAt: Date.parse(row.timestamp ?? ""),
      digest,
      latitude: number(row.latitude),
      longitude: number(row.longitude),
      fix: null,
      speed_kmh: times(row.speed, 3.6),
    });
    const vehicle = row.vehicle_id ?? "";
    buses.set(vehicle, [...(buses.get(vehicle) ?? []), frame]);
  }
  for (const frames of buses.values()) frames.sort(compareFrames);
  return buses;
}
