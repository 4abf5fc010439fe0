import { z } from "zod";
import { type ChangeType, changeTypes } from "../../domain/changes/types.ts";
import { alert } from "./alert.ts";
import { alertSettings } from "./alert-settings.ts";
import { device } from "./device.ts";
import { driver } from "./driver.ts";
import { instantText, uuidText } from "./fields.ts";
import { geofence } from "./geofence.ts";
import { geofenceEvent } from "./geofence-event.ts";
import { mileageDay } from "./mileage.ts";
import { position } from "./position.ts";
import { reading } from "./reading.ts";
import { stop } from "./stop.ts";
import { story } from "./story.ts";
import { trip } from "./trip.ts";
import { user } from "./user.ts";

const schemas: Readonly<Record<ChangeType, z.ZodType>> = {
  device: device.schema,
  position: position.schema,
  trip: trip.schema,
  stop: stop.schema,
  alert: alert.schema,
  reading: reading.schema,
  geofence: geofence.schema,
  geofence_event: geofenceEvent.schema,
  mileage: mileageDay.schema,
  user: user.schema,
  alert_settings: alertSettings.schema,
  driver: driver.schema,
};

const kindOfChange = z
  .enum(["put", "removed"])
  .describe("`put`: this is the record now, new or changed. `removed`: there is no such record any more.");

function changeOf(type: ChangeType) {
  const name = `_${type}`.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return z
    .strictObject({
      type: z.literal(type).describe("What the record is."),
      change: kindOfChange,
      id: z
        .string()
        .describe(
          "The record's own id. Alert settings have their device's, mileage `device_id/date`, a driver that nobody has " +
            "named the tag's, positions and readings a text that stays the same for the same one.",
        ),
      device_id: uuidText.nullable().describe("The device that it belongs to; null for geofences, users and drivers."),
      changed_at: instantText.describe("When the change was stored."),
      record: schemas[type].nullable().describe("The record as its list shows it; null if it was removed."),
    })
    .meta({ id: `${name}Change`, description: `A change of a record of the type \`${type}\`.` });
}

const [firstType, ...otherTypes] = changeTypes;
const change = z
  .discriminatedUnion("type", [changeOf(firstType), ...otherTypes.map(changeOf)])
  .meta({ id: "Change", description: "A record that became known, was corrected or was withdrawn." });

/** A change as a row of a table: what the record holds depends on its type. */
export const changeRow = z.strictObject({
  type: z.string(),
  change: kindOfChange,
  id: z.string(),
  device_id: uuidText.nullable(),
  changed_at: instantText,
  record: z.unknown(),
});

/** A page of changes: the envelope of every list, and where to go on. */
export const changePage = {
  schema: z
    .strictObject({
      data: z.array(change).describe("The changes of the page, in the order in which they were committed."),
      next_cursor: z.string().nullable().describe("Opaque; pass it as `cursor`. Null: the end has been reached."),
      resume_after: z
        .string()
        .describe("Opaque; pass it as `after` once this page is stored and `next_cursor` is null, or to go on later."),
    })
    .meta({ id: "ChangeList" }),
  example: {
    data: [
      {
        type: "alert",
        change: "removed",
        id: "0c1d7a52-6b0e-8d14-9f3c-2a7be4d05f61",
        device_id: story.deviceId,
        changed_at: "2026-03-17T08:19:51.081Z",
        record: null,
      },
      {
        type: "trip",
        change: "put",
        id: story.tripId,
        device_id: story.deviceId,
        changed_at: "2026-03-17T08:19:51.081Z",
        record: trip.example,
      },
    ],
    next_cursor: null,
    resume_after: "Vb0w7Lk2sTn5uQe1xJdR4gQ2xhaw1c9mZ8Jr0cVd1qk",
  },
} as const;
