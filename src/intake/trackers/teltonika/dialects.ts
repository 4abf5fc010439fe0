import { commonElements } from "./elements/common.ts";
import { ftElements, lightElements, lightZones } from "./elements/light.ts";
import { professionalElements } from "./elements/professional.ts";
import { type ElementTable, elementKey, elementTable } from "./elements/reading.ts";
import { gh3000Elements } from "./gh3000.ts";
import type { AvlRecord } from "./records.ts";

export const gh3000 = gh3000Elements;
const light = elementTable(commonElements, lightElements, lightZones);
const ft = elementTable(commonElements, lightElements, ftElements);
const professional = elementTable(commonElements, professionalElements);

/**
 * No message names the model, but some elements are sent in this width by one family alone. Professional and older models: state of
 * the satellites in one byte, Dallas temperature in two, power of the antenna or driving time in two. FT: external voltage.
 */
const marks: ReadonlyMap<number, ElementTable> = new Map([
  [elementKey(71, 1), professional],
  [elementKey(69, 2), professional],
  [elementKey(72, 2), professional],
  [elementKey(73, 2), professional],
  [elementKey(74, 2), professional],
  [elementKey(75, 2), professional],
  [elementKey(800, 4), ft],
]);

/** The records of a packet come from one tracker: the first mark decides. */
export function dialectOf(records: readonly AvlRecord[]): ElementTable {
  for (const { elements } of records) {
    for (const { id, width } of elements) {
      const dialect = marks.get(elementKey(id, width));
      if (dialect !== undefined) return dialect;
    }
  }
  return light;
}
