import { isObject, type RawObject } from "../../domain/text/raw-object.ts";
/**
 * What a Traccar server forwards (`forward.type=json`, `event.forward.type=json`): one object with `position` and `device`,
 * for an event also `event`. The device's `uniqueId` must be its IMEI.
 */
import type { FormatResult, IncomingFrame } from "../incoming-frame.ts";
import {
  accuracyOf,
  type ForeignFields,
  foreignFrame,
  framesWithEvents,
  measured,
  numberOf,
  refused,
  requireImei,
  requirePlace,
} from "./foreign.ts";
import { instantOrMs } from "./instants.ts";
import { problem } from "./problems.ts";
import { eventsOfAlarm, readAttributes } from "./traccar-attributes.ts";
import { toKmh } from "./units.ts";

/** How far apart the two times of a new fix may be. A repeated one is as old as the last report. */
const sameMomentMs = 10_000;

/** One result for an object, or one for each item of an array. */
export function readTraccarPosition(body: unknown, now: number): readonly FormatResult[] {
  return (Array.isArray(body) ? body : [body]).map((item) => {
    const read = readPosition(item, now);
    return Array.isArray(read) ? refused(read) : framesWithEvents(read.frame, eventsOfAlarm(read.attributes.alarm));
  });
}

/**
 * Of events only alarms are stored: Traccar derives all others, and Odograph derives its own. The frame of an alarm is equal to
 * the frame of the forwarded position, so that forwarding both stores it once.
 */
export function readTraccarEvent(body: unknown, now: number): readonly FormatResult[] {
  return (Array.isArray(body) ? body : [body]).map((item) => readEvent(item, now));
}

function readEvent(body: unknown, now: number): FormatResult {
  if (!isObject(body) || !isObject(body.event)) return refused([problem("event", "an object", at(body, "event"))]);
  const { type, attributes } = body.event;
  if (typeof type !== "string") return refused([problem("event.type", "text", type)]);
  if (type !== "alarm") return { kind: "nothing", why: "of Traccar's events only alarms are stored" };
  if (!isObject(body.position))
    return { kind: "nothing", why: "the alarm has no position, and so no time of the tracker's" };
  const events = eventsOfAlarm(at(attributes, "alarm"));
  if (events.length === 0)
    return refused([problem("event.attributes.alarm", "the name of an alarm", at(attributes, "alarm"))]);
  const read = readPosition(body, now);
  if (Array.isArray(read)) return refused(read);
  const [first] = eventsOfAlarm(read.attributes.alarm);
  // The sensors came with the position, whose first alarm has them.
  const frames = events.map((event) => ({ ...read.frame, event, sensors: event === first ? read.frame.sensors : [] }));
  return { kind: "frames", frames };
}

interface Read {
  readonly frame: IncomingFrame;
  readonly attributes: RawObject;
}

/** The frame of a body without its events, or what is wrong with it. */
function readPosition(body: unknown, now: number): Read | string[] {
  if (!isObject(body) || !isObject(body.position)) return [problem("position", "an object", at(body, "position"))];
  const { position, device } = body;
  const problems: string[] = [];
  const imei = requireImei(at(device, "uniqueId"), "device.uniqueId", problems);
  const attributes = isObject(position.attributes) ? position.attributes : {};
  const fixTime = requireInstant(position, "fixTime", problems);
  const deviceTime = requireInstant(position, "deviceTime", problems);
  const hasFix = position.valid !== false && isNewFix(position, attributes, fixTime, deviceTime);
  const recordedAt = hasFix ? fixTime : (deviceTime ?? fixTime);
  if (recordedAt === null && problems.length === 0) problems.push(problem("position.fixTime", "a time", undefined));
  const place: ForeignFields = hasFix ? readPlace(position, attributes, problems) : { fix: false };
  if (problems.length > 0) return problems;
  return { frame: foreignFrame(imei, recordedAt, now, { ...readAttributes(attributes), ...place }), attributes };
}

/**
 * A message without GPS repeats the last place with its `fixTime`, even as `valid`, but has a `deviceTime` of its own. Older
 * versions of Traccar mark it as `outdated`. Without that mark: if the two times are close, the fix is new; if they are far
 * apart, it is a repeat if `distance`, the way from the last place, is 0.
 *
 * So a repeat within seconds counts as a new fix. That is the lesser error: the vehicle was there at that `fixTime`. The other
 * error would hide every fix of a vehicle at rest whose tracker sends two times.
 */
function isNewFix(
  position: RawObject,
  attributes: RawObject,
  fixTime: number | null,
  deviceTime: number | null,
): boolean {
  if (typeof position.outdated === "boolean") return !position.outdated;
  if (fixTime === null) return false;
  if (deviceTime === null || Math.abs(deviceTime - fixTime) <= sameMomentMs) return true;
  return (numberOf(attributes.distance) ?? 0) > 0;
}

function readPlace(position: RawObject, attributes: RawObject, problems: string[]): ForeignFields {
  const knots = numberOf(position.speed);
  return {
    latitude: requirePlace(position.latitude, "latitude", "position.latitude", problems),
    longitude: requirePlace(position.longitude, "longitude", "position.longitude", problems),
    altitude_m: measured(numberOf(position.altitude), "altitude_m"),
    speed_kmh: measured(knots === null ? null : toKmh(knots, "knots"), "speed_kmh"),
    heading_deg: measured(numberOf(position.course), "heading_deg"),
    accuracy_m: accuracyOf(position.accuracy),
    fix: true,
    source: attributes.approximate === true ? networkSource(position.network) : null,
  };
}

/** Where Traccar looked the place up: by access points if there are any. */
function networkSource(network: unknown): "wifi" | "cell" {
  const points = at(network, "wifiAccessPoints");
  return Array.isArray(points) && points.length > 0 ? "wifi" : "cell";
}

function requireInstant(position: RawObject, name: "fixTime" | "deviceTime", problems: string[]): number | null {
  const value = position[name];
  if (value === undefined || value === null) return null;
  const instant = instantOrMs(value);
  if (instant === null)
    problems.push(problem(`position.${name}`, "an ISO 8601 time or milliseconds since 1970", value));
  return instant;
}

function at(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}
