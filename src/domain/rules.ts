import { fromRules1, type Snapshot1, type Totals1 } from "./earlier/rules-1.ts";
import type { FoldSnapshot } from "./fold.ts";

/**
 * The version of the rules in this folder. It grows with every change of what is derived from the same frames. States that
 * other rules made are not continued: their device is derived again from its frames.
 */
export const rulesVersion = 2;

/**
 * A stored state of earlier rules in the present form, from the JSON it was stored as. It is not what the present rules
 * would have found, so it is used only until the device is derived again, and where there are no frames to derive it from.
 */
export function fromEarlierRules(stateJson: string, totalsJson: string | null): FoldSnapshot {
  const totals = totalsJson === null ? null : (JSON.parse(totalsJson) as Totals1);
  return fromRules1(JSON.parse(stateJson) as Snapshot1, totals);
}
