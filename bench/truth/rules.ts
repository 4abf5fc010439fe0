import { resolve } from "node:path";
import type * as ByClock from "../../src/derive/arrival.ts";
import type * as FenceIndex from "../../src/derive/fence-index.ts";
import type * as Facts from "../../src/domain/facts.ts";
import type * as Folding from "../../src/domain/fold.ts";
import type * as Offsets from "../../src/domain/quality/clock-offset.ts";
import type * as Stages from "../../src/domain/stages.ts";
import type * as Clocks from "../../src/domain/time/tracker-clock.ts";
import type * as Arrivals from "../../src/intake/arrival.ts";

/** The rules of one checkout. Two versions can be measured by the same program. */
export interface Rules {
  readonly emptyFold: typeof Folding.emptyFold;
  readonly foldFrame: typeof Folding.foldFrame;
  readonly openFacts: typeof Stages.openFacts;
  readonly factKey: typeof Facts.factKey;
  readonly AccountFences: typeof FenceIndex.AccountFences;
  readonly arrivalOf: typeof Arrivals.arrivalOf;
  /** Null in a checkout that finds out no clocks. */
  readonly offsets: typeof Offsets | null;
  /** An arrival as the clock that is set for its tracker shows it. */
  readonly shownBy: ((arrival: ByClock.Arrival, clock: string) => ByClock.Arrival) | null;
}

export async function loadRules(checkout: string): Promise<Rules> {
  const load = <Module>(path: string): Promise<Module> => import(resolve(checkout, "src", path));
  const { emptyFold, foldFrame } = await load<typeof Folding>("domain/fold.ts");
  const { openFacts } = await load<typeof Stages>("domain/stages.ts");
  const { factKey } = await load<typeof Facts>("domain/facts.ts");
  const { AccountFences } = await load<typeof FenceIndex>("derive/fence-index.ts");
  const { arrivalOf } = await load<typeof Arrivals>("intake/arrival.ts");
  const offsets = await load<typeof Offsets>("domain/quality/clock-offset.ts").catch(() => null);
  const clocks = await load<typeof Clocks>("domain/time/tracker-clock.ts").catch(() => null);
  const { byTrackerClock } = await load<typeof ByClock>("derive/arrival.ts");
  const shownBy: Rules["shownBy"] =
    clocks && ((arrival, text) => byTrackerClock(arrival, clocks.readTrackerClock(text) as Clocks.TrackerClock));
  return { emptyFold, foldFrame, openFacts, factKey, AccountFences, arrivalOf, offsets, shownBy };
}
