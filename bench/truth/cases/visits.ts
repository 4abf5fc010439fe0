import type { CrossingFact } from "../../../src/domain/facts.ts";
import { prepareFence } from "../../../src/domain/geometry/fence-area.ts";
import type { FenceShape } from "../../../src/domain/geometry/fence-shape.ts";
import type { Bench, Case } from "../bench.ts";
import { driven } from "../driving.ts";
import { fencesAlong, meets, type Visit, visitsOn } from "../fences.ts";
import { seenFromVehicle } from "../noise.ts";
import { layWay, type Part } from "../roads.ts";
import { thinned } from "../spoil.ts";
import { type Row, type SummaryRow, share } from "../table.ts";
import { begin, framesOf, noIgnition, type Track } from "../track.ts";

const steps = [1, 10, 30, 60];
const truthStepMs = 200;
/** A visit that is less deep may be the receiver's error, as may the end of one visit and the next: both are not asked. */
const clearMetres = 25;
const apartMetres = 60;
/** What happens so soon after the first frame, or before the last one, is not asked either. */
const besideMs = 120_000;
const tracksOfWay = 2;

const ways: readonly (readonly Part[])[] = [
  [{ kind: "city grid", metres: 15_000 }],
  [{ kind: "bus route", metres: 15_000 }],
  [{ kind: "country road", metres: 30_000 }],
  [{ kind: "motorway", metres: 40_000 }],
  [
    { kind: "city grid", metres: 5000 },
    { kind: "country road", metres: 10_000 },
    { kind: "city grid", metres: 5000 },
  ],
];
const fencesOnEach = 80;

interface Scene {
  readonly seen: Track;
  readonly fences: Readonly<Record<string, FenceShape>>;
  readonly visits: readonly Visit[];
}

function scenes(bench: Bench): Scene[] {
  const all = Array.from({ length: tracksOfWay }, () => ways).flat();
  return all.map((parts, number) => {
    const random = bench.random(90, number);
    const exact = driven(layWay(random, parts), { from: begin, stepMs: truthStepMs });
    const fences = fencesAlong(exact, fencesOnEach, random);
    const visits = visitsOn(exact, fences);
    const seen = seenFromVehicle(
      exact.filter(({ at }) => (at - begin) % 1000 === 0),
      random,
    );
    return { seen, fences, visits };
  });
}

interface Score {
  readonly asked: number;
  /** Of those asked, how many a straight line between two frames goes through at all. */
  readonly visible: number;
  readonly found: number;
  readonly falseOnes: number;
  readonly errorsMs: readonly number[];
}

/** A visit is found if its entry and its exit are both reported, about when they were. */
function score(bench: Bench, scene: Scene, step: number): Score {
  const sent = thinned(scene.seen, step * 1000);
  const { crossings } = bench.derive(framesOf(sent, noIgnition), scene.fences);
  const toleranceMs = step * 1000 + 30_000;
  const [first, last] = [sent[0]?.at ?? begin, sent.at(-1)?.at ?? begin];
  const unmatched = new Set(crossings);
  const errorsMs: number[] = [];
  const take = (fenceId: string, type: "enter" | "exit", at: number, until: number): boolean => {
    let best: CrossingFact | null = null;
    for (const crossing of unmatched) {
      if (crossing.fenceId !== fenceId || crossing.eventType !== type) continue;
      if (crossing.occurredAt < at - toleranceMs || crossing.occurredAt > until + toleranceMs) continue;
      const error = Math.abs(crossing.occurredAt - at);
      if (best === null || error < Math.abs(best.occurredAt - at)) best = crossing;
    }
    if (best === null) return false;
    unmatched.delete(best);
    errorsMs.push(Math.abs(best.occurredAt - at));
    return true;
  };
  let [asked, visible, found] = [0, 0, 0];
  for (const visit of scene.visits) {
    const { fenceId, enteredAt, leftAt } = visit;
    const isEntered = enteredAt === null || take(fenceId, "enter", enteredAt, enteredAt);
    const isLeft = leftAt === null || take(fenceId, "exit", leftAt, visit.goneAt ?? leftAt);
    const isClear = visit.depthMetres >= clearMetres && visit.apartMetres >= apartMetres;
    if (!isClear || enteredAt === null || leftAt === null) continue;
    if (enteredAt < first + besideMs || leftAt > last - besideMs) continue;
    asked++;
    if (isEntered && isLeft) found++;
    if (isVisible(sent, scene.fences[fenceId] as FenceShape, enteredAt, leftAt)) visible++;
  }
  // A way that wavers on the edge may be reported as one visit or as two.
  const falseOnes = [...unmatched].filter(({ fenceId, eventType, occurredAt }) =>
    scene.visits.every((visit) => {
      const at = eventType === "enter" ? visit.enteredAt : visit.leftAt;
      return visit.fenceId !== fenceId || at === null || Math.abs(at - occurredAt) > toleranceMs;
    }),
  ).length;
  return { asked, visible, found, falseOnes, errorsMs };
}

function isVisible(sent: Track, shape: FenceShape, from: number, until: number): boolean {
  const area = prepareFence(shape);
  return sent.some((moment, index) => {
    const before = sent[index - 1];
    return before !== undefined && moment.at >= from && before.at <= until && meets(area, before, moment);
  });
}

const goals: Readonly<Record<number, number>> = { 1: 0.98, 10: 0.98, 30: 0.95 };

function quantile(values: readonly number[], part: number): number {
  return (values.toSorted((one, other) => one - other)[Math.floor(part * values.length)] ?? 0) / 1000;
}

export const visits: Case = {
  name: "visits",
  run: (bench) => {
    const all = scenes(bench);
    const rows: Row[] = [];
    const summary: SummaryRow[] = [];
    for (const step of steps) {
      const scores = all.map((scene) => score(bench, scene, step));
      const asked = scores.reduce((sum, one) => sum + one.asked, 0);
      const found = scores.reduce((sum, one) => sum + one.found, 0);
      const visible = scores.reduce((sum, one) => sum + one.visible, 0);
      const falseOnes = scores.reduce((sum, one) => sum + one.falseOnes, 0);
      const errors = scores.flatMap(({ errorsMs }) => errorsMs);
      const goal = goals[step];
      const recall = share(found, asked);
      const now = `${(100 * recall).toFixed(1)} % of ${asked} visits, ${falseOnes} false crossings`;
      const isMet = goal === undefined ? null : recall >= goal;
      const goalText = goal === undefined ? "" : `recall ≥ ${100 * goal} %`;
      rows.push({
        what: `${fencesOnEach * all.length} fences on ${all.length} tracks, ${step} s`,
        measured: `${now}; times off by ${quantile(errors, 0.5).toFixed(1)} s (half), ${quantile(errors, 0.95).toFixed(1)} s (95 %)`,
        truth: `${asked} visits ≥ ${clearMetres} m deep; the lines between the frames meet ${visible} of them`,
        goal: goalText,
        isMet,
      });
      summary.push({
        what: `visits at ${step} s`,
        now,
        goal: goalText,
        isMet,
      });
    }
    return { rows, summary };
  },
};
