import fc from "fast-check";

/** The moment at which everything happens that names no other. */
export const noon = Date.UTC(2026, 5, 15, 12);

export const hourMs = 3_600_000;
export const msPerDay = 86_400_000;

/**
 * A column of a row: what it may hold, what it holds in an ordinary row, and which entries the record has of it. Entries
 * that are made of several columns stand at the first of them.
 */
type Column<Row, Value> = readonly [
  any: fc.Arbitrary<Value>,
  ordinary: Value,
  shown?: (value: Value, row: Row, name: string) => object,
];
type Columns<Row> = { readonly [Name in keyof Row]-?: Column<Row, Row[Name]> };

/** All that tests know of a kind of row and of the record that it is shown as. */
export interface DeclaredRow<Row> {
  readonly columns: Columns<Row>;
  /** Everything that the loader and the ingest let through, and in free text more than that. */
  readonly any: fc.Arbitrary<Row>;
  readonly ordinary: Row;
  /** The record as a plain object: what the fast presenters are held against. */
  readonly record: (row: Row) => object;
}

/** The columns stand in the order in which the record shows them. */
export function declareRow<Row extends object>(columns: Columns<Row>): DeclaredRow<Row> {
  const declared = Object.entries(columns) as [keyof Row & string, Column<Row, Row[keyof Row]>][];
  const entries = <Value>(of: (column: Column<Row, Row[keyof Row]>) => Value) =>
    Object.fromEntries(declared.map(([name, column]) => [name, of(column)]));
  return {
    columns,
    any: fc.record(entries(([any]) => any)) as unknown as fc.Arbitrary<Row>,
    ordinary: entries(([, ordinary]) => ordinary) as Row,
    record: (row) =>
      Object.assign({}, ...declared.map(([name, [, , shown = asIs]]) => shown(row[name] as Row[keyof Row], row, name))),
  };
}

const asIs = (value: unknown, _row: unknown, name: string) => ({ [name]: value });
const orNull =
  <Value, Shown>(of: (value: Value) => Shown) =>
  (value: Value | null) =>
    value === null ? null : of(value);
const instantText = (ms: number) => new Date(ms).toISOString();

/** How a record shows what is stored. */
export const shown = {
  nowhere: () => ({}),
  /** Under a name of its own, perhaps in another unit. */
  as:
    <Value>(key: string, of: (value: Value) => unknown = (value) => value) =>
    (value: Value) => ({ [key]: of(value) }),
  /** Otherwise than it is stored, under the column's name. */
  by:
    <Value>(of: (value: Value) => unknown) =>
    (value: Value, _row: unknown, name: string) => ({ [name]: of(value) }),
  instant: instantText,
  degrees: orNull((e7: number) => e7 / 1e7),
  milli: orNull((value: number) => value / 1000),
  micro: (value: number) => value / 1e6,
};

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 3 });
const nasty = [
  '"',
  "\\",
  "\u0000",
  "\u001f",
  "\u007f",
  "\u2028",
  "é",
  "ł",
  "漢",
  "🚚",
  "\ud800",
  "\udc00",
  "</script>",
];
/** Texts with everything that needs care, on both sides of the length from which they are encoded otherwise. */
const text = fc.oneof(
  fc.string({ maxLength: 100 }),
  fc.string({ unit: "binary", maxLength: 100 }),
  fc
    .array(fc.oneof(fc.constantFrom(...nasty), fc.constant("a".repeat(20))), { maxLength: 12 })
    .map((all) => all.join("")),
);
const instant = fc.oneof(
  fc.integer({ min: Date.parse("0000-01-01T00:00:00.000Z"), max: Date.parse("9999-12-31T23:59:59.999Z") }),
  fc.integer({ min: Date.parse("2026-01-01"), max: Date.parse("2026-01-03") }),
);
const flag = fc.constantFrom(0, 1, false, true);
const int32 = fc.oneof(fc.integer(), fc.integer({ min: -2000, max: 2000 }));
const json = <Value>(value: fc.Arbitrary<Value>) => value.map((parsed) => JSON.stringify(parsed));

/** Values of a column. */
export const any = {
  maybe,
  text,
  instant,
  int32,
  integer: fc.oneof(int32, fc.maxSafeInteger()),
  size: fc.oneof(fc.nat(), fc.nat({ max: 2000 }), fc.maxSafeNat()),
  count: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  latitude: fc.oneof(fc.integer({ min: -9e8, max: 9e8 }), fc.integer({ min: -11, max: 11 })),
  longitude: fc.oneof(fc.integer({ min: -18e8, max: 18e8 }), fc.integer({ min: -11, max: 11 })),
  json,
};

const id = (key: string) => [fc.uuid(), "", shown.as<string>(key)] as const;

/** Columns that many rows have, most of them by what is ordinary there. */
export const column = {
  id,
  maybeId: [maybe(fc.uuid()), null],
  label: (ordinary: string) => [text, ordinary] as const,
  maybeLabel: (ordinary: string | null) => [maybe(text), ordinary] as const,
  at: (ordinary: number) => [instant, ordinary, shown.by(instantText)] as const,
  maybeAt: (ordinary: number | null) => [maybe(instant), ordinary, shown.by(orNull(instantText))] as const,
  boolean: [flag, false as number | boolean, shown.by(Boolean)],
  maybeBoolean: [maybe(flag), null, shown.by(orNull(Boolean))],
  parsed: (value: fc.Arbitrary<unknown>, ordinary: string, key: string) =>
    [json(value), ordinary, shown.as(key, JSON.parse)] as const,
  /** Whose row it is. */
  place: { device_id: id("device_id"), imei: [fc.stringMatching(/^[0-9]{14,16}$/), ""] },
} as const;

/** What the mileage of an account is asked for that never had another time zone. */
export function utcDays(fromDay: number, untilDay: number) {
  return [{ timeZone: "UTC", fromDay, untilDay }] as const;
}
