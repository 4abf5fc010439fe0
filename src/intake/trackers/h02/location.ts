import { metresToKm, toKmh } from "../../formats/units.ts";
import { reported, reportedNow } from "../kit/decoded.ts";
import type { TrackerEvent } from "../kit/events.ts";
import type { DecodedMessage } from "../kit/family.ts";
import type { ReadFields } from "../kit/frame.ts";
import { decimalOf, namesOfFilled, nearestTimeOfDay, placeOfMinutes, timeOfDigits } from "../kit/text-values.ts";
import { batteryPercent, statusOf } from "./status.ts";

type Report = Pick<DecodedMessage<null>, "frames" | "problem" | "leftOut" | "unread">;

const isStatus = (text: string | undefined) => text !== undefined && /^[\da-f]{8}$/i.test(text);
const isClock = (text: string | undefined) => text !== undefined && /^\d{6}$/.test(text);

/** Where the hemispheres stand. All else of a location is found from there: what comes before them differs. */
export function hemisphereIndex(fields: readonly string[]): number {
  return fields.findIndex((field, at) => /^[NS]$/.test(field) && /^[EW]$/.test(fields[at + 2] ?? ""));
}

/** The messages with a place: time, validity, latitude, N or S, longitude, E or W, knots, degrees, date, status and more. */
export function readH02Location(fields: readonly string[], at: number, kind: string, receivedAt: number): Report {
  const [time, validity = "", latitude = ""] = fields.slice(Math.max(at - 3, 0), at);
  const [northSouth = "", longitude = "", eastWest = "", speed, course, ...rest] = fields.slice(at);
  // Some models put the level of their battery before the date.
  const hasBattery = /^\d{1,3}$/.test(rest[0] ?? "") && (isClock(rest[1]) || rest[1] === "");
  const [date = "", ...afterDate] = hasBattery ? rest.slice(1) : rest;
  const place = placeOfMinutes([minutesForm(latitude), northSouth], [minutesForm(longitude), eastWest]);
  const isLocated = /^(A|\d+)$/.test(validity) || (kind === "VP1" && validity === "B");
  // V19 has three fields about the SIM card before the status.
  const statusAt = [0, 3, 1, 2].find((index) => isStatus(afterDate[index])) ?? 0;
  const more = afterStatus(afterDate, statusAt);
  const knots = decimalOf(speed);
  const motion = { speed_kmh: knots === null ? null : toKmh(knots, "knots"), heading_deg: decimalOf(course) };
  const isHere = isLocated && place !== null;
  const unread = [
    ...more.unread,
    ...(isHere ? [] : namesOfFilled({ "old place": `${latitude}${longitude}` })),
    ...(at > 6
      ? namesOfFilled({ "answer to a command": fields.slice(3, at - 4).join(""), "time of a command": fields[at - 4] })
      : []),
  ];
  const result = {
    ...more.fields,
    ...(hasBattery ? { battery_percent: batteryPercent(Number(rest[0])) } : {}),
    ...(isHere ? { fix: true, ...place, ...motion } : { fix: false }),
  };
  return { ...reportedBy(timeOf(date, time ?? "", receivedAt), receivedAt, result, more.events), unread };
}

/** Messages without a place, such as cell towers: a time in front, a date and the status at the end. */
export function readWithoutPlace(fields: readonly string[], read: ReadFields, receivedAt: number): Report {
  const at = fields.findLastIndex((field, index) => isClock(field) && isStatus(fields[index + 1]));
  const more = at === -1 ? nothingMore : afterStatus(fields.slice(at + 1), 0);
  const recordedAt = at === -1 ? null : timeOf(fields[at] ?? "", fields[3] ?? "", receivedAt);
  const result = { ...more.fields, ...read };
  return { ...reportedBy(recordedAt, receivedAt, result, more.events), unread: more.unread };
}

function reportedBy(at: number | null, receivedAt: number, ...read: [ReadFields, readonly TrackerEvent[]]) {
  return at === receivedAt ? reportedNow(at, ...read) : reported(at, ...read);
}

/** `-23-29.0095` is 23° 29.0095′; `37573392` is 37° 57.3392′. */
function minutesForm(text: string): string {
  const dashes = /^-(\d{1,3})-(\d{1,2}\.\d+)$/.exec(text);
  if (dashes !== null) return `${dashes[1]}${dashes[2]?.padStart((dashes[2].split(".")[1]?.length ?? 0) + 3, "0")}`;
  return /^\d{7,9}$/.test(text) ? `${text.slice(0, -4)}.${text.slice(-4)}` : text;
}

/** VP1 has a date and no time of day: it is midnight, or the moment of receipt if that is on this date. */
function timeOf(date: string, time: string, receivedAt: number): number | null {
  if (isClock(date) && isClock(time)) return timeOfDigits(date, time, "dmy");
  if (isClock(time) && date === "") return nearestTimeOfDay(time, receivedAt);
  const midnight = timeOfDigits(date, "000000", "dmy");
  const isToday = midnight !== null && receivedAt >= midnight && receivedAt - midnight < 86_400_000;
  return isToday ? receivedAt : midnight;
}

interface AfterStatus extends Pick<ReturnType<typeof statusOf>, "events" | "unread"> {
  readonly fields: ReadFields;
}

const nothingMore: AfterStatus = { fields: {}, events: [], unread: [] };

/** The status, and what some models add: mileage and sensors, or the network and the level of the battery. */
function afterStatus(fields: readonly string[], statusAt: number): AfterStatus {
  const status = fields[statusAt];
  if (status === undefined || !isStatus(status)) {
    return { ...nothingMore, unread: fields.length > 0 ? ["fields after the date"] : [] };
  }
  const { ignition, events, unread } = statusOf(Number.parseInt(status, 16));
  const extras = fields.slice(statusAt + 1);
  const named = (read: ReadFields, ...names: readonly string[]) => ({
    fields: { ignition, ...read },
    events,
    unread: [...unread, ...(statusAt > 0 ? ["SIM card"] : []), ...names],
  });
  const last = extras.at(-1) ?? "";
  if (/^\d+,-?\d+,\d+\.\d+,-?\d+,[\da-f]+,[\da-f]+$/i.test(extras.join(","))) {
    const [metres, , , altitude] = extras.map(Number);
    return named(
      { odometer_km: metresToKm(metres ?? Number.NaN), altitude_m: altitude ?? null },
      "temperature",
      "fuel",
      "cell tower",
    );
  }
  if ((extras.length === 1 || extras.length === 5) && /^[1-6]$/.test(last)) {
    const battery = { battery_percent: batteryPercent(Number(last)) };
    return extras.length === 1 ? named(battery) : named(battery, "cell tower");
  }
  return extras.some((extra) => extra !== "") ? named({}, "fields after the status") : named({});
}
