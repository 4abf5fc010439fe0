import { commonElements } from "./elements/common.ts";
import { isPublished } from "./elements/known.ts";
import { ftElements, lightElements, lightZones } from "./elements/light.ts";
import { professionalElements } from "./elements/professional.ts";
import { type ElementRow, type ElementTable, elementKey, elementTable } from "./elements/reading.ts";
import { gh3000Elements, gh3000Known } from "./gh3000.ts";
import type { AvlRecord } from "./records.ts";

/** What the elements of a family of models mean, and which numbers of others need not be named. */
export interface Dialect {
  readonly table: ElementTable;
  readonly isKnown: (id: number) => boolean;
}

export const gh3000: Dialect = { table: gh3000Elements, isKnown: (id) => gh3000Known.has(id) };
const light = publishedDialect(commonElements, lightElements, lightZones);
const ft = publishedDialect(commonElements, lightElements, ftElements);
const professional = publishedDialect(commonElements, professionalElements);

function publishedDialect(...groups: readonly (readonly ElementRow[])[]): Dialect {
  return { table: elementTable(...groups), isKnown: isPublished };
}

/**
 * No message names the model, but some elements are sent in this width by one family alone. Professional and older models: state of
 * the satellites in one byte, Dallas temperature in two, power of the antenna or driving time in two. FT: external voltage.
 */
const marks: ReadonlyMap<number, Dialect> = new Map([
  [elementKey(71, 1), professional],
  [elementKey(69, 2), professional],
  [elementKey(72, 2), professional],
  [elementKey(73, 2), professional],
  [elementKey(74, 2), professional],
  [elementKey(75, 2), professional],
  [elementKey(800, 4), ft],
]);

/** The records of a packet come from one tracker: the first mark decides. */
export function dialectOf(records: readonly AvlRecord[]): Dialect {
  for (const { elements } of records) {
    for (const { id, width } of elements) {
      const dialect = marks.get(elementKey(id, width));
      if (dialect !== undefined) return dialect;
    }
  }
  return light;
}
