import { reportedFields } from "../../domain/reported.ts";
import type { KnownFields } from "./records.ts";

/** Frames in a fleet file. Here they are only counted, and their devices looked up; the intake reads and stores them. */

/** The frame of a line, of which only the device matters here, or what is wrong with it. */
export type ReadFrame = (raw: Readonly<Record<string, unknown>>) => { readonly imei: string } | string;

export interface FrameLines {
  readonly count: number;
  readonly firstLineByImei: ReadonlyMap<string, number>;
}

const ofSensors = [
  ["kind", "sensor", "level_percent", "volume_l", "temperature_c", "humidity_percent"],
  ["axle", "wheel", "pressure_kpa"],
].flat();

/** What is not listed here was probably misspelt. */
export const knownFrameFields: KnownFields = {
  ...Object.fromEntries(
    ["imei", "recorded_at", "received_at", "fix", "source", "driver_id", "time_source", ...reportedFields].map(
      (name) => [name, null],
    ),
  ),
  sensors: Object.fromEntries(ofSensors.map((name) => [name, null])),
};

/** Turns `imei: expected …; speed_kmh: expected …` into the form of other problems. */
export function inWordsOfLines(problems: string): string {
  return problems.replace(/(^|; )([a-z_]+(?:\[\d+\](?:\.[a-z_]+)?)?): expected/g, '$1field "$2": expected');
}
