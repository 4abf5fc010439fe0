import { powersOfTen } from "./columns.ts";

const zero = 48;
const minus = 45;
const point = 46;
/** Larger numbers are written in two parts, each of which fits into 32 bits. */
const largePart = 1e9;
const largeDigits = 9;

/**
 * Writes the number `scaled / 10 ** decimals` at a place, digit for digit as JSON does, and returns the place after it.
 * JavaScript's own way takes several times as long, since it has to find the shortest digits of a binary fraction.
 */
export function writeDecimal(bytes: Uint8Array, start: number, scaled: number, decimals: number): number {
  let at = start;
  let rest = scaled;
  if (rest < 0) {
    bytes[at++] = minus;
    rest = -rest;
  }
  if (decimals === 0) return writeWhole(bytes, at, rest);
  const scale = powersOfTen[decimals] as number;
  const whole = Math.floor(rest / scale);
  at = writeWhole(bytes, at, whole);
  let fraction = rest - whole * scale;
  if (fraction === 0) return at;
  let digits = decimals;
  for (; fraction % 10 === 0; fraction /= 10) digits--;
  bytes[at] = point;
  writeDigits(bytes, at + 1, fraction, digits);
  return at + 1 + digits;
}

function writeWhole(bytes: Uint8Array, at: number, value: number): number {
  if (value < largePart) {
    const digits = digitsOf(value);
    writeDigits(bytes, at, value, digits);
    return at + digits;
  }
  const upper = Math.floor(value / largePart);
  const middle = writeWhole(bytes, at, upper);
  writeDigits(bytes, middle, value - upper * largePart, largeDigits);
  return middle + largeDigits;
}

function digitsOf(value: number): number {
  let digits = 1;
  for (let bound = 10; value >= bound; bound *= 10) digits++;
  return digits;
}

/** Exactly so many digits, with zeros in front. */
function writeDigits(bytes: Uint8Array, at: number, value: number, digits: number): void {
  let rest = value;
  let place = at + digits;
  for (; rest >= largePart && place > at; rest = Math.floor(rest / 10)) bytes[--place] = zero + (rest % 10);
  let small = rest | 0;
  while (place > at) {
    const next = (small / 10) | 0;
    bytes[--place] = zero + small - next * 10;
    small = next;
  }
}
