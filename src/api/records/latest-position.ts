import { z } from "zod";
import { formatReported, timeSourceOf, valuesAlone } from "../../domain/reported.ts";
import { formatInstant } from "../../domain/time/time.ts";
import type { LatestPositionRow } from "../../store/frames/positions.ts";
import { writtenText } from "./body.ts";
import { amount, instantText, uuidText } from "./fields.ts";
import { reportedKeys } from "./frames-json.ts";
import type { JsonWriter } from "./json-writer.ts";
import { east, latitude, longitude, north } from "./place-fields.ts";
import { exampleFrame, positionFields } from "./position.ts";
import { writtenRecord } from "./record.ts";
import { story, thatMorning } from "./story.ts";
import { instantOrNull } from "./values.ts";

/** With the distance from the place that was asked for, if one was. */
type ShownPosition = LatestPositionRow & { readonly distance_m?: number };

/** Written by hand because every frame of a visible device makes a new page for each poller. */
export function writeLatestPositions(json: JsonWriter, rows: readonly ShownPosition[]): void {
  for (const [index, row] of rows.entries()) {
    if (index > 0) json.json(",");
    writeLatestPosition(json, row);
  }
}

function writeLatestPosition(json: JsonWriter, row: ShownPosition): void {
  const recordedAt = formatInstant(row.recorded_at);
  const receivedAt = formatInstant(row.received_at);
  json.json(
    `{"device_id":"${row.device_id}","imei":"${row.imei}","recorded_at":"${recordedAt}","received_at":"${receivedAt}"`,
  );
  json.values(reportedKeys, valuesAlone(row.fields_json));
  const { name, plate, trip_id, driver_id, driver_name } = row;
  const ignition_since = instantOrNull(row.ignition_since);
  const shown = {
    valid: true,
    reject_reason: null,
    discontinuity: Boolean(row.discontinuity),
    driver_id,
    driver_name,
    time_source: timeSourceOf(row.fields_json) ?? "tracker",
    name,
    plate,
    ignition_since,
    trip_id,
  };
  const distance = row.distance_m === undefined ? "" : `,"distance_m":${row.distance_m}`;
  json.json(`,${JSON.stringify(shown).slice(1, -1)},"geofence_ids":${row.geofence_ids_json ?? "[]"}${distance}}`);
}

const exampleRow: LatestPositionRow = {
  device_id: story.deviceId,
  imei: story.imei,
  recorded_at: exampleFrame.recordedAt,
  received_at: exampleFrame.receivedAt,
  fields_json: formatReported(exampleFrame),
  discontinuity: false,
  name: story.name,
  plate: story.plate,
  ignition_since: thatMorning("07:41:55"),
  trip_id: story.tripId,
  geofence_ids_json: JSON.stringify([story.geofenceId]),
  driver_id: story.driverId,
  driver_name: story.driverName,
};

const plain = z.strictObject({
  ...positionFields,
  latitude: latitude.nullable().describe(north),
  longitude: longitude.nullable().describe(east),
  valid: z.literal(true).describe("Always true: a rejected frame never becomes the live position."),
  reject_reason: z.null().describe("Always null."),
  name: z.string().meta({ description: "The device's name.", examples: [story.name] }),
  plate: z
    .string()
    .nullable()
    .meta({ description: "The vehicle's number plate.", examples: [story.plate] }),
  ignition_since: instantText.nullable().describe("Since when the ignition has been as it is."),
  trip_id: uuidText.nullable().describe("The trip under way; null while the vehicle is parked."),
  geofence_ids: z.array(uuidText).describe("The geofences, of those assigned to the device, that it is inside of."),
});

const distance_m = amount.describe("Metres from `near`, as the crow flies. Only if the request has `near`.");

export const latestPosition = writtenRecord<LatestPositionRow>({
  name: "LatestPosition",
  description: "A device's newest valid frame. A device that never had one is not listed.",
  shape: { ...plain.shape, distance_m: distance_m.optional() },
  exampleRow,
  json: (rows) => writtenText((writer) => writeLatestPositions(writer, rows)),
});

/** The records of a request without `near`, and of one with it: for tables, which have no optional columns. */
export const latestColumns = { plain, near: plain.extend({ distance_m }) };
