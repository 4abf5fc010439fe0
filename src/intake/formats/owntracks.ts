import { isObject, type RawObject } from "../../domain/text/raw-object.ts";
/** OwnTracks JSON, over HTTP or from a broker. The device id in the app must be the IMEI. */
import type { FormatResult } from "../incoming-frame.ts";
import {
  accuracyOf,
  type ForeignFields,
  foreignFrame,
  measured,
  numberOf,
  refused,
  requireOneImei,
  requirePlace,
} from "./foreign.ts";
import { instantOrEpoch } from "./instants.ts";
import { printable, problem } from "./problems.ts";

/** Other messages of the apps, about regions, steps, settings or the connection. */
const otherTypes: readonly unknown[] = [
  "beacon",
  "card",
  "cmd",
  "configuration",
  "dump",
  "lwt",
  "request",
  "status",
  "steps",
  "transition",
  "waypoint",
  "waypoints",
];

/**
 * `outerIds`: devices named outside of the body, by the header `X-Limit-D`, the parameter `d` or the last part of the MQTT
 * topic. The body may also name the device, by its `imei` (hardware trackers have it) and by its `topic`.
 */
export function readOwnTracks(body: unknown, outerIds: readonly string[], now: number): FormatResult {
  if (!isObject(body)) return refused([problem("body", "one object", body)]);
  if (body._type === "encrypted")
    return refused(["_type: the payload is encrypted; switch the encryption off in the app, and use TLS"]);
  if (otherTypes.includes(body._type))
    return { kind: "nothing", why: `a message of type ${printable(body._type)} has no position` };
  if (body._type !== "location") return refused([problem("_type", `"location"`, body._type)]);

  const problems: string[] = [];
  const named = [body.imei, ...outerIds, body.topic].map((id) => (typeof id === "string" ? lastPart(id) : undefined));
  const imei = requireOneImei(named, "device id", problems);
  const recordedAt = instantOrEpoch(numberOf(body.tst));
  if (recordedAt === null) problems.push(problem("tst", "seconds since 1970", body.tst));
  const said = readLocation(body, problems);
  return problems.length > 0
    ? refused(problems)
    : { kind: "frames", frames: [foreignFrame(imei, recordedAt, now, said)] };
}

function lastPart(topic: string): string {
  return topic.slice(topic.lastIndexOf("/") + 1).trim();
}

/** `odometer`, `uext` and the triggers for ignition and external power come from hardware trackers behind a bridge. */
function readLocation(body: RawObject, problems: string[]): ForeignFields {
  return {
    latitude: requirePlace(body.lat, "latitude", "lat", problems),
    longitude: requirePlace(body.lon, "longitude", "lon", problems),
    altitude_m: measured(numberOf(body.alt), "altitude_m"),
    speed_kmh: measured(numberOf(body.vel), "speed_kmh"),
    heading_deg: measured(numberOf(body.cog), "heading_deg"),
    accuracy_m: accuracyOf(body.acc),
    ignition: body.t === "i" ? true : body.t === "I" ? false : null,
    odometer_km: measured(numberOf(body.odometer), "odometer_km"),
    battery_percent: measured(numberOf(body.batt), "battery_percent"),
    external_voltage_v: measured(numberOf(body.uext), "external_voltage_v"),
    event: body.t === "e" ? "power_cut" : null,
  };
}
