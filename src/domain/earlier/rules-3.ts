import type { AlertState } from "../alerts/alerts.ts";
import { noSamples } from "../alerts/speed-evidence.ts";
import type { FoldSnapshot } from "../fold.ts";
import type { StagesState } from "../stages.ts";

/** What the third rules stored of a device: 1.2.0's, with a day's odometer apart from its positions. */
export interface Snapshot3 {
  readonly judge: FoldSnapshot["judge"];
  readonly stages: Omit<StagesState, "alerts"> & { readonly alerts: Alerts3 };
}

/** Each speed was held against the limit by itself. */
export type Alerts3 = Omit<AlertState, "speeds">;

export function fromRules3({ judge, stages }: Snapshot3): FoldSnapshot {
  return { judge, stages: { ...stages, alerts: { ...stages.alerts, speeds: noSamples } } };
}
