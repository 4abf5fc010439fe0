import { type ByteReader, type ByteWriter, maxWritten } from "./bytes.ts";

export type Column = DecimalColumn | AnyColumn;

/** Numbers of a few decimals, as whole numbers: 52.5, with 7 decimals, is 525000000. NaN is null. */
export class DecimalColumn {
  readonly decimals: number;
  readonly #read: () => Float64Array;
  #scaled: Float64Array | null = null;

  constructor(decimals: number, read: () => Float64Array) {
    this.decimals = decimals;
    this.#read = read;
  }

  get scaled(): Float64Array {
    this.#scaled ??= this.#read();
    return this.#scaled;
  }
}

/** Values of any kind: texts, lists, numbers that do not scale. */
class AnyColumn {
  readonly decimals = null;
  readonly isSame: boolean;
  readonly #readJson: () => string;
  readonly #readIndexes: (() => Float64Array) | null;
  /** Of each frame, which it is; null: there is only one value. */
  #indexes: Float64Array | null = null;
  #values: readonly unknown[] | null = null;
  readonly #jsonOf: Buffer[] = [];

  /** `readJson`: the one value, or an array of all. */
  constructor(readJson: () => string, readIndexes: (() => Float64Array) | null) {
    this.isSame = readIndexes === null;
    this.#readJson = readJson;
    this.#readIndexes = readIndexes;
  }

  at(index: number): unknown {
    if (this.#values === null) {
      const json = this.#readJson();
      const parsed: unknown = json === "null" ? null : JSON.parse(json);
      this.#values = this.isSame ? [parsed] : (parsed as unknown[]);
    }
    return this.#values[this.#placeOf(index)];
  }

  /** The one value as JSON; null if there are several. */
  get sameJson(): string | null {
    return this.isSame ? this.#readJson() : null;
  }

  /** As JSON in UTF-8. */
  jsonAt(index: number): Buffer {
    const place = this.#placeOf(index);
    let json = this.#jsonOf[place];
    if (json === undefined) {
      json = Buffer.from(JSON.stringify(this.at(index)));
      this.#jsonOf[place] = json;
    }
    return json;
  }

  #placeOf(index: number): number {
    if (this.#readIndexes === null) return 0;
    this.#indexes ??= this.#readIndexes();
    return this.#indexes[index] ?? 0;
  }
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
  out.deltas(values, powersOfTen[decimals]);
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
  out.deltas(indexes);
}

/** The number of decimals with which all are whole numbers and come back to the last digit; null if there is none. */
function decimalsOf(values: readonly unknown[]): number | null {
  let decimals = 0;
  let largest = 0;
  for (const value of values) {
    if (value === null) continue;
    if (typeof value !== "number" || (value !== 0 && Math.abs(value) < smallest)) return null;
    largest = Math.max(largest, Math.abs(value));
    while (!isExact(value, powersOfTen[decimals] as number)) {
      if (++decimals > maxDecimals) return null;
    }
  }
  return largest <= maxWritten / (powersOfTen[decimals] as number) ? decimals : null;
}

/** A quotient of two exact numbers is the nearest to the true one, as a number read from decimal digits is. */
function isExact(value: number, scale: number): boolean {
  return Math.round(value * scale) / scale === value;
}

export function readColumn(bytes: ByteReader, count: number): Column {
  switch (bytes.byte()) {
    case forms.same:
      return new AnyColumn(bytes.laterText(), null);
    case forms.decimals:
      return new DecimalColumn(bytes.byte(), bytes.laterDeltas(count));
    default:
      return new AnyColumn(bytes.laterText(), bytes.laterDeltas(count));
  }
}

/** Whether all frames have the same value. */
export function isSame(column: Column): boolean {
  return column.decimals === null && column.isSame;
}

export function valueAt(column: Column, index: number): unknown {
  return column.decimals === null ? column.at(index) : numberAt(column, index);
}

function numberAt({ decimals, scaled }: DecimalColumn, index: number): number | null {
  const value = scaled[index] as number;
  return Number.isNaN(value) ? null : value / (powersOfTen[decimals] as number);
}
