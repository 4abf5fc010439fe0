import { type ByteReader, type ByteWriter, maxWritten } from "./bytes.ts";

/** One value of each frame of a block. */
export type Column = DecimalColumn | AnyColumn;

/** Numbers of a few decimals, as whole numbers: 52.5, with 7 decimals, is 525000000. NaN is null. */
export interface DecimalColumn {
  readonly decimals: number;
  readonly scaled: Float64Array;
}

/** Values of any kind: texts, lists, numbers that do not scale. */
export interface AnyColumn {
  readonly decimals: null;
  readonly values: readonly unknown[];
}

export const powersOfTen = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10] as const;
const maxDecimals = powersOfTen.length - 1;
/** Smaller ones are written with an exponent in JSON. */
const smallest = 1e-6;

/** `same`: all frames have the same value. */
const forms = { same: 0, decimals: 1, any: 2 } as const;

export function writeColumn(out: ByteWriter, values: readonly unknown[]): void {
  const [first] = values;
  if (values.every((value) => value === first)) {
    out.byte(forms.same);
    out.text(JSON.stringify(first));
    return;
  }
  const decimals = decimalsOf(values);
  if (decimals === null) writeAny(out, values);
  else writeDecimals(out, values as readonly (number | null)[], decimals);
}

/** The same for whole numbers. */
export function writeDecimals(out: ByteWriter, values: readonly (number | null)[], decimals = 0): void {
  out.byte(forms.decimals);
  out.byte(decimals);
  const scale = powersOfTen[decimals] as number;
  let last = 0;
  for (const value of values) {
    if (value === null) {
      out.number(0);
      continue;
    }
    const scaled = Math.round(value * scale);
    const delta = scaled - last;
    out.number(delta < 0 ? -2 * delta : 2 * delta + 1);
    last = scaled;
  }
}

/** Each different value once, as JSON, and for each frame which it is. */
function writeAny(out: ByteWriter, values: readonly unknown[]): void {
  out.byte(forms.any);
  const places = new Map<string, number>();
  const indexes = values.map((value) => {
    const text = JSON.stringify(value);
    const known = places.get(text) ?? places.size;
    places.set(text, known);
    return known;
  });
  out.text(`[${[...places.keys()].join(",")}]`);
  for (const index of indexes) out.number(index);
}

/**
 * The number of decimals with which all of these are whole numbers, and come back to the last digit; null if there is
 * none, or something else is among them.
 */
function decimalsOf(values: readonly unknown[]): number | null {
  let decimals = 0;
  for (const value of values) {
    if (value === null) continue;
    if (typeof value !== "number" || (value !== 0 && Math.abs(value) < smallest)) return null;
    while (!isExact(value, powersOfTen[decimals] as number)) {
      if (++decimals > maxDecimals) return null;
    }
  }
  const limit = maxWritten / (powersOfTen[decimals] as number);
  return values.every((value) => Math.abs(value as number) <= limit) ? decimals : null;
}

/** A quotient of two exact numbers is the nearest to the true one, as a number read from decimal digits is. */
function isExact(value: number, scale: number): boolean {
  return Math.round(value * scale) / scale === value;
}

export function readColumn(bytes: ByteReader, count: number): Column {
  switch (bytes.byte()) {
    case forms.same:
      return { decimals: null, values: new Array(count).fill(JSON.parse(bytes.text())) };
    case forms.decimals:
      return readDecimals(bytes, count);
    default:
      return readAny(bytes, count);
  }
}

function readDecimals(bytes: ByteReader, count: number): DecimalColumn {
  const decimals = bytes.byte();
  const scaled = new Float64Array(count);
  bytes.numbers(scaled);
  let last = 0;
  for (let index = 0; index < count; index++) {
    const code = scaled[index] as number;
    if (code === 0) {
      scaled[index] = Number.NaN;
      continue;
    }
    const half = Math.floor(code / 2);
    last += half * 2 === code ? -half : half;
    scaled[index] = last;
  }
  return { decimals, scaled };
}

function readAny(bytes: ByteReader, count: number): AnyColumn {
  const distinct = JSON.parse(bytes.text()) as unknown[];
  return { decimals: null, values: Array.from({ length: count }, () => distinct[bytes.number()] ?? null) };
}

export function valueAt(column: Column, index: number): unknown {
  return column.decimals === null ? column.values[index] : numberAt(column, index);
}

function numberAt({ decimals, scaled }: DecimalColumn, index: number): number | null {
  const value = scaled[index] as number;
  return Number.isNaN(value) ? null : value / (powersOfTen[decimals] as number);
}
