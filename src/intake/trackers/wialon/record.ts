import { reported, reportedNow } from "../kit/decoded.ts";
import type { TrackerEvent } from "../kit/events.ts";
import type { DecodedMessage } from "../kit/family.ts";
import type { ReadFields } from "../kit/frame.ts";
import { decimalOf, namesOfFilled, placeOfMinutes, shownText, timeOfDigits } from "../kit/text-values.ts";

export type RecordRead = Pick<DecodedMessage<unknown>, "frames" | "problem" | "leftOut" | "unread">;

/** Columns of a short record. A long one has more. */
export const shortColumns = 10;
const longColumns = 16;

/**
 * `date;time;lat;N;lon;E;speed;course;height;sats`, and in a long record `;hdop;inputs;outputs;adc;ibutton;params`. `NA` or nothing: not
 * known. Without date and time the protocol has the server take its own, `receivedAt`; null: it must not.
 */
export function readRecord(columns: readonly string[], receivedAt: number | null): RecordRead {
  const [date = "", time = "", latitude = "", northSouth = "", longitude = "", eastWest = "", ...more] =
    columns.map(known);
  const [speed, course, height, satellites, hdop, inputs, outputs, analogue, tag = "", params = ""] = more;
  const isWhere = /^[NS]$/.test(northSouth) && /^[EW]$/.test(eastWest);
  const place = isWhere ? placeOfMinutes([latitude, northSouth], [longitude, eastWest]) : null;
  const sats = decimalOf(satellites);
  // With no satellite, it is where the tracker last was.
  const isHere = place !== null && sats !== 0;
  const named = readParams(params);
  const read: ReadFields = {
    fix: isHere,
    ...(isHere
      ? {
          ...place,
          speed_kmh: decimalOf(speed),
          heading_deg: decimalOf(course),
          altitude_m: decimalOf(height),
          hdop: decimalOf(hdop),
        }
      : {}),
    satellites: sats,
    driver_id: /[^0]/.test(tag) ? tag : null,
    ...named.fields,
  };
  return {
    ...(date === "" && time === "" && receivedAt !== null
      ? reportedNow(receivedAt, read, named.events)
      : reported(timeOfDigits(date, time.slice(0, 6), "dmy"), read, named.events)),
    unread: [
      ...namesOfFilled({
        "old place": isHere ? "" : `${latitude}${northSouth}${longitude}${eastWest}`,
        "a column that is no number": [speed, course, height, satellites, hdop]
          .filter((column) => decimalOf(column) === null)
          .join(""),
        // Which of them is the ignition depends on the wiring.
        inputs,
        outputs,
        "analogue inputs": analogue,
        "columns at the end": columns.slice(longColumns).join(""),
      }),
      ...named.unread,
    ],
  };
}

function known(column: string): string {
  const text = column.trim();
  return text === "NA" ? "" : text;
}

const maxNames = 64;

/**
 * `NAME:TYPE:VALUE`, separated by commas. The protocol itself names only `SOS`; the others are the maker's, so that a number under the
 * same name is a percentage here and volts there. They are named.
 */
function readParams(text: string) {
  const fields: { -readonly [Name in keyof ReadFields]: ReadFields[Name] } = {};
  const events: TrackerEvent[] = [];
  const unread: string[] = [];
  for (const param of text === "" ? [] : text.split(",", maxNames)) {
    const [, name = "", value = ""] = /^(.*?):[1-4]:(.*)$/.exec(param) ?? [];
    if (name === "SOS" && /^\d+$/.test(value)) {
      if (value !== "0") events.push("sos");
    } else unread.push(`param ${shownText(name === "" ? param : name)}`);
  }
  return { fields, events, unread };
}
