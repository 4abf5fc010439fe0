import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Frame } from "../../../src/domain/frame.ts";
import { compareFrames } from "../../../src/domain/frame.ts";
import { frameWith } from "./quality-frames.ts";

const folder = resolve(import.meta.dir, "../../../../shared/data");

/** The rows of a real trace, by column; null, with a line that says so, where the traces are absent. */
function readRows(name: string): readonly Readonly<Record<string, string>>[] | null {
  const path = resolve(folder, name);
  if (!existsSync(path)) {
    console.log(`skipped: there is no ../shared/data/${name}`);
    return null;
  }
  const [header = "", ...lines] = readFileSync(path, "utf8").trim().split("\n");
  const columns = header.split(",");
  return lines.map((line) => {
    const values = line.split(",");
    return Object.fromEntries(columns.map((column, index) => [column, values[index] ?? ""]));
  });
}

const number = (value: string | undefined) => (value ? Number(value) : null);
const times = (value: string | undefined, factor: number) => (value ? Number(value) * factor : null);

/** One car, a frame a second, 14 drives. */
export function readDrives(): Frame[] | null {
  const rows = readRows("drives.csv");
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
  const rows = readRows("buses-2016-05-30.csv");
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
