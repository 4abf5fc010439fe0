import { powersOfTen } from "./columns.ts";

/** A number of this many digits is written with one store. */
const groupDigits = 4;
const groups = 10_000;
/** Two of them. */
const pairDigits = 8;

const zero = 48;
const minus = 45;
const point = 46;

/** The four digits of the numbers up to 9,999, the first in the lowest byte, as a view stores them. */
export const fourDigits = Uint32Array.from({ length: groups }, (_, number) =>
  [1000, 100, 10, 1].reduce((word, unit, place) => word + (zero + (Math.floor(number / unit) % 10)) * 256 ** place, 0),
);

/** How many of the four are left without zeros at the end. */
const lengths = Uint8Array.from({ length: groups }, (_, number) =>
  number % 10 !== 0 ? 4 : number % 100 !== 0 ? 3 : number % 1000 !== 0 ? 2 : 1,
);

/**
 * Writes the number `scaled / 10 ** decimals` at a place, digit for digit as JSON does, and returns the place after it. Up to
 * eight bytes after that are overwritten. JavaScript's own way takes several times as long, since it has to find the shortest
 * digits of a binary fraction.
 */
export function writeDecimal(view: DataView, start: number, scaled: number, decimals: number): number {
  let at = start;
  let rest = scaled;
  if (rest < 0) {
    view.setUint8(at++, minus);
    rest = -rest;
  }
  const scale = powersOfTen[decimals] as number;
  const whole = Math.floor(rest / scale);
  at = whole < groups ? writeGroup(view, at, whole | 0) : writeWhole(view, at, whole);
  const fraction = rest - whole * scale;
  if (fraction === 0) return at;
  view.setUint8(at, point);
  if (decimals > pairDigits) return writeLongFraction(view, at + 1, fraction, decimals);
  return writePair(view, at + 1, (fraction * (powersOfTen[pairDigits - decimals] as number)) | 0);
}

/** Without zeros in front. */
function writeGroup(view: DataView, at: number, value: number): number {
  const missing = value < 10 ? 3 : value < 100 ? 2 : value < 1_000 ? 1 : 0;
  view.setUint32(at, (fourDigits[value] as number) >>> (8 * missing), true);
  return at + groupDigits - missing;
}

function writeWhole(view: DataView, at: number, value: number): number {
  const upper = Math.floor(value / groups);
  const middle = upper < groups ? writeGroup(view, at, upper | 0) : writeWhole(view, at, upper);
  view.setUint32(middle, fourDigits[(value - upper * groups) | 0] as number, true);
  return middle + groupDigits;
}

/** Eight digits, without zeros at the end. The number is not 0. */
function writePair(view: DataView, at: number, value: number): number {
  const upper = (value / groups) | 0;
  const lower = value - upper * groups;
  view.setUint32(at, fourDigits[upper] as number, true);
  view.setUint32(at + groupDigits, fourDigits[lower] as number, true);
  return lower === 0 ? at + (lengths[upper] as number) : at + groupDigits + (lengths[lower] as number);
}

/** The same of more digits. */
function writeLongFraction(view: DataView, at: number, value: number, decimals: number): number {
  const unit = powersOfTen[decimals - pairDigits] as number;
  const upper = Math.floor(value / unit);
  const rest = value - upper * unit;
  const end = writePair(view, at, upper);
  return rest === 0 ? end : writePair(view, at + pairDigits, rest * (powersOfTen[2 * pairDigits - decimals] as number));
}
