import { type DayOdometer, isSteadyStep } from "../../domain/mileage/odometer.ts";
import type { TracedFrame } from "./retrace.ts";
import { duration, instant, kilometres } from "./words.ts";

/** Whether a day's distance is the odometer's, and why not. `usedMm`: null if it is not. */
export function odometerUse(
  odometer: DayOdometer | null,
  gpsMm: number,
  usedMm: number | null,
  during: readonly TracedFrame[],
): string[] {
  if (odometer === null) return ["No odometer was reported."];
  const shownMm = odometer.endMm - odometer.startMm;
  if (usedMm !== null) return [`The odometer shows ${kilometres(usedMm)}, which agrees: the day has that.`];
  if (!odometer.isSpan) return ["The odometer was read only once, so it is not used."];
  if (!odometer.isSteady) return ["The odometer is not used:", ...unsteadySteps(during)];
  const apart = kilometres(Math.abs(shownMm - gpsMm));
  return [`The odometer shows ${kilometres(shownMm)}. It is not used, because that is ${apart} apart.`];
}

function unsteadySteps(during: readonly TracedFrame[]): string[] {
  const lines = during.flatMap(({ before, after }) => {
    const [last, next] = [before.mileage.reading, after.mileage.reading];
    if (last === null || next === null || last === next || isSteadyStep(last, next)) return [];
    const mm = next.mm - last.mm;
    const how =
      mm < 0 ? `fell by ${kilometres(-mm)}` : `jumped ahead by ${kilometres(mm)} in ${duration(next.at - last.at)}`;
    return [`At ${instant(next.at)} it ${how}, from ${kilometres(last.mm)} to ${kilometres(next.mm)}.`];
  });
  return lines.length === 0 ? ["It fell or jumped in frames that are not stored any more."] : lines;
}
