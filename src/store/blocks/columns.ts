import { type BlockReader, type ByteWriter, maxWritten } from "./bytes.ts";

export type BlockColumn = DecimalColumn | AnyColumn;

/** Numbers of a few decimals, as whole numbers: 52.5, with 7 decimals, is 525000000. NaN is null. */
export interface DecimalColumn {
  readonly decimals: number;
  readonly scaled: Float64Array;
}

/** Values of any kind: texts, lists, numbers that do not scale. */
class AnyColumn {
  readonly decimals = null;
  readonly #json: string;
  /** Of each frame, which it is; null: there is only one value. */
  readonly #indexes: Float64Array | null;
  #values: readonly unknown[] | null = null;
  readonly #jsonOf: Buffer[] = [];

  /** `json`: the one value, or an array of all. */
  constructor(json: string, indexes: Float64Array | null) {
    this.#json = json;
    this.#indexes = indexes;
  }

  at(index: number): unknown {
    if (this.#values === null) {
      const parsed: unknown = this.#json === "null" ? null : JSON.parse(this.#json);
      this.#values = this.#indexes === null ? [parsed] : (parsed as unknown[]);
    }
    return this.#values[this.#indexes?.[index] ?? 0];
  }

  /** The one value as JSON; null if there are several. */
  get sameJson(): string | null {
    return this.#indexes === null ? this.#json : null;
  }

  /** As JSON in UTF-8. */
  jsonAt(index: number): Buffer {
    const place = this.#indexes?.[index] ?? 0;
    let json = this.#jsonOf[place];
    if (json === undefined) {
      json = Buffer.from(JSON.stringify(this.at(index)));
      this.#jsonOf[place] = json;
    }
    return json;
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

const nullColumn = new AnyColumn("null", null);

function sameColumn(json: string): AnyColumn {
  return json === "null" ? nullColumn : new AnyColumn(json, null);
}

export function readColumn(bytes: BlockReader, count: number): BlockColumn {
  switch (bytes.byte()) {
    case forms.same:
      return sameColumn(bytes.json());
    case forms.decimals:
      return { decimals: bytes.byte(), scaled: bytes.deltas(count) };
    default:
      return new AnyColumn(bytes.json(), bytes.deltas(count));
  }
}

/** Whether all frames have the same value. */
export function isSame(column: BlockColumn): boolean {
  return sameJson(column) !== null;
}

/** The value that all frames have, as JSON; null if they differ. */
export function sameJson(column: BlockColumn): string | null {
  return column.decimals === null ? column.sameJson : null;
}

export function valueAt(column: BlockColumn, index: number): unknown {
  return column.decimals === null ? column.at(index) : numberAt(column, index);
}

function numberAt({ decimals, scaled }: DecimalColumn, index: number): number | null {
  const value = scaled[index] as number;
  return Number.isNaN(value) ? null : value / (powersOfTen[decimals] as number);
}
