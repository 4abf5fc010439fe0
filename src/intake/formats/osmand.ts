import { isObject, type RawObject } from "../../domain/text/raw-object.ts";
/** The OsmAnd protocol: parameters of a query or a form. The device's `id` must be its IMEI. */
import { eachParameter } from "../../http/url.ts";
import type { FormatResult } from "../incoming-frame.ts";
import {
  accuracyOf,
  booleanOf,
  type ForeignFields,
  foreignFrame,
  framesWithEvents,
  measured,
  numberOf,
  refused,
  requireOneImei,
  requirePlace,
} from "./foreign.ts";
import { instantOrEpoch, instantOrMs } from "./instants.ts";
import { problem } from "./problems.ts";
import { eventsOfAlarm, readAttributes } from "./traccar-attributes.ts";
import { fractionToPercent, metresToKm, toKmh } from "./units.ts";

type QueryValues = Readonly<Record<string, string | undefined>>;

/**
 * Of a parameter given twice the last counts; a device given twice must be the same. Without a `timestamp` the frame gets the
 * present time, so it is no duplicate when it is sent again. Parameters that are not of the protocol are read as Traccar's
 * attributes.
 */
export function readOsmandQuery(query: string, now: number): FormatResult {
  const { values, devices } = readParameters(query);
  const problems: string[] = [];
  const imei = requireOneImei(devices, "id", problems);
  const recordedAt = values.timestamp === undefined ? now : instantOrEpoch(values.timestamp);
  if (recordedAt === null) {
    problems.push(problem("timestamp", "seconds or milliseconds since 1970, or an ISO 8601 time", values.timestamp));
  }
  const place = readPlace(values, problems);
  if (problems.length > 0) return refused(problems);
  const attributes = readAttributes(values, values.batt ?? values.batteryLevel);
  const frame = foreignFrame(imei, recordedAt, now, { ...attributes, ...place });
  return framesWithEvents(frame, eventsOfAlarm(values.alarm));
}

interface Parameters {
  /** The last of each name. */
  readonly values: QueryValues;
  /** All that are named, the last first. */
  readonly devices: readonly string[];
}

export function readParameters(query: string): Parameters {
  const values: Record<string, string> = {};
  const [deviceIds, ids]: [string[], string[]] = [[], []];
  eachParameter(query, (name, value) => {
    values[name] = value;
    if (name === "deviceid") deviceIds.push(value);
    else if (name === "id") ids.push(value);
  });
  return { values, devices: [...deviceIds, ...ids].reverse() };
}

/** A message may have no place, only the state of the vehicle. */
function readPlace(values: QueryValues, problems: string[]): ForeignFields {
  const [lat, lon] = values.location === undefined ? [values.lat, values.lon] : values.location.split(",");
  if (lat === undefined && lon === undefined) return { fix: false };
  return {
    latitude: requirePlace(lat, "latitude", values.location === undefined ? "lat" : "location", problems),
    longitude: requirePlace(lon, "longitude", values.location === undefined ? "lon" : "location", problems),
    altitude_m: measured(numberOf(values.altitude), "altitude_m"),
    speed_kmh: measured(readSpeed(values), "speed_kmh"),
    heading_deg: measured(numberOf(values.bearing ?? values.heading), "heading_deg"),
    accuracy_m: accuracyOf(values.accuracy),
    fix: values.valid === undefined ? null : (booleanOf(values.valid.toLowerCase()) ?? false),
  };
}

/** The protocol's `speed` is in knots. OsmAnd can only put metres per second into an address: for these we have `speed_ms`. */
function readSpeed(values: QueryValues): number | null {
  const knots = numberOf(values.speed);
  if (knots !== null) return toKmh(knots, "knots");
  const metresPerSecond = numberOf(values.speed_ms);
  return metresPerSecond === null ? null : toKmh(metresPerSecond, "ms");
}

/**
 * The JSON body that newer versions of the Traccar Client send to the same address. A phone has no odometer, but the client counts metres. Its `event` is only the reason for the report, so it is not read.
 * `outerIds`: devices that the address names.
 */
export function readTraccarClient(body: unknown, now: number, outerIds: readonly string[] = []): FormatResult {
  if (!isObject(body)) return refused([problem("body", "an object", body)]);
  const problems: string[] = [];
  const imei = requireOneImei([body.device_id, ...outerIds], "device_id", problems);
  const { location } = body;
  if (!isObject(location)) return refused([...problems, problem("location", "an object", location)]);
  const recordedAt = instantOrMs(location.timestamp);
  if (recordedAt === null) problems.push(problem("location.timestamp", "an ISO 8601 time", location.timestamp));
  const place = isObject(location.coords) ? readCoordinates(location.coords, problems) : { fix: false };
  if (problems.length > 0) return refused(problems);
  const extras = isObject(location.extras) ? location.extras : {};
  const said = { ...readAttributes(extras), ...readPhone(location), ...place };
  return framesWithEvents(foreignFrame(imei, recordedAt, now, said), eventsOfAlarm(location.alarm ?? extras.alarm));
}

/** The phone writes -1 for an unknown value, which is out of the bounds of each. */
function readCoordinates(coords: RawObject, problems: string[]): ForeignFields {
  const metresPerSecond = numberOf(coords.speed);
  return {
    latitude: requirePlace(coords.latitude, "latitude", "location.coords.latitude", problems),
    longitude: requirePlace(coords.longitude, "longitude", "location.coords.longitude", problems),
    altitude_m: measured(numberOf(coords.altitude), "altitude_m"),
    speed_kmh: measured(metresPerSecond === null ? null : toKmh(metresPerSecond, "ms"), "speed_kmh"),
    heading_deg: measured(numberOf(coords.heading), "heading_deg"),
    accuracy_m: accuracyOf(coords.accuracy),
  };
}

function readPhone(location: RawObject): ForeignFields {
  const metres = numberOf(location.odometer);
  const level = isObject(location.battery) ? numberOf(location.battery.level) : null;
  return {
    odometer_km: measured(metres === null ? null : metresToKm(metres), "odometer_km"),
    battery_percent: measured(level === null ? null : fractionToPercent(level), "battery_percent"),
  };
}
