import type { DeviceContext } from "../../src/domain/device-context.ts";
import type { AlertFact, CrossingFact, Fact, MileageFact, TripFact } from "../../src/domain/facts.ts";
import type { AlertRule } from "../../src/domain/fleet.ts";
import type { Frame } from "../../src/domain/frame.ts";
import type { FenceShape } from "../../src/domain/geometry/fence-shape.ts";
import { utc } from "../../src/domain/time/time-zone.ts";
import type { JudgedFrame } from "../../src/domain/verdict.ts";
import type { Rules } from "./rules.ts";

/** What the rules make of one device's frames. */
export interface Derived {
  /** In the order of the frames. */
  readonly judged: readonly JudgedFrame[];
  readonly trips: readonly TripFact[];
  readonly crossings: readonly CrossingFact[];
  readonly days: readonly MileageFact[];
  readonly alerts: readonly AlertFact[];
  /** Of all days. */
  readonly km: number;
  readonly tripKm: number;
}

export type Fences = Readonly<Record<string, FenceShape>>;

const device = 1;

function contextOf(rules: Rules, fences: Fences, alertRules: readonly AlertRule[]): DeviceContext {
  const versions = Object.entries(fences).map(([fenceId, shape]) => ({
    fenceId,
    name: fenceId,
    validFrom: 0,
    shape,
    devices: new Set([device]),
  }));
  const account = new rules.AccountFences(versions);
  return {
    fuelTankCapacityL: null,
    zone: utc,
    alertRules: [{ validFrom: 0, content: alertRules }],
    fences: account.of(device),
  };
}

/** Folds the frames in their order, as the server would; nothing is stored. */
export function derive(
  rules: Rules,
  frames: readonly Frame[],
  fences: Fences = {},
  alertRules: readonly AlertRule[] = [],
): Derived {
  const context = contextOf(rules, fences, alertRules);
  const judged: JudgedFrame[] = [];
  const facts = new Map<string, Fact>();
  const keep = (found: readonly Fact[]) => {
    for (const fact of found) facts.set(rules.factKey(fact), fact);
  };
  let fold = rules.emptyFold;
  for (const frame of frames) {
    const step = rules.foldFrame(fold, frame, context);
    for (const final of step.final) {
      judged.push(final.judged);
      keep(final.facts);
    }
    fold = step.fold;
  }
  for (const open of fold.tail) {
    judged.push(open.judged);
    keep(open.facts);
  }
  keep(rules.openFacts(fold.tip, context, null));
  const all = [...facts.values()];
  const trips = all.filter((fact) => fact.kind === "trip").sort((one, other) => one.startedAt - other.startedAt);
  const days = all.filter((fact) => fact.kind === "day");
  return {
    judged,
    trips,
    crossings: all.filter((fact) => fact.kind === "crossing").sort((one, other) => one.occurredAt - other.occurredAt),
    days,
    alerts: all.filter((fact) => fact.kind === "alert").sort((one, other) => one.occurredAt - other.occurredAt),
    km: sum(days.map(({ distanceMm }) => distanceMm)) / 1e6,
    tripKm: sum(trips.map(({ distanceMm }) => distanceMm)) / 1e6,
  };
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
