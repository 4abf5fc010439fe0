import { tag } from "../input/filters.ts";
import { nearParameter } from "../input/near.ts";
import type { Parameter } from "../input/parameter.ts";
import {
  cursor,
  deviceId,
  from,
  imeiParameter,
  limit,
  reportFrom,
  reportTo,
  timeParameter,
  toTime,
} from "../input/parameters.ts";
import { geofenceId } from "../input/stop-filters.ts";

/** What each tool is for, in words for a model, by operation. Windows and pages are described in tools.ts. */
export const toolTexts: Readonly<Record<string, string>> = {
  listChanges:
    "What became known, was corrected or was withdrawn since an earlier call, in the order in which it was stored. Call it " +
    "without `after` first: the answer is empty, and its `resume_after` is the `after` of the next call. For what happened " +
    "in a period of time use the other tools.",
  listDevices:
    "Vehicles of the fleet: device_id, IMEI, name, plate, status, make, model, year, tags, odometer (km) and when the " +
    "tracker was last heard of. Use `search` with a part of a name, a plate or an IMEI to find a vehicle. Other tools take " +
    "its name as `device_id`, too.",
  getDevice: "One vehicle by its name, plate, IMEI or device_id: the whole record.",
  getDeviceAlertSettings:
    "The alert rules of one vehicle: type, whether it is enabled, severity, parameters such as limits, and the geofences " +
    "it is about.",
  listDeviceGeofences:
    "The geofences that are assigned to one vehicle: name, shape, and whether the vehicle is inside one now (`inside`). " +
    "The geometry (GeoJSON, longitude first) comes if `fields` names it.",
  listLatestPositions:
    "Where vehicles are now: the newest valid position of each, with latitude and longitude, speed (km/h), heading " +
    "(degrees), ignition and since when it is so, the trip under way (`trip_id`, null if none) and the geofences that the " +
    "vehicle is in. `recorded_at` says how old the position is. With `near` the nearest come first, with their distance " +
    "(`distance_m`, metres).",
  listPositionHistory:
    "The track of one vehicle: its stored positions, ascending in time, with speed (km/h), heading (degrees) and " +
    "ignition. Needs `device_id` or `imei`. There may be thousands in a day: for distances, driving times and where a " +
    "vehicle went, list_trips and report_mileage answer with far fewer rows.",
  listPositionsAt:
    "Where vehicles were at one moment: the last valid position of each at or before `time`, and how old it was then " +
    "(`age_s`, seconds). Vehicles without a position in the hour before are left out; `max_age_s` changes that. With `near` " +
    "the nearest come first, with their distance (`distance_m`, metres). For now use list_latest_positions.",
  listTrips:
    "Trips of vehicles, ascending in start: when and where each began and ended (coordinates), distance (km), duration " +
    "and idling (seconds), highest and average speed (km/h), and why it ended. A trip under way has the status " +
    "in_progress and no end. A trip is found if any part of it is in the window.",
  listStops:
    "Where vehicles stood between two trips, ascending in start: place (coordinates), geofences, from when until when, how long " +
    "and how long of it with the ignition on (seconds). Where a vehicle stands now has the status open and no end. Use " +
    "`min_duration_s` for the longer ones, and `geofence_id` for visits to one place. A stop is found if any part of it is in " +
    "the window.",
  listAlerts:
    "Alerts of vehicles, such as speeding, idling, fuel drops, panic button, geofences, lost contact; ascending in time: " +
    "type, severity, a message, when it occurred and ended, where, the measured value with its threshold and unit, and " +
    "whether a user acknowledged it.",
  listSensorReadings:
    "Readings of one kind of sensor, ascending in time: fuel (level in percent, volume in litres), temperature (degrees " +
    "Celsius, humidity in percent) or tyre (pressure in kPa, temperature). Name a vehicle with `device_id` or `imei`.",
  listGeofences:
    "Geofences: name, shape (circle, polygon or corridor), geometry as GeoJSON (longitude first), radius or width " +
    "(metres), bounds (`bbox`: west, south, east, north). The geometry comes if `fields` names it, and may be long.",
  listGeofenceEvents:
    "Vehicles entering and leaving geofences, ascending in time: which vehicle, which geofence by name, enter or exit, " +
    "when, and for an exit how long it was inside (`dwell_s`, seconds).",
  listUsers: "Sub-accounts that may see a part of the fleet: name, e-mail, status, and how many vehicles each sees.",
  getUser: "One sub-account by its user_id: the same record as in list_users.",
  reportMileage:
    "What each vehicle drove on each day: distance (km), number of trips, driving and idling time (seconds), highest speed " +
    "(km/h), odometer at both ends of the day. A year at most. Days are those of the account's time zone; give `from` and " +
    "`to` as dates, `to` is not included. For weeks, months and whole periods report_mileage_sums has fewer rows. Too many rows " +
    "are added up, and the result says so.",
  reportMileageSums:
    "Sums of report_mileage: one row for each vehicle, tag or driver, or for the whole fleet (`group_by`), over the window or by " +
    "day, week or month (`period`). Give `from` and `to` as dates of the fleet's time zone, `to` is not included. " +
    "`driver_id` narrows to one driver, by name or tag.",
  listDrivers:
    "Drivers by name, with the ids of their tags and cards, and when they were last seen; tags that nobody named have no name.",
};

/**
 * What an argument means, where a model needs other words than a programmer. Formats are in the words and not in the schema:
 * some models refuse every tool if one names a format that they do not know, and a client that checks `date-time` would
 * refuse the dates that the API takes.
 */
export const argumentTexts: ReadonlyMap<Parameter<unknown>, string> = new Map<Parameter<unknown>, string>([
  [deviceId, "One vehicle, by its name, plate or device_id. Left out: every vehicle, unless one is needed."],
  [imeiParameter, "One vehicle, by its IMEI instead of its device_id."],
  [
    from,
    "Start of the window, included: 2026-05-01T08:00:00Z, or 2026-05-01 for midnight UTC. Default: 24 hours before `to`.",
  ],
  [toTime, "End of the window, not included. Default: now."],
  [
    reportFrom,
    "First day, such as 2026-05-01. A time (ISO 8601) stands for the day that it is in. Default: 24 hours before `to`, or " +
      "the day before it if that is a date.",
  ],
  [reportTo, "The day after the last one, such as 2026-05-08; or a time. Default: now."],
  [tag, "Only vehicles with exactly this tag."],
  [geofenceId, "Only in this geofence, by its name or geofence_id."],
  [
    timeParameter,
    "The moment, as ISO 8601: 2026-05-01T12:00:00Z, or with an offset of the fleet's place: 2026-05-01T12:00:00+02:00.",
  ],
  [
    nearParameter,
    "A place, as latitude,longitude: 52.52,13.405. The nearest vehicles come first, 500 at most. `offset` leads to more.",
  ],
  [limit, "Rows per page. Few rows are read faster, and are mostly enough."],
  [cursor, "The `next_cursor` of the page before. Other arguments stay the same."],
]);
