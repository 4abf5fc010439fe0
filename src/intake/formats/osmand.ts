/**
 * The OsmAnd protocol, as OsmAnd's online tracking and the Traccar Client speak it: parameters of a query or a form. The
 * device's `id` must be its IMEI.
 */
import type { Decoded } from "../incoming-frame.ts";
import {
  accuracyOf,
  booleanOf,
  foreignFrame,
  framesWithEvents,
  measured,
  numberOf,
  refused,
  requireOneImei,
  requirePlace,
  type Said,
} from "./foreign.ts";
import { instantOrEpoch } from "./instants.ts";
import { problem } from "./problems.ts";
import { eventsOfAlarm, readAttributes } from "./traccar-attributes.ts";
import { toKmh } from "./units.ts";

type Given = Readonly<Record<string, string | undefined>>;

/**
 * Of a parameter that is there twice the last counts, but the device must be the same. Without a `timestamp` the frame is of now; such a frame cannot be
 * recognised when it is sent again. Parameters that the protocol does not name are read as Traccar's attributes.
 */
export function readOsmandQuery(parameters: URLSearchParams, now: number): Decoded {
  const given: Given = Object.fromEntries(parameters);
  const problems: string[] = [];
  const imei = requireOneImei(namedDevices(parameters), "id", problems);
  const recordedAt = given.timestamp === undefined ? now : instantOrEpoch(given.timestamp);
  if (recordedAt === null) {
    problems.push(problem("timestamp", "seconds or milliseconds since 1970, or an ISO 8601 time", given.timestamp));
  }
  const place = readPlace(given, problems);
  if (problems.length > 0) return refused(problems);
  const attributes = { ...given, batteryLevel: given.batt ?? given.batteryLevel };
  const frame = foreignFrame(imei, recordedAt, now, { ...readAttributes(attributes), ...place });
  return framesWithEvents(frame, eventsOfAlarm(given.alarm));
}

/** All that the parameters name, the last first. */
export function namedDevices(parameters: URLSearchParams): readonly string[] {
  return [...parameters.getAll("deviceid"), ...parameters.getAll("id")].reverse();
}

/** A message may come without a place, with the state of the vehicle only. */
function readPlace(given: Given, problems: string[]): Said {
  const [lat, lon] = given.location === undefined ? [given.lat, given.lon] : given.location.split(",");
  if (lat === undefined && lon === undefined) return { fix: false };
  return {
    latitude: requirePlace(lat, "latitude", given.location === undefined ? "lat" : "location", problems),
    longitude: requirePlace(lon, "longitude", given.location === undefined ? "lon" : "location", problems),
    altitude_m: measured(numberOf(given.altitude), "altitude_m"),
    speed_kmh: measured(readSpeed(given), "speed_kmh"),
    heading_deg: measured(numberOf(given.bearing ?? given.heading), "heading_deg"),
    accuracy_m: accuracyOf(given.accuracy),
    fix: given.valid === undefined ? null : (booleanOf(given.valid.toLowerCase()) ?? false),
  };
}

/** The protocol's `speed` is in knots. OsmAnd itself only has metres per second to put into its address, so we name those. */
function readSpeed(given: Given): number | null {
  const knots = numberOf(given.speed);
  if (knots !== null) return toKmh(knots, "knots");
  const metresPerSecond = numberOf(given.speed_ms);
  return metresPerSecond === null ? null : toKmh(metresPerSecond, "ms");
}
