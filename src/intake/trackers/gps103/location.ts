import type { SensorReport } from "../../../domain/frame.ts";
import { toKmh } from "../../formats/units.ts";
import { decoded, reported, untimedAlarm } from "../kit/decoded.ts";
import type { DecodedMessage } from "../kit/family.ts";
import type { ReadFields } from "../kit/frame.ts";
import { fuelReport, temperatureReport } from "../kit/sensors.ts";
import { decimalOf, isUnset, namesOfFilled, placeOfMinutes } from "../kit/text-values.ts";
import { type Gps103Session, momentOfLocal, reportTimeOf } from "./clock.ts";
import { sosReply } from "./replies.ts";
import { readWord, type Word } from "./words.ts";

type Report = DecodedMessage<Gps103Session>;

/** `imei:…,word,local time,tag or phone or battery,F,UTC time,A,latitude,N,longitude,E,knots,degrees,…`; `L` for `F`: no GPS. */
export function decodeGps103Location(
  imei: string,
  fields: readonly string[],
  session: Gps103Session,
  receivedAt: number,
): Report {
  const [, word = "", local = "", tag = "", signal, utc = "", validity] = fields;
  const meaning = readWord(word);
  const reply = word === "help me" ? sosReply(imei) : null;
  const common = {
    ignition: meaning.ignition,
    battery_percent: /^\d+%$/.test(tag) ? Number(tag.slice(0, -1)) : null,
    ...(word === "rfid" && tag !== "" ? { driver_id: tag } : {}),
  };
  // Who sent the command that this answers.
  const isRead = word === "rfid" || common.battery_percent !== null;
  const phone = namesOfFilled({ "phone number or tag": isRead ? "" : tag });
  if (signal !== "F") {
    const read = { ...common, sensors: temperatures(meaning, null), fix: false };
    return decoded("no GPS", session, {
      reply,
      ...(isUnset(local)
        ? untimedAlarm(read, meaning.events, receivedAt)
        : reported(momentOfLocal(local, session, receivedAt), read, meaning.events)),
      unread: [...meaning.unread, ...phone, ...namesOfFilled({ "cell tower": fields.slice(7).join("") })],
    });
  }
  const { recordedAt, zoneMinutes } = reportTimeOf(local, utc, session, receivedAt);
  const { place, rest } = readPlace(fields.slice(7));
  const [speed, course, altitude, acc, door, ...more] = rest;
  const knots = decimalOf(speed);
  const located: ReadFields =
    validity === "A" && place !== null
      ? {
          fix: true,
          ...place,
          altitude_m: decimalOf(altitude),
          speed_kmh: knots === null ? null : toKmh(knots, "knots"),
          heading_deg: decimalOf(course),
        }
      : { fix: false };
  const read = {
    ...common,
    ...located,
    // The state in the message counts more than the word, which may have waited.
    ignition: acc === "1" ? true : acc === "0" ? false : meaning.ignition,
    sensors: [...fuels(more), ...temperatures(meaning, decimalOf(more[2]))],
  };
  const isRepeated = zoneMinutes === session.zoneMinutes;
  return decoded("location", isRepeated ? session : { zoneMinutes }, {
    reply,
    ...(isUnset(local) && utc === "" && located.fix === false
      ? untimedAlarm(read, meaning.events, receivedAt)
      : reported(recordedAt, read, meaning.events)),
    unread: [
      ...(meaning.temperatureC !== null && decimalOf(more[2]) !== null ? ["temperature of the alarm"] : []),
      ...[...meaning.unread, ...phone, ...(door === "1" ? ["door"] : []), ...odd(more)],
      ...(located.fix === true
        ? []
        : namesOfFilled({ "old place": rest === fields ? "" : fields.slice(7, 11).join("") })),
    ],
  });
}

/** The hemisphere stands before or behind its number, and some models leave out that of the longitude. */
function readPlace(fields: readonly string[]) {
  const left = [...fields];
  const takeIf = (pattern: RegExp) => (pattern.test(left[0] ?? "-") ? (left.shift() ?? "") : "");
  const before = takeIf(/^[NS]$/);
  const latitude = left.shift() ?? "";
  const northSouth = before || takeIf(/^[NS]$/);
  const beforeLongitude = takeIf(/^[EW]$/);
  const longitude = left.shift() ?? "";
  const eastWest = beforeLongitude || takeIf(/^[EW]?$/);
  return { place: placeOfMinutes([latitude, northSouth], [longitude, eastWest]), rest: left };
}

/** 0 % is what a tracker without a fuel sensor sends. */
function fuels(fields: readonly string[]): readonly SensorReport[] {
  return fields.slice(0, 2).flatMap((field, index) => {
    const level = /^(\d+(?:\.\d+)?)%$/.exec(field)?.[1];
    if (level === undefined || Number(level) === 0) return [];
    return [fuelReport(`fuel${index + 1}`, Number(level))];
  });
}

function temperatures(word: Word, sent: number | null): readonly SensorReport[] {
  const temperature = sent ?? word.temperatureC;
  return temperature === null ? [] : [temperatureReport("temp1", temperature)];
}

/** Fields behind the door that are neither fuel nor temperature, such as fault codes or a mileage of another unit. */
function odd(fields: readonly string[]): readonly string[] {
  const isOdd = (field: string) => field !== "" && !/^\d+(\.\d+)?%$/.test(field) && Number(field) !== 0;
  return fields.some((field, index) => (index === 2 ? false : isOdd(field))) ? ["fields after the door"] : [];
}
