import { toKmh } from "../../formats/units.ts";
import { ByteReader } from "../kit/bytes.ts";
import { decoded, problemOf, reported } from "../kit/decoded.ts";
import type { DecodedMessage } from "../kit/family.ts";
import type { ReadFields } from "../kit/frame.ts";
import { identityOf, namesOfFilled, timeOfDigits } from "../kit/text-values.ts";
import { toSeventh } from "../kit/values.ts";
import { layoutAt } from "./framer.ts";
import { batteryPercent, statusOf } from "./status.ts";

/**
 * A `$` message: numbers as binary-coded decimals. An `X` message has the same form and another number at its start; it comes behind
 * a `$` message of the same connection with the same place, so that number is no identity.
 */
export function decodeBinary(message: Uint8Array): DecodedMessage<null> {
  const isX = message[0] === 0x58;
  const what = isX ? "location X" : "location $";
  const layout = layoutAt(message, 0);
  if (layout === null || message.length < layout.minBytes) {
    return decoded(what, null, { problem: problemOf("malformed", "no digits of a number, a time and a date") });
  }
  const reader = new ByteReader(message, 1);
  const id = reader
    .take(layout.idBytes)
    .toHex()
    .slice(0, layout.idBytes === 5 ? 10 : 15);
  const clock = reader.take(6).toHex();
  const recordedAt = timeOfDigits(clock.slice(6), clock.slice(0, 6), "dmy");
  const latitude = reader.take(4).toHex();
  const battery = reader.u8();
  const longitude = reader.take(5).toHex();
  const motion = reader.take(3).toHex();
  const { ignition, events, unread } = statusOf(reader.u32());
  const place = placeFields(latitude, longitude, motion);
  const fields = {
    ...place,
    ignition,
    battery_percent: batteryPercent(battery),
  };
  return decoded(what, null, {
    ...(isX ? {} : { identity: identityOf(id) }),
    ...reported(recordedAt, fields, events),
    unread: [
      ...unread,
      ...(isX ? ["number of an X message"] : []),
      ...(place.fix === true ? [] : namesOfFilled({ "old place": `${latitude}${longitude.slice(0, 9)}` })),
      ...(reader.left > 0 ? ["bytes after the status"] : []),
    ],
  });
}

/** The last nibble of the longitude has the flags: 2 located, 4 north, 8 east. */
function placeFields(latitude: string, longitude: string, motion: string): ReadFields {
  const flags = Number.parseInt(longitude.slice(9), 16);
  const north = degrees(latitude, 2);
  const east = degrees(longitude.slice(0, 9), 3);
  if ((flags & 2) === 0 || north === null || east === null) return { fix: false };
  const [knots, heading] = [Number(motion.slice(0, 3)), Number(motion.slice(3))];
  return {
    fix: true,
    latitude: (flags & 4) === 0 ? -north : north,
    longitude: (flags & 8) === 0 ? -east : east,
    speed_kmh: Number.isNaN(knots) ? null : toKmh(knots, "knots"),
    heading_deg: Number.isNaN(heading) ? null : heading,
  };
}

/** Digits of degrees, then of ten-thousandths of a minute. */
function degrees(digits: string, ofDegrees: number): number | null {
  const minutes = Number(digits.slice(ofDegrees)) / 10_000;
  return /^\d+$/.test(digits) && minutes < 60 ? toSeventh(Number(digits.slice(0, ofDegrees)) + minutes / 60) : null;
}
