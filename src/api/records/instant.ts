import { BoundedMap } from "../../domain/bounded-map.ts";
import { formatInstant } from "../../domain/time.ts";
import { writeThreeDigits, writeTwoDigits } from "./decimal.ts";
import { Literal, writeLiteral } from "./literal.ts";

const msPerDay = 86_400_000;
const dateLength = "YYYY-MM-DD".length;

/** The start of a time up to the hour, by day since 1970. A page tells of a few hundred days at most. */
const literalOfDay = new BoundedMap<number, Literal>({ max: 1000 });

/** The times of one page are close together, so that most share the day of the one before. */
let lastDay = Number.NaN;
let lastDayLiteral = new Literal("");

function dayLiteral(day: number): Literal {
  if (day === lastDay) return lastDayLiteral;
  let literal = literalOfDay.get(day);
  if (literal === undefined) {
    literal = new Literal(formatInstant(day * msPerDay).slice(0, "YYYY-MM-DDT".length));
    literalOfDay.set(day, literal);
  }
  lastDay = day;
  lastDayLiteral = literal;
  return literal;
}

/** Writes what `formatInstant` gives, and gives the place behind it. Up to seven bytes behind that are overwritten. */
export function writeInstant(view: DataView, at: number, ms: number): number {
  const wholeMs = Math.floor(ms);
  const day = Math.floor(wholeMs / msPerDay);
  let end = writeLiteral(view, at, dayLiteral(day));
  const msOfDay = wholeMs - day * msPerDay;
  const second = (msOfDay / 1000) | 0;
  const minute = (second / 60) | 0;
  const hour = (minute / 60) | 0;
  end = writeTwoDigits(view, end, hour);
  view.setUint8(end, 58);
  end = writeTwoDigits(view, end + 1, minute - hour * 60);
  view.setUint8(end, 58);
  end = writeTwoDigits(view, end + 1, second - minute * 60);
  view.setUint8(end, 46);
  end = writeThreeDigits(view, end + 1, msOfDay - second * 1000);
  view.setUint8(end, 90);
  return end + 1;
}

/** Writes the date of a day since 1970, `YYYY-MM-DD`. */
export function writeDate(view: DataView, at: number, day: number): number {
  writeLiteral(view, at, dayLiteral(day));
  return at + dateLength;
}
