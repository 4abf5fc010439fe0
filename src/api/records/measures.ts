import { z } from "zod";
import { amount } from "./fields.ts";
import { field, type RecordField } from "./record.ts";
import { milli } from "./values.ts";

export function seconds<Row>(description: string, ofMs: (row: Row) => number): RecordField<Row> {
  return field(amount, description, (row: Row) => milli(ofMs(row)));
}

export function secondsOrNull<Row>(description: string, ofMs: (row: Row) => number | null): RecordField<Row> {
  return field(amount.nullable(), description, (row: Row) => milli(ofMs(row)));
}

export function kilometresField<Row>(description: string, ofMm: (row: Row) => number): RecordField<Row> {
  return field(amount, description, (row: Row) => ofMm(row) / 1e6);
}

export function kilometresOrNull<Row>(description: string, ofMm: (row: Row) => number | null): RecordField<Row> {
  return field(amount.nullable(), description, (row: Row) => {
    const mm = ofMm(row);
    return mm === null ? null : mm / 1e6;
  });
}

/** A number that may be unknown, stored as a count of thousandths. */
export function thousandths<Row>(description: string, of: (row: Row) => number | null): RecordField<Row> {
  return field(z.number().nullable(), description, (row: Row) => milli(of(row)));
}
