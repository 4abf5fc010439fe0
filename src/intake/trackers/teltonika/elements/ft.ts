import type { ElementRow } from "./reading.ts";

/**
 * FTC and FTM, the successors of the light models, differ from them in these. Their zones (155 to 157: number, inside, too fast) are
 * not read, since it is not published which of the three makes the record.
 */
export const ftElements: readonly ElementRow[] = [
  [800, 4, { as: "number", field: "external_voltage_v", per: 1000, isFallback: true }],
  [242, 1, { as: "events", asTrigger: { 1: "fall_down" } }],
];
