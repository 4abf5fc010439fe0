import type { AlertState } from "../alerts/alerts.ts";
import type { FoldSnapshot } from "../fold.ts";
import { type AwakeState, notAwake } from "../fuel/awake.ts";
import type { Tank } from "../fuel/tank.ts";
import type { DayTally } from "../mileage/day-tally.ts";
import type { MileageState } from "../mileage/mileage.ts";
import type { StagesState } from "../stages.ts";

/** What the third rules stored of a device. */
export interface Snapshot3 {
  readonly judge: Omit<FoldSnapshot["judge"], "rival"> & { readonly rival: unknown };
  readonly stages: Omit<StagesState, "mileage" | "alerts"> & { readonly mileage: Mileage3; readonly alerts: Alerts3 };
}

export interface Mileage3 {
  readonly reading: MileageState["reading"];
  readonly days: readonly DayTally3[];
}

export type DayTally3 = Omit<DayTally, "doubtMm">;

type Alerts3 = Omit<AlertState, "parked" | "hasSupply" | "tanks"> & {
  readonly tanks: readonly Omit<Tank, keyof AwakeState>[];
};

/** These rules let the odometer differ by a quarter. */
const doubtShare = 0.25;

export function fromRules3({ judge, stages }: Snapshot3): FoldSnapshot {
  return {
    // What these rules knew of a second place was less than a second tracker.
    judge: { ...judge, rival: null },
    stages: { ...stages, mileage: mileageFrom3(stages.mileage), alerts: alertsFrom3(stages.alerts) },
  };
}

function mileageFrom3({ reading, days }: Mileage3): MileageState {
  return { reading, fits: null, days: days.map(dayFrom3) };
}

function dayFrom3(day: DayTally3): DayTally {
  return { ...day, doubtMm: Math.round(doubtShare * day.gpsMm) };
}

/** A parked vehicle is known as such from its next frame on. A voltage is taken for real, as it was by these rules. */
function alertsFrom3({ episodes, towedTrip, tanks }: Alerts3): AlertState {
  return { episodes, towedTrip, parked: null, hasSupply: true, tanks: tanks.map((tank) => ({ ...tank, ...notAwake })) };
}
