import { z } from "zod";
import type { Frame } from "../../domain/frame.ts";
import { timeSources } from "../../domain/reported.ts";
import { accepted } from "../../domain/verdict.ts";
import { frameLineOf } from "../../store/blocks/frame-line.ts";
import type { DriverNames } from "../../store/fleet/drivers.ts";
import type { FoundFrame } from "../../store/frames/found-frames.ts";
import { writtenText } from "./body.ts";
import { driverFields } from "./driver-fields.ts";
import { deviceFields, instantText, int32 } from "./fields.ts";
import { writeFrames } from "./frames-json.ts";
import { frameCoordinates } from "./place-fields.ts";
import { schemasOf, writtenRecord } from "./record.ts";
import { story, thatMorning } from "./story.ts";

/** For a single frame, as in an example: its device and itself. */
export interface FrameRow {
  readonly device_id: string;
  readonly imei: string;
  readonly frame: FoundFrame;
  readonly names: DriverNames;
}

export const exampleFrame: Frame = {
  recordedAt: thatMorning("08:02:30"),
  receivedAt: thatMorning("08:02:31") + 184,
  digest: 5_081_137_923_465_127,
  latitude: 52.5200066,
  longitude: 13.404954,
  altitude_m: 34.5,
  speed_kmh: 46,
  heading_deg: 287.4,
  accuracy_m: 3.2,
  satellites: 14,
  hdop: 0.8,
  ignition: true,
  odometer_km: 184037.912,
  battery_percent: 98,
  external_voltage_v: 13.842,
  event: null,
  fix: null,
  source: null,
  sensors: [],
  driver_id: story.driverId,
};
export const exampleNames: DriverNames = new Map([[story.driverId, story.driverName]]);
const exampleRow: FrameRow = {
  device_id: story.deviceId,
  imei: story.imei,
  frame: frameLineOf({ frame: exampleFrame, verdict: accepted }),
  names: exampleNames,
};

const timeSource = z.enum(timeSources).meta({ id: "TimeSource", description: "Whose clock a time is by." });

/** A frame's own fields, as history and the live positions show them. */
export const positionFields = {
  ...schemasOf(deviceFields),
  recorded_at: instantText.describe("When the tracker recorded the frame."),
  received_at: instantText.describe(
    "When the frame was received. Long after `recorded_at` if the tracker was offline.",
  ),
  ...schemasOf(frameCoordinates),
  altitude_m: z.number().nullable().describe("Metres above sea level, as the tracker reports them."),
  speed_kmh: z.number().nullable().describe("Kilometres per hour, as the tracker reports them."),
  heading_deg: z.number().nullable().describe("Direction of travel in degrees, clockwise from north."),
  accuracy_m: z.number().nullable().describe("Radius, in metres, within which the tracker believes itself to be."),
  satellites: int32.nullable().describe("Satellites in use."),
  hdop: z.number().nullable().describe("Horizontal dilution of precision: the lower, the better."),
  ignition: z.boolean().nullable().describe("Whether the ignition is on; null if the tracker does not know."),
  odometer_km: z.number().nullable().describe("The vehicle's or the tracker's odometer, in kilometres."),
  battery_percent: z.number().nullable().describe("Charge of the tracker's own battery."),
  external_voltage_v: z.number().nullable().describe("Voltage of the vehicle's supply, in volts."),
  event: z
    .string()
    .nullable()
    .meta({ description: "What made the tracker send the frame, such as `sos`.", examples: ["sos", null] }),
  valid: z.boolean().describe("Whether the quality filter accepted the frame."),
  reject_reason: z
    .string()
    .nullable()
    .meta({
      description:
        "Why the frame was rejected; null if it is valid. One of `time_invalid`, `future_time`, `too_old`, `no_fix`, " +
        "`out_of_range`, `zero_coordinates`, `approximate`, `low_satellites`, `low_precision`, `implausible_jump`, " +
        "`spike`; others may be added.",
      examples: [null, "implausible_jump"],
    }),
  discontinuity: z
    .boolean()
    .describe("Whether the vehicle is believed to have been moved here, such as on a ferry: no distance is counted."),
  ...schemasOf(driverFields),
  time_source: timeSource.describe(
    "Whose clock `recorded_at` is by: `tracker`; `receipt` where the message had no time, or an alarm none that can be " +
      "read, so that it is when the frame was received.",
  ),
};

const textOf = ({ device_id: id, imei, frame, names }: FrameRow) =>
  writtenText((writer) => writeFrames(writer, { id, imei }, [frame], 1, names));

/** Pages of it are written by `writeFrames`. */
export const position = writtenRecord<FrameRow>({
  name: "Position",
  description:
    "A stored frame of a device. What a tracker did not report is null. Coordinates of a valid frame lie within ±90 and ±180 degrees.",
  shape: positionFields,
  exampleRow,
  json: (rows) => rows.map(textOf).join(","),
});
