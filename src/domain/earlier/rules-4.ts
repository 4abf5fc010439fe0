import type { FoldSnapshot } from "../fold.ts";
import type { StagesState } from "../stages.ts";
import { initialStops } from "../stops/stop-state.ts";

/** What the fourth rules stored of a device: they knew no stops. */
export interface Snapshot4 {
  readonly judge: FoldSnapshot["judge"];
  readonly stages: Omit<StagesState, "stops">;
}

/** The order of the keys is part of the form: equal states are equal texts. */
export function fromRules4({ judge, stages }: Snapshot4): FoldSnapshot {
  const { previous, trail, speedCheck, live, trips, crossings, mileage, alerts } = stages;
  return {
    judge,
    stages: { previous, trail, speedCheck, live, trips, stops: initialStops, crossings, mileage, alerts },
  };
}
