import { type DayTally, odometerMmOf } from "../../domain/mileage/day-tally.ts";
import { isSteadyStep } from "../../domain/mileage/odometer.ts";
import type { TracedFrame } from "./retrace.ts";
import { duration, instant, kilometres } from "./words.ts";

/** Whether a day's distance is the odometer's, how much of it is not, and why. */
export function odometerUse(tally: DayTally, during: readonly TracedFrame[]): string[] {
  const { odometer, gpsMm, coveredMm, earlierMm } = tally;
  if (odometer === null) return ["No odometer was reported."];
  const shownMm = odometer.endMm - odometer.startMm - (earlierMm ?? 0);
  const shown = kilometres(shownMm);
  const besidesMm = gpsMm - coveredMm;
  const part = besidesMm === 0 ? "" : ` for ${kilometres(coveredMm)} of it`;
  const usedMm = odometerMmOf(tally);
  if (usedMm !== null && besidesMm === 0) return [`The odometer shows ${shown}, which agrees: the day has that.`];
  if (usedMm !== null) {
    const [besides, whole] = [kilometres(besidesMm), kilometres(usedMm + besidesMm)];
    const unread = `The other ${besides} were driven before or after its readings and count by the positions`;
    return [`The odometer shows ${shown}${part}, which agrees. ${unread}: the day has ${whole}.`];
  }
  if (!odometer.isSpan) return ["The odometer was read only once, so it is not used."];
  if (!odometer.isSteady) return ["The odometer is not used:", ...unsteadySteps(during)];
  const apart = kilometres(Math.abs(shownMm - coveredMm));
  return [`The odometer shows ${shown}${part}. It is not used, because that is ${apart} apart.`];
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
