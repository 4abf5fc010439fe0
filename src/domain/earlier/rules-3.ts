import type { AlertState } from "../alerts/alerts.ts";
import type { FoldSnapshot } from "../fold.ts";
import { type AwakeState, notAwake } from "../fuel/awake.ts";
import type { Tank } from "../fuel/tank.ts";
import type { StagesState } from "../stages.ts";

/** What the third rules stored of a device: 1.2.0's, with a day's odometer apart from its positions. */
export interface Snapshot3 {
  readonly judge: FoldSnapshot["judge"];
  readonly stages: Omit<StagesState, "alerts"> & { readonly alerts: Alerts3 };
}

type Alerts3 = Omit<AlertState, "parked" | "hasSupply" | "tanks"> & {
  readonly tanks: readonly Omit<Tank, keyof AwakeState>[];
};

export function fromRules3({ judge, stages }: Snapshot3): FoldSnapshot {
  return { judge, stages: { ...stages, alerts: alertsFrom3(stages.alerts) } };
}

/** A parked vehicle is known as such from its next frame on. A voltage is taken for real, as it was by these rules. */
function alertsFrom3({ episodes, towedTrip, tanks }: Alerts3): AlertState {
  return { episodes, towedTrip, parked: null, hasSupply: true, tanks: tanks.map((tank) => ({ ...tank, ...notAwake })) };
}
