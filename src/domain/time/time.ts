/** Instants are UTC milliseconds. Written by hand: they run for every frame, and `Date` accepts 30 February. */
import { BoundedMap } from "../bounded-map.ts";
import { Failure } from "../errors.ts";

const msPerMinute = 60_000;
const msPerHour = 3_600_000;
export const dayMs = 86_400_000;
const minutesPerDay = 1440;
const daysFromYear0To1970 = 719_528;

/** Outside these bounds a time cannot be written with a four-digit year. */
export const earliestMs = -daysFromYear0To1970 * dayMs;
const latestMs = Date.UTC(10_000, 0, 1) - 1;

const daysBeforeMonth = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
const daysInMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const dateLength = "YYYY-MM-DD".length;
const dateAndMinuteLength = "YYYY-MM-DDTHH:MM".length;

/** The value of a character that is no digit: it makes any number too large. */
const noDigit = 1_000_000;

function digitAt(text: string, index: number): number {
  const digit = text.charCodeAt(index) - 48;
  return digit >= 0 && digit <= 9 ? digit : noDigit;
}

function twoDigitsAt(text: string, index: number): number {
  return digitAt(text, index) * 10 + digitAt(text, index + 1);
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Midnight of a date, or NaN if there is no such date. */
function parseDate(text: string): number {
  if (text[4] !== "-" || text[7] !== "-") return Number.NaN;
  const year = twoDigitsAt(text, 0) * 100 + twoDigitsAt(text, 2);
  const month = twoDigitsAt(text, 5);
  const day = twoDigitsAt(text, 8);
  if (year > 9999 || month < 1 || month > 12 || day < 1) return Number.NaN;
  const leapDay = isLeap(year) ? 1 : 0;
  if (day > (daysInMonth[month - 1] ?? 0) + (month === 2 ? leapDay : 0)) return Number.NaN;

  const leapDaysBefore = Math.floor((year + 3) / 4) - Math.floor((year + 99) / 100) + Math.floor((year + 399) / 400);
  const dayOfYear = (daysBeforeMonth[month - 1] ?? 0) + (month > 2 ? leapDay : 0) + day - 1;
  return (year * 365 + leapDaysBefore + dayOfYear - daysFromYear0To1970) * dayMs;
}

/** The offset that ends `text` at `index` (`+02:00`, `+0200`, `+02`), or NaN. A space is a `+` that a URL lost. */
function parseOffset(text: string, index: number): number {
  const sign = text[index];
  if (sign !== "+" && sign !== "-" && sign !== " ") return Number.NaN;
  const hours = twoDigitsAt(text, index + 1);
  const rest = text.length - index;
  let minutes = 0;
  if (rest === 6 && text[index + 3] === ":") minutes = twoDigitsAt(text, index + 4);
  else if (rest === 5) minutes = twoDigitsAt(text, index + 3);
  else if (rest !== 3) return Number.NaN;
  if (hours > 23 || minutes > 59) return Number.NaN;
  const offsetMs = hours * msPerHour + minutes * msPerMinute;
  return sign === "-" ? -offsetMs : offsetMs;
}

/**
 * UTC milliseconds of an ISO 8601 time, or null. Without a zone it is UTC, a date alone is its midnight; digits beyond
 * the millisecond are cut off. `24:00:00` is the next day's midnight. A leap second, which has no millisecond of its
 * own, is the start of the next minute.
 */
export function parseInstant(text: string): number | null {
  const length = text.length;
  if (length !== dateLength && length < dateAndMinuteLength) return null;
  let ms = parseDate(text);
  if (length > dateLength) {
    const separator = text[10];
    if ((separator !== "T" && separator !== "t" && separator !== " ") || text[13] !== ":") return null;
    const hour = twoDigitsAt(text, 11);
    const minute = twoDigitsAt(text, 14);
    if (hour > 24 || minute > 59) return null;
    ms += hour * msPerHour + minute * msPerMinute;
    let msOfMinute = 0;

    let index = dateAndMinuteLength;
    if (text[index] === ":") {
      const second = twoDigitsAt(text, index + 1);
      if (second > 60) return null;
      msOfMinute = second * 1000;
      index += 3;
      if (text[index] === "." || text[index] === ",") {
        const firstDigit = ++index;
        for (let weight = 100; digitAt(text, index) < noDigit; weight = Math.floor(weight / 10)) {
          msOfMinute += digitAt(text, index++) * weight;
        }
        if (index === firstDigit) return null;
      }
    }
    if (hour === 24 && (minute > 0 || msOfMinute > 0)) return null;
    ms += Math.min(msOfMinute, msPerMinute);
    if (index < length) {
      const isUtc = (text[index] === "Z" || text[index] === "z") && index === length - 1;
      if (!isUtc) ms -= parseOffset(text, index);
    }
  }
  return ms >= earliestMs && ms <= latestMs ? ms : null; // false for NaN
}

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));
const milliseconds = Array.from({ length: 1000 }, (_, number) => `.${String(number).padStart(3, "0")}Z`);

/** `YYYY-MM-DDT` by day since 1970: an answer has a few hundred days at most. */
const prefixOfDay = new BoundedMap<number, string>({ max: 1000 });

/** The times of one answer are close together, so most share the minute of the one before. */
let lastMinute = Number.NaN;
let lastMinutePrefix = "";

function dayPrefix(day: number): string {
  let prefix = prefixOfDay.get(day);
  if (prefix === undefined) {
    const ms = day * dayMs;
    if (!(ms >= earliestMs && ms <= latestMs))
      throw new Failure("INTERNAL", `day ${day} is not of the years 0 to 9999`);
    prefix = new Date(ms).toISOString().slice(0, "YYYY-MM-DDT".length);
    prefixOfDay.set(day, prefix);
  }
  return prefix;
}

/** `YYYY-MM-DDTHH:MM:SS.mmmZ`, for the years 0000 to 9999. */
export function formatInstant(ms: number): string {
  const wholeMs = Math.floor(ms);
  const minute = Math.floor(wholeMs / msPerMinute);
  if (minute !== lastMinute) {
    const day = Math.floor(minute / minutesPerDay);
    const minuteOfDay = minute - day * minutesPerDay;
    const hour = Math.floor(minuteOfDay / 60);
    lastMinutePrefix = `${dayPrefix(day)}${twoDigits[hour]}:${twoDigits[minuteOfDay - hour * 60]}:`;
    lastMinute = minute;
  }
  const msOfMinute = wholeMs - minute * msPerMinute;
  const second = Math.floor(msOfMinute / 1000);
  return lastMinutePrefix + twoDigits[second] + milliseconds[msOfMinute - second * 1000];
}

/** Days since 1970-01-01, UTC. */
export function dayOf(at: number): number {
  return Math.floor(at / dayMs);
}

/** The date of such a day: `YYYY-MM-DD`. */
export function dateOfDay(day: number): string {
  return formatInstant(day * dayMs).slice(0, "YYYY-MM-DD".length);
}
