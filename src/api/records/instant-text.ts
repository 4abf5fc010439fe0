import { dayMs, formatInstant } from "../../domain/time/time.ts";
import type { Target } from "./json-writer.ts";
import { Literal, writeLiteral } from "./literal.ts";

const zero = 48;
const colon = 58;
const point = 46;

/** Writes times as `2026-05-26T12:00:00.000`. Remembers the date, since most are of the same day as the one before. */
export function instantWriter(): (target: Target, at: number, ms: number) => number {
  let lastDay = Number.NaN;
  let date = new Literal("");
  return ({ bytes, view }, at, ms) => {
    const day = Math.floor(ms / dayMs);
    if (day !== lastDay) {
      lastDay = day;
      date = new Literal(formatInstant(day * dayMs).replace(/00:00:00\.000Z$/, ""));
    }
    return writeTime(bytes, writeLiteral(view, at, date), Math.floor(ms - day * dayMs));
  };
}

/** `12:00:00.000` of the milliseconds of a day. */
function writeTime(bytes: Uint8Array, at: number, ms: number): number {
  const seconds = (ms / 1000) | 0;
  const minutes = (seconds / 60) | 0;
  const hours = (minutes / 60) | 0;
  const millis = ms - seconds * 1000;
  const tens = (millis / 10) | 0;
  writePair(bytes, at, hours);
  bytes[at + 2] = colon;
  writePair(bytes, at + 3, minutes - hours * 60);
  bytes[at + 5] = colon;
  writePair(bytes, at + 6, seconds - minutes * 60);
  bytes[at + 8] = point;
  writePair(bytes, at + 9, tens);
  bytes[at + 11] = zero + millis - tens * 10;
  return at + 12;
}

function writePair(bytes: Uint8Array, at: number, value: number): void {
  const tens = (value / 10) | 0;
  bytes[at] = zero + tens;
  bytes[at + 1] = zero + value - tens * 10;
}
