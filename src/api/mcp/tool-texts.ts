import { changeTypes } from "../../domain/changes/types.ts";
import { types } from "../changes/types.ts";
import { drivenBy } from "../input/driver-filter.ts";
import {
  acknowledged,
  alertType,
  maxValue,
  minValue,
  searchParameter,
  severityParameter,
  statusParameter,
  tag,
  validOnly,
} from "../input/filters.ts";
import { nearParameter, radius } from "../input/near.ts";
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
import { devicePath, kindPath, userPath } from "../input/path-parameters.ts";
import { geofenceId, minDurationS } from "../input/stop-filters.ts";
import { sumGroup, sumPeriod } from "../input/sum-filters.ts";
import { followedAfter } from "../routes/changes.ts";

/** What each tool is for, in words for a model, by operation. Windows and pages are described in tools.ts. */
export const toolTexts: Readonly<Record<string, string>> = {
  getMe: "The account with its time zone, the user, the key and its limits, and when the newest frame came.",
  listChanges:
    "What became known, was corrected or was withdrawn since an earlier call. Call it without `after` first: the answer is empty, " +
    "and its `resume_after` is the `after` of the next call. For a period of time use other tools.",
  listDevices:
    "Vehicles: name, plate, status, type, tags, odometer (km), when last heard of. `search`: part of a name, plate or IMEI.",
  getDevice: "One vehicle: the whole record.",
  getDeviceAlertSettings:
    "The alert rules of one vehicle: type, whether enabled, severity, parameters such as limits, geofences.",
  listDeviceGeofences:
    "The geofences assigned to one vehicle, and whether it is `inside` now. `fields` may name the geometry.",
  listDrivers: "Drivers by name, with the ids of their tags, and when last seen. Tags that nobody named have no name.",
  listLatestPositions:
    "Where vehicles are now: newest valid position of each, speed (km/h), ignition. `recorded_at` says how old it is. With " +
    "`near` the nearest come first (`distance_m`).",
  listPositionHistory:
    "The track of one vehicle: its positions, ascending in time. There may be thousands in a day: for distances and where it " +
    "went, list_trips and report_mileage_sums have far fewer rows.",
  listPositionsAt:
    "Where vehicles were at one moment: the last valid position of each before `time`, and how old it was then (`age_s`). Without " +
    "one in the hour before (`max_age_s`) a vehicle is left out. With `near` the nearest come first (`distance_m`).",
  listTrips:
    "Trips, ascending in start: when and where each began and ended, distance (km), duration and idling (s), highest speed, " +
    "driver. One under way has no end. A trip is found if any part of it is in the window.",
  listStops:
    "Where vehicles stood between trips, ascending in start: place, geofences, how long, how long with ignition on (s). Where " +
    "one stands now has no end. A stop is found if any part of it is in the window.",
  listAlerts:
    "Alerts, ascending in time: type, severity, message, when it occurred and ended, measured value, whether acknowledged. The " +
    "types are codes: `sos` is the panic button, `device_offline` lost contact, `fuel_drain` a drop of fuel.",
  listSensorReadings:
    "Readings of one kind of sensor, ascending in time: fuel (%, litres), temperature (°C, humidity %) or tyre (kPa, °C).",
  listGeofences: "Geofences: name, shape, radius or width (m), bounds (`bbox`: west, south, east, north).",
  listGeofenceEvents:
    "Vehicles entering and leaving geofences, ascending in time: which geofence, enter or exit, and for an exit how long it was " +
    "inside (`dwell_s`).",
  listUsers: "Sub-accounts that may see a part of the fleet: name, e-mail, status, number of vehicles.",
  getUser: "One sub-account.",
  reportMileage:
    "What each vehicle drove on each day: distance (km), trips, driving and idling (s), highest speed. A year at most. `to` is " +
    "not included. Too many rows are added up. For weeks, months or a whole period ask report_mileage_sums.",
  reportMileageSums:
    "Sums of mileage for each vehicle, tag or driver, or for the fleet (`group_by`), over the window or by day, week or month " +
    "(`period`). A year at most.",
};

/**
 * What an argument means, where a model needs other words than a programmer. Formats are in the words and not in the schema:
 * some models refuse every tool if one names a format that they do not know, and a client that checks `date-time` would
 * refuse the dates that the API takes.
 */
export const argumentTexts: ReadonlyMap<Parameter<unknown>, string> = new Map<Parameter<unknown>, string>([
  [deviceId, "One vehicle: name, plate, IMEI or device_id."],
  [devicePath, "The vehicle: name, plate, IMEI or device_id."],
  [userPath, "Its user_id."],
  [kindPath, "What is measured."],
  [imeiParameter, "One vehicle, by its IMEI."],
  [from, "Start (ISO 8601). Default: 24 hours before `to`."],
  [toTime, "End, not included. Default: now."],
  [reportFrom, "First day, such as 2026-05-01. Default: 24 hours before `to`."],
  [reportTo, "The day after the last. Default: now."],
  [tag, "Only vehicles with this tag."],
  [drivenBy, "One driver: name, or id of the tag."],
  [geofenceId, "One geofence: name or geofence_id."],
  [minDurationS, "Only those that lasted so many seconds."],
  [timeParameter, "The moment, as ISO 8601."],
  [nearParameter, "A place: latitude,longitude, or the name of a geofence or vehicle."],
  [radius, "With `near`: only within so many metres."],
  [searchParameter, "Part of a name, plate or IMEI."],
  [statusParameter, "Only those of this status."],
  [alertType, "Only this type."],
  [severityParameter, "Only this severity."],
  [acknowledged, "Only these."],
  [minValue, "Only with a value of at least this."],
  [maxValue, "Only with a value of at most this."],
  [validOnly, "Without positions that were judged wrong."],
  [sumPeriod, "Length of a period; weeks begin on Monday."],
  [sumGroup, "Whose sums. A vehicle with two tags counts in each."],
  [types, `Comma list of ${changeTypes.join(", ")}. Default: all.`],
  [followedAfter, "The `resume_after` of an earlier answer. Left out: from now on."],
  [limit, "Rows per page."],
  [cursor, "`next_cursor` of the page before; repeat the other arguments."],
]);
