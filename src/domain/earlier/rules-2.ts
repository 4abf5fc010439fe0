import type { FoldSnapshot } from "../fold.ts";
import type { DayTally } from "../mileage/day-tally.ts";
import type { MileageState } from "../mileage/mileage.ts";
import type { DayOdometer } from "../mileage/odometer.ts";
import type { Snapshot3 } from "./rules-3.ts";

/** What the rules of 1.2.0 stored of a device: all but the mileage has the same form now. */
export interface Snapshot2 {
  readonly judge: FoldSnapshot["judge"];
  readonly stages: Omit<Snapshot3["stages"], "mileage"> & { readonly mileage: Mileage2 };
}

export interface Mileage2 {
  readonly reading: MileageState["reading"];
  readonly days: readonly DayTally2[];
}

/** A day was either by the odometer or by positions, as a whole. */
export interface DayTally2 extends Omit<DayTally, "odometer" | "coveredMm" | "sinceMm" | "earlierMm"> {
  readonly odometer: Omit<DayOdometer, "fromAt" | "toAt"> | null;
}

export function fromRules2({ judge, stages }: Snapshot2): Snapshot3 {
  return { judge, stages: { ...stages, mileage: mileageFrom2(stages.mileage) } };
}

/** A day that has a reading is taken to be covered by the odometer until the last one, as it was by these rules. */
export function mileageFrom2({ reading, days }: Mileage2): MileageState {
  return { reading, days: days.map((day) => dayFrom2(day, reading)) };
}

function dayFrom2({ updatedAt, ...day }: DayTally2, reading: MileageState["reading"]): DayTally {
  const odometer = day.odometer && { ...day.odometer, fromAt: 0, toAt: day.endsAt ?? reading?.at ?? 0 };
  const coveredMm = odometer === null ? 0 : day.gpsMm;
  return { ...day, odometer, coveredMm, sinceMm: 0, earlierMm: null, updatedAt };
}
