import { z } from "zod";
import { accepted } from "../../domain/verdict.ts";
import { frameLineOf } from "../../store/blocks/frame-line.ts";
import type { DriverNames } from "../../store/fleet/drivers.ts";
import type { FoundFrame } from "../../store/frames/found-frames.ts";
import { writtenText } from "./body.ts";
import { amount } from "./fields.ts";
import { writeFrames } from "./frames-json.ts";
import type { JsonWriter } from "./json-writer.ts";
import { east, latitude, longitude, north } from "./place-fields.ts";
import { exampleFrame, exampleNames, positionFields } from "./position.ts";
import { writtenRecord } from "./record.ts";
import { story } from "./story.ts";

export interface PositionAtRow {
  readonly device_id: string;
  readonly imei: string;
  readonly frame: FoundFrame;
  readonly age_ms: number;
  readonly distance_m: number | null;
}

export function writePositionsAt(json: JsonWriter, rows: readonly PositionAtRow[], names: DriverNames): void {
  for (const [index, { device_id: id, imei, frame, age_ms, distance_m }] of rows.entries()) {
    if (index > 0) json.json(",");
    writeFrames(json, { id, imei }, [frame], 1, names);
    // Into the record that ends here.
    json.at -= "}".length;
    json.json(`,"age_s":${age_ms / 1000},"distance_m":${distance_m}}`);
  }
}

const exampleRow: PositionAtRow = {
  device_id: story.deviceId,
  imei: story.imei,
  frame: frameLineOf({ frame: exampleFrame, verdict: accepted }),
  age_ms: 30_000,
  distance_m: 1889.6,
};

/** Pages of it are written by `writePositionsAt`. */
export const positionAt = writtenRecord<PositionAtRow>({
  name: "PositionAt",
  description: "A device's last valid frame at or before the requested time.",
  shape: {
    ...positionFields,
    latitude: latitude.nullable().describe(north),
    longitude: longitude.nullable().describe(east),
    valid: z.literal(true).describe("Always true."),
    reject_reason: z.null().describe("Always null."),
    age_s: amount.describe("Seconds from `recorded_at` to the requested time."),
    distance_m: amount.nullable().describe("Metres from `near`, as the crow flies; null without `near`."),
  },
  exampleRow,
  json: (rows) => writtenText((writer) => writePositionsAt(writer, rows, exampleNames)),
});
