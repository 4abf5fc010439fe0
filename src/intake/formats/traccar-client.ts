/** The JSON body of newer versions of the Traccar Client, which they send to the same address as the OsmAnd protocol. */
import type { Decoded } from "../incoming-frame.ts";
import {
  accuracyOf,
  type ForeignFields,
  foreignFrame,
  framesWithEvents,
  isObject,
  measured,
  numberOf,
  type RawObject,
  refused,
  requireOneImei,
  requirePlace,
} from "./foreign.ts";
import { instantOrMs } from "./instants.ts";
import { problem } from "./problems.ts";
import { eventsOfAlarm, readAttributes } from "./traccar-attributes.ts";
import { fractionToPercent, metresToKm, toKmh } from "./units.ts";

/**
 * A phone has no odometer, but the client counts metres. Its `event` is only the reason for the report, so it is not read.
 * `outerIds`: devices that the address names.
 */
export function readTraccarClient(body: unknown, now: number, outerIds: readonly string[] = []): Decoded {
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
