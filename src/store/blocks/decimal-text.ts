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
  const fraction = rest - whole * scale;
  if (fraction === 0) return at;
  bytes[at++] = point;
  let end = at + decimals;
  if (fraction < largePart) {
    writeDigits(bytes, at, fraction | 0, decimals);
  } else {
    const upper = Math.floor(fraction / largePart);
    writeDigits(bytes, at, upper, decimals - largeDigits);
    writeDigits(bytes, end - largeDigits, (fraction - upper * largePart) | 0, largeDigits);
  }
  while (bytes[end - 1] === zero) end--;
  return end;
}

function writeWhole(bytes: Uint8Array, at: number, value: number): number {
  if (value < largePart) {
    const small = value | 0;
    const digits = digitsOf(small);
    writeDigits(bytes, at, small, digits);
    return at + digits;
  }
  const upper = Math.floor(value / largePart);
  const middle = writeWhole(bytes, at, upper);
  writeDigits(bytes, middle, (value - upper * largePart) | 0, largeDigits);
  return middle + largeDigits;
}

function digitsOf(value: number): number {
  if (value < 1_000) return value < 10 ? 1 : value < 100 ? 2 : 3;
  let digits = 4;
  for (let bound = 10_000; value >= bound && digits < largeDigits; bound *= 10) digits++;
  return digits;
}

/** The two digits of the numbers from 0 to 99. */
const tens = Uint8Array.from({ length: 100 }, (_, pair) => zero + Math.floor(pair / 10));
const ones = Uint8Array.from({ length: 100 }, (_, pair) => zero + (pair % 10));

/** Exactly so many digits of a number of 32 bits, with zeros in front: in pairs, which halves the divisions. */
function writeDigits(bytes: Uint8Array, at: number, value: number, digits: number): void {
  let rest = value;
  let place = at + digits;
  while (place - at >= 2) {
    const next = (rest / 100) | 0;
    const pair = rest - next * 100;
    place -= 2;
    bytes[place] = tens[pair] as number;
    bytes[place + 1] = ones[pair] as number;
    rest = next;
  }
  if (place > at) bytes[at] = zero + rest;
}
