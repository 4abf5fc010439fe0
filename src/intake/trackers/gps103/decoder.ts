import { textOf } from "../kit/bytes.ts";
import { decoded, problemOf, reported, reportedNow } from "../kit/decoded.ts";
import type { DecodedMessage } from "../kit/family.ts";
import { decimalOf, identityOf, namesOfFilled, timeOfDigits } from "../kit/text-values.ts";
import { type Gps103Session, momentOfLocal } from "./clock.ts";
import { decodeGps103Location } from "./location.ts";
import { loginReply, onReply } from "./replies.ts";

/** A login is not longer; all else is. */
const maxLoginLength = 30;

export function decode(message: Uint8Array, session: Gps103Session, receivedAt: number): DecodedMessage<Gps103Session> {
  const text = textOf(message).trimEnd();
  if (/^\d+;?$/.test(text)) {
    const identity = identityOf(text.replace(";", ""));
    // It has no time. The tracker is there now.
    return decoded("heartbeat", session, { identity, reply: onReply, ...reportedNow(receivedAt, {}) });
  }
  const imei = /imei:(\d{1,20})(?=,|;|\*|$)/.exec(text)?.[1];
  if (imei === undefined) {
    return decoded("unknown", session, { problem: problemOf("malformed", "a message without imei: and digits") });
  }
  const identity = identityOf(imei);
  if (text.length <= maxLoginLength) return decoded("login", session, { identity, reply: loginReply });
  return { ...decodeReport(text.slice(text.indexOf("imei:")), imei, session, receivedAt), identity };
}

function decodeReport(text: string, imei: string, session: Gps103Session, receivedAt: number) {
  const fields = text.replace(/[;*]$/, "").split(",");
  const word = fields[1] ?? "";
  if (word === "OBD") return decodeObd(fields, session, receivedAt);
  if (/^vr/.test(word)) return decoded("part of a photo", session, { unread: ["photo"] });
  if (text.endsWith("*")) return decodeClone(fields, session);
  if (fields[4] !== "F" && fields[4] !== "L") {
    const problem = problemOf("unknown_message", "neither F nor L behind the fourth comma");
    return decoded("unknown", session, { problem });
  }
  return decodeGps103Location(imei, fields, session, receivedAt);
}

type Report = DecodedMessage<Gps103Session>;

/** What the engine says: km, litres, hours, km/h, load, °C, throttle, revolutions, volts, fault codes. It has no place. */
function decodeObd(fields: readonly string[], session: Gps103Session, receivedAt: number): Report {
  const [, , local = "", odometer, , , , , , , , , volts, ...codes] = fields;
  const voltage = decimalOf(volts);
  const read = {
    odometer_km: decimalOf(odometer) || null,
    external_voltage_v: voltage === 0 ? null : voltage,
  };
  return decoded("OBD", session, {
    ...reported(momentOfLocal(local, session, receivedAt), read),
    unread: [
      "fuel",
      "engine values",
      "load and throttle",
      ...(codes.some((code) => code !== "") ? ["fault codes"] : []),
    ],
  });
}

/**
 * The layout of some clones, which ends with a star: name, event, sensor, voltage, time and date in UTC, signal, fix, degrees with
 * decimals, km/h, heading, altitude, hdop, satellites, ignition, charge, error. Dashes mean nothing.
 */
function decodeClone(fields: readonly string[], session: Gps103Session): Report {
  const [name, event, sensor, voltage, time = "", date = "", signal, fix, latitude, longitude, speed, course] =
    fields.slice(1);
  const [altitude, hdop, satellites, ignition, charge, error] = fields.slice(13);
  if (fields.length < 19) return decoded("unknown", session, { problem: problemOf("malformed", "too few fields") });
  const isLocated = Number(fix) > 0;
  const read = {
    fix: isLocated,
    ...(isLocated
      ? {
          latitude: decimalOf(latitude),
          longitude: decimalOf(longitude),
          speed_kmh: decimalOf(speed),
          heading_deg: decimalOf(course),
          altitude_m: decimalOf(altitude),
          hdop: decimalOf(hdop),
        }
      : {}),
    satellites: decimalOf(satellites),
    ignition: ignition === "1" ? true : ignition === "0" ? false : null,
  };
  const old = isLocated ? "" : `${latitude}${longitude}`;
  const named = { name, event, sensor, "sensor's voltage": voltage, signal, "old place": old, charge, error };
  return decoded("location of a clone", session, {
    ...reported(timeOfDigits(date, time, "dmy"), read),
    unread: namesOfFilled(named),
  });
}
