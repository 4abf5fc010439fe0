import { textOf } from "../kit/bytes.ts";
import type { TrackerEvent } from "../kit/events.ts";
import { utcTime } from "../kit/values.ts";
import { cameraAlarms } from "./alarms.ts";
import { readAlarm } from "./condition.ts";
import { passRest, rest } from "./extras.ts";
import type { Layout } from "./layout.ts";
import { gps, setPlace, time } from "./place.ts";
import type { Gt06Report } from "./report.ts";

/** Satellites, place, speed, course: the end of an OBD message. */
const gpsBytes = 12;

/** Values as text, with the time before and the place behind them. What is in the text is known to the maker of the car only. */
function obdValues(report: Gt06Report): void {
  const { reader, fields, unread } = report;
  fields.ignition = reader.u8() > 0;
  reader.pass(Math.max(0, reader.left - gpsBytes), "OBD values", unread);
}

/** The answer to a command, as text. One of them is a place. */
const textPlace =
  /^Current position!\s*Lat:([NS])(\d+\.\d+),Lon:([EW])(\d+\.\d+),Course:(\d+\.\d+),Speed:(\d+\.\d+)(?:Km\/h)?,DateTime:(.+)$/;
const textTime = /^(\d{4})-(\d\d)-(\d\d) +(\d\d):(\d\d):(\d\d)/;

function commandText(report: Gt06Report): void {
  const { reader, fields } = report;
  reader.skip(4); // what the server sent along with the command
  const isAscii = reader.u8() === 1;
  const match = isAscii ? textPlace.exec(textOf(reader.take(reader.left))) : null;
  if (match === null) {
    rest(report);
    return;
  }
  const [, south, latitude, west, longitude, course, speed, at = ""] = match;
  report.recordedAt = utcTime((textTime.exec(at) ?? []).slice(1).map(Number));
  fields.fix = true;
  fields.latitude = (south === "S" ? -1 : 1) * Number(latitude);
  fields.longitude = (west === "W" ? -1 : 1) * Number(longitude);
  fields.heading_deg = Number(course);
  fields.speed_kmh = Number(speed);
}

/** JC400: the course before the speed, which has two bytes, and the vehicle's voltage in tenths. */
function jc400Place(report: Gt06Report): void {
  const { reader, fields } = report;
  fields.satellites = reader.u8() & 15;
  const [latitude, longitude, flags, speed] = [reader.u32(), reader.u32(), reader.u16(), reader.u16()];
  setPlace(report, latitude, longitude, flags, speed);
  fields.external_voltage_v = reader.u16() / 10;
}

/** JC100: neither satellites nor speed. */
function jc100Place(report: Gt06Report): void {
  const { reader } = report;
  const [latitude, longitude] = [reader.u32(), reader.u32()];
  setPlace(report, latitude, longitude, reader.u16(), null);
}

/** The names of video files follow. */
function cameraAlarm(meanings: ReadonlyMap<number, TrackerEvent>) {
  return (report: Gt06Report) => {
    readAlarm(report, report.reader.u8(), meanings);
    passRest("names of files")(report);
  };
}

/** 0x95 has three forms: JC400 marks its own, JC100's has a place unless it is of seven bytes. */
function cameraMessage(report: Gt06Report): void {
  const { reader } = report;
  const isShort = reader.left <= 7;
  const isMarked = !isShort && reader.bytes[reader.at] === 0xff && reader.bytes[reader.at + 1] === 0xff;
  if (isMarked) reader.pass(3, "channel of the camera", report.unread);
  time(report);
  if (!isShort) (isMarked ? jc400Place : jc100Place)(report);
  // Without a place, 1 is any alarm.
  cameraAlarm(isShort ? new Map([...cameraAlarms, [0x01, "general"]]) : cameraAlarms)(report);
}

export const otherLayouts: readonly Layout[] = [
  { types: [0x15], what: "answer to a command", reply: "none", parts: [rest] },
  { types: [0x21], what: "answer to a command", reply: "none", parts: [commandText] },
  { types: [0x65, 0x66, 0x8c], isLong: true, what: "OBD", reply: "none", parts: [time, obdValues, gps] },
  { types: [0x95], what: "alarm", parts: [cameraMessage] },
];
