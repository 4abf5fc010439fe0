import type { Bench, Case } from "../bench.ts";
import { recordedDrives } from "../day.ts";
import { generatedDrives, type TrueDrive } from "../drives.ts";
import { type Excursions, thinned, withExcursions } from "../spoil.ts";
import { percent, type Row, type SummaryRow, share } from "../table.ts";
import { everything, framesOf, noIgnition } from "../track.ts";

interface Count {
  drives: number;
  trips: number;
  discontinuities: number;
  bad: number;
  badRejected: number;
  good: number;
  goodRejected: number;
}

/** The drives one after the other, silent between them. */
function count(bench: Bench, groups: readonly TrueDrive[][], step: number, how: Excursions, knowsIgnition: boolean) {
  const total: Count = {
    drives: 0,
    trips: 0,
    discontinuities: 0,
    bad: 0,
    badRejected: 0,
    good: 0,
    goodRejected: 0,
  };
  for (const [index, drives] of groups.entries()) {
    const sent = drives.flatMap(({ track }) => thinned(track, step * 1000));
    const { track, bad, lost } = withExcursions(sent, bench.random(40, index, step, how.metres, how.frames), how);
    const frames = framesOf(track, knowsIgnition ? everything : noIgnition).filter((_, frame) => !lost.has(frame));
    const { trips, judged } = bench.derive(frames);
    total.drives += drives.length;
    total.trips += trips.length;
    for (const { frame, verdict } of judged) {
      if (verdict.discontinuity) total.discontinuities++;
      const isBad = bad.has(frame.digest);
      // Frames without a full fix are rightly rejected.
      if (frame.fix === false) continue;
      total[isBad ? "bad" : "good"]++;
      if (!verdict.valid) total[isBad ? "badRejected" : "goodRejected"]++;
    }
  }
  return total;
}

const isKept = (found: Count, without: Count) =>
  found.trips === without.trips &&
  found.discontinuities <= without.discontinuities &&
  share(found.badRejected, found.bad) >= 0.9 &&
  share(found.goodRejected, found.good) <= 0.001;

function countText(found: Count): string {
  const rejected = `${percent(share(found.badRejected, found.bad)).replace("+", "")} of ${found.bad} bad frames rejected`;
  const lost = `${found.goodRejected} of ${found.good} good ones`;
  return `${found.trips} trips, ${found.discontinuities} discontinuities, ${rejected}, ${lost}`;
}

const manners = [
  ["speed unchanged", false, false],
  ["speed goes along", true, false],
  ["scattered", false, true],
] as const;

const goal = "as many trips as without, 0 discontinuities, ≥ 90 % of the bad, ≤ 0.1 % of the good";

/** Where a place that far off cannot have been driven to. At 10 s a vehicle may well be 300 m off and back. */
const isAsked = (step: number, metres: number) => step === 1 || metres >= 1000;

export const excursions: Case = {
  name: "excursions",
  run: (bench) => {
    const recorded = recordedDrives();
    // At 10 s a drive of everyday has too few frames to tell much: there they are long.
    const generated = {
      1: generatedDrives(bench.random(41), { count: 13 }),
      10: generatedDrives(bench.random(42), { count: 13, isLong: true }),
    };
    const rows: Row[] = [];
    const results: { step: number; how: Excursions; found: Count; without: number; isMet: boolean }[] = [];
    for (const [step, knowsIgnition] of [
      [1, true],
      [10, true],
      [1, false],
      [10, false],
    ] as const) {
      const groups = recorded === null ? [generated[step]] : [[...recorded], generated[step]];
      const ignition = knowsIgnition ? "ignition known" : "ignition unknown";
      const none = { metres: 0, frames: 0, isSpeedPlausible: false, isScattered: false };
      const without = count(bench, groups, step, none, knowsIgnition);
      rows.push({
        what: `${without.drives} drives at ${step} s, nothing spoiled, ${ignition}`,
        measured: countText(without),
        truth: `${without.drives} drives`,
        goal: knowsIgnition ? "as many trips as drives" : "",
        isMet: knowsIgnition ? without.trips === without.drives : null,
      });
      for (const metres of [150, 300, 1000, 3000]) {
        for (const frames of [1, 2, 3]) {
          for (const [manner, isSpeedPlausible, isScattered] of manners) {
            if (isScattered && frames === 1) continue;
            const how = { metres, frames, isSpeedPlausible, isScattered };
            const found = count(bench, groups, step, how, knowsIgnition);
            const isMet = isKept(found, without);
            results.push({ step, how, found, without: without.trips, isMet });
            rows.push({
              what: `${metres} m off for ${frames} frames, ${step} s, ${manner}, ${ignition}`,
              measured: countText(found),
              truth: `${without.drives} drives`,
              goal: isAsked(step, metres) ? goal : "",
              isMet: isAsked(step, metres) ? isMet : null,
            });
          }
        }
      }
    }
    const ofSilence = [150, 300].flatMap((metres) =>
      [2, 5, 9].map((lostBefore) => {
        const how = { metres, frames: 3, isSpeedPlausible: false, isScattered: false, lostBefore };
        const groups = recorded === null ? [generated[1]] : [[...recorded], generated[1]];
        const found = count(bench, groups, 1, how, true);
        const part = share(found.badRejected, found.bad);
        const isMet = part >= 0.9 && share(found.goodRejected, found.good) <= 0.001;
        const what = `${metres} m off for 3 frames, 1 s, after ${lostBefore} lost ones, ignition known`;
        rows.push({ what, measured: countText(found), truth: `${found.drives} drives`, goal, isMet });
        return { part, isMet };
      }),
    );
    const summaryOf = (what: string, wanted: (step: number, how: Excursions) => boolean): SummaryRow => {
      const own = results.filter(({ step, how }) => wanted(step, how));
      const trips = own.map(({ found }) => found.trips);
      const jumps = Math.max(...own.map(({ found }) => found.discontinuities));
      const least = Math.min(...own.map(({ found }) => share(found.badRejected, found.bad)));
      const most = Math.max(...own.map(({ found }) => share(found.goodRejected, found.good)));
      const drives = own[0]?.found.drives ?? 0;
      const unspoiled = [...new Set(own.map(({ without }) => without))].join(" or ");
      return {
        what,
        now: `${drives} drives become ${Math.min(...trips)} to ${Math.max(...trips)} trips (unspoiled ${unspoiled}), ≤ ${jumps} discontinuities, ≥ ${(100 * least).toFixed(1)} % of the bad rejected, ≤ ${(100 * most).toFixed(2)} % of the good`,
        goal,
        isMet: own.every(({ isMet }) => isMet),
      };
    };
    const summary = [
      summaryOf("150 to 300 m off for 1 to 3 s at 1 Hz", (step, { metres }) => {
        return step === 1 && metres <= 300;
      }),
      summaryOf("1 to 3 km off for 1 to 3 s at 1 Hz", (step, { metres }) => step === 1 && metres > 300),
      summaryOf("1 km off for 3 frames at 10 s", (step, { metres, frames }) => {
        return step === 10 && metres === 1000 && frames === 3;
      }),
    ];
    const least = Math.min(...ofSilence.map(({ part }) => part));
    summary.push({
      what: "150 and 300 m off for 3 s, after 2 to 9 lost frames at 1 Hz",
      now: `≥ ${(100 * least).toFixed(1)} % of the bad rejected`,
      goal: "≥ 90 % of the bad, ≤ 0.1 % of the good",
      isMet: ofSilence.every(({ isMet }) => isMet),
    });
    return { rows, summary };
  },
};
