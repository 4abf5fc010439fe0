import { z } from "zod";
import type { ChangeType } from "../../domain/changes/types.ts";
import { alert } from "./alert.ts";
import { alertSettings } from "./alert-settings.ts";
import { device } from "./device.ts";
import { instant, uuid } from "./fields.ts";
import { geofence } from "./geofence.ts";
import { geofenceEvent } from "./geofence-event.ts";
import { mileageDay } from "./mileage.ts";
import { position } from "./position.ts";
import { reading } from "./reading.ts";
import { story } from "./story.ts";
import { trip } from "./trip.ts";
import { user } from "./user.ts";

/** The records that changes are about, each by the name of its change in the description. */
const records: Readonly<Record<ChangeType, { readonly name: string; readonly schema: z.ZodType }>> = {
  device: { name: "DeviceChange", schema: device.schema },
  position: { name: "PositionChange", schema: position.schema },
  trip: { name: "TripChange", schema: trip.schema },
  alert: { name: "AlertChange", schema: alert.schema },
  reading: { name: "ReadingChange", schema: reading.schema },
  geofence: { name: "GeofenceChange", schema: geofence.schema },
  geofence_event: { name: "GeofenceEventChange", schema: geofenceEvent.schema },
  mileage: { name: "MileageChange", schema: mileageDay.schema },
  user: { name: "UserChange", schema: user.schema },
  alert_settings: { name: "AlertSettingsChange", schema: alertSettings.schema },
};

const kindOfChange = z
  .enum(["put", "removed"])
  .describe("`put`: this is the record now, new or changed. `removed`: there is no such record any more.");

function changeOf(type: ChangeType) {
  const { name, schema } = records[type];
  return z
    .strictObject({
      type: z.literal(type).describe("What the record is."),
      change: kindOfChange,
      id: z
        .string()
        .describe(
          "The record's own id. Alert settings have their device's, mileage `device_id/date`, positions and readings a " +
            "text that stays the same for the same one.",
        ),
      device_id: uuid.nullable().describe("The device that it belongs to; null for geofences and users."),
      changed_at: instant.describe("When the change was stored."),
      record: schema.nullable().describe("The record as its list shows it; null if it was removed."),
    })
    .meta({ id: name, description: `A change of a record of the type \`${type}\`.` });
}

const change = z
  .discriminatedUnion("type", [
    changeOf("device"),
    changeOf("position"),
    changeOf("trip"),
    changeOf("alert"),
    changeOf("reading"),
    changeOf("geofence"),
    changeOf("geofence_event"),
    changeOf("mileage"),
    changeOf("user"),
    changeOf("alert_settings"),
  ])
  .meta({ id: "Change", description: "A record that became known, was corrected or was withdrawn." });

/** A change as a row of a table: what the record holds depends on its type. */
export const changeRow = z.strictObject({
  type: z.string(),
  change: kindOfChange,
  id: z.string(),
  device_id: uuid.nullable(),
  changed_at: instant,
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
