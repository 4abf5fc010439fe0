import { metresToKm } from "../../formats/units.ts";
import { reported, untimedAlarm } from "../kit/decoded.ts";
import type { DecodedMessage } from "../kit/family.ts";
import type { ReadFields } from "../kit/frame.ts";
import { temperatureReport } from "../kit/sensors.ts";
import { decimalOf, isUnset, namesOfFilled, placeOfMinutes, timeOfDigits } from "../kit/text-values.ts";
import { meaningOf } from "./alarms.ts";
import type { Tk103Message } from "./message.ts";

type Report = Pick<DecodedMessage<null>, "frames" | "problem" | "leftOut" | "unread">;

/** Date, validity, place, km/h and time, with or without commas between. Some models fill with blanks instead of zeros. */
const head = String.raw`(\d{6}),?([AV]),? *(\d+\.\d+)([NS]),? *(\d+\.\d+)([EW]),?([ \d.]{1,5})(?:\d*,)?(\d{6}),?`;
/** Degrees, main power, ignition, inputs, fuel and mileage in metres. SkyTrack has two digits more behind the degrees. */
const stateTail = String.raw`([ \d.]{6}|\d\d),?(?:(?<=\.\d\d)\d\d)?([01])([01])([\da-fA-F]{3})([\da-fA-F]{3}),?L([\da-fA-F]+)`;
/** Two decimals, unless a comma or the end shows that there are more. */
const courseTail = String.raw`(\d+\.(?:\d+(?=,|$)|\d{1,2}))`;
/** In the order of trying: the fields have no marks between them, so that the whole must fit before a part counts. */
const layouts = [stateTail, courseTail, ""].map((tail) => new RegExp(head + tail));

/** A message with a place; null if it has none. */
export function readTk103Location(message: Tk103Message, receivedAt: number): Report | null {
  const { kind, body, hasCommas } = message;
  const match = firstMatch(body);
  if (match === null) return null;
  const [whole, date = "", validity, latitude = "", northSouth = "", longitude = "", eastWest = "", speed, time = ""] =
    match;
  const [course, power, acc, inputs = "0", fuel = "0", metres] = match.slice(9);
  const before = body.slice(0, match.index);
  const { events, ignition } = meaningOf(kind, before);
  const after = body.slice(match.index + whole.length);
  const place = placeOfMinutes([latitude, northSouth], [longitude, eastWest]);
  const celsius = decimalOf(/^[+-]\d{3}\.\d/.exec(after)?.[0]);
  const located: ReadFields =
    validity === "A" && place !== null
      ? { fix: true, ...place, speed_kmh: decimalOf(speed), heading_deg: decimalOf(course) }
      : { fix: false };
  const read: ReadFields = {
    ...located,
    ignition: acc === undefined ? ignition : acc === "1",
    // Trackers that do not count send zeros.
    odometer_km: metres === undefined ? null : metresToKm(Number.parseInt(metres, 16)) || null,
    sensors: celsius === null ? [] : [temperatureReport("temp1", celsius)],
  };
  const at = timeOfDigits(date, time, hasCommas ? "dmy" : "ymd");
  // It is sent again until it is answered, and not kept for later.
  const isLive = kind === "BO01" && !hasCommas;
  return {
    ...(at === null && (isLive || (isUnset(date) && located.fix === false))
      ? untimedAlarm(read, events, receivedAt)
      : reported(at, read, events)),
    unread: [
      ...namesOfFilled({ "number again": /^\d{6,}$/.test(before) ? before : "" }),
      ...(located.fix === true ? [] : namesOfFilled({ "old place": `${latitude}${longitude}` })),
      ...(power === "1" ? ["main power is off"] : []),
      ...(/^0*$/.test(inputs) ? [] : ["inputs"]),
      ...(/^0*$/.test(fuel) ? [] : ["fuel"]),
      ...(celsius === null && after !== "" ? ["fields at the end"] : []),
    ],
  };
}

function firstMatch(body: string): RegExpExecArray | null {
  for (const layout of layouts) {
    const match = layout.exec(body);
    if (match !== null) return match;
  }
  return null;
}
