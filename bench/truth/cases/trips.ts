import type { Bench, Case } from "../bench.ts";
import { type Rest, recordedDrives, sentOf } from "../day.ts";
import { generatedDrives, type TrueDrive } from "../drives.ts";
import { matchOf, toleranceFor } from "../matching.ts";
import { percent, type Row, type SummaryRow } from "../table.ts";
import { framesOf, type Knows, kmOf } from "../track.ts";

const steps = [1, 10, 30];
const rests: readonly (readonly [string, number | null])[] = [
  ["silent while parked", null],
  ["heartbeats of 60 s", 60_000],
  ["heartbeats of 300 s", 300_000],
];
const knowing: readonly (readonly [string, Knows])[] = [
  ["no ignition", { ignition: false, speed: true }],
  ["no ignition, no speed", { ignition: false, speed: false }],
  ["ignition", { ignition: true, speed: true }],
];

interface Score {
  readonly one: number;
  readonly covered: number;
  /** Trips that are no part of a drive. */
  readonly others: number;
  readonly missed: readonly string[];
  /** Of the kilometres between the first frame of a drive and the last. */
  readonly kmError: number;
}

/** By groups of drives that are one vehicle's. */
function score(bench: Bench, groups: readonly TrueDrive[][], step: number, rest: Rest, knows: Knows): Score {
  let [one, covered, others, km, trueKm] = [0, 0, 0, 0, 0];
  const missed: string[] = [];
  for (const [index, drives] of groups.entries()) {
    const sent = sentOf(drives, step * 1000, rest, bench.random(30, index, step));
    const derived = bench.derive(framesOf(sent, knows));
    const found = derived.trips;
    km += derived.km;
    for (const { track } of drives) trueKm += kmOf(track);
    others += found.length;
    for (const drive of drives) {
      const match = matchOf(drive, found, toleranceFor(step * 1000));
      others -= match.trips;
      if (match.isOne) one++;
      if (match.isCovered) covered++;
      else {
        const [start, end] = [match.startErrorMs, match.endErrorMs].map((ms) => Math.round((ms ?? 0) / 1000));
        missed.push(`${drive.name.replace("generated ", "g")} (${match.trips} trips, ${start} s, ${end} s)`);
      }
    }
  }
  return { one, covered, others, missed, kmError: km / trueKm - 1 };
}

interface Fleet {
  readonly name: string;
  /** Of a tracker without ignition; otherwise it sends all of the drive. */
  readonly isWokenByMotion: boolean;
  readonly groups: readonly TrueDrive[][];
  /** Without ignition, by step. */
  readonly goals: Readonly<Record<number, number>>;
}

function fleets(bench: Bench): Fleet[] {
  const generated = [0, 1, 2].map((vehicle) =>
    generatedDrives(bench.random(31, vehicle), { count: 9, standsIn: vehicle < 2 ? [4] : [], wavers: vehicle > 0 }),
  );
  const recorded = recordedDrives();
  const made: Fleet = {
    name: "27 generated drives",
    isWokenByMotion: true,
    groups: generated,
    goals: { 1: 24, 10: 24, 30: 24 },
  };
  if (recorded === null) return [made];
  // Of all 27 that exist 24, 23 and 22 are asked for; two of these 14 hold stands of five minutes and more.
  const real: Fleet = {
    name: "14 recorded drives",
    isWokenByMotion: false,
    // The car was moved unseen between some of its drives, so each is a vehicle of its own.
    groups: recorded.map((drive) => [drive]),
    goals: { 1: 12, 10: 12, 30: 11 },
  };
  return [real, { ...real, name: "14 recorded drives, woken by motion", isWokenByMotion: true }, made];
}

export const trips: Case = {
  name: "trips",
  run: (bench) => {
    const rows: Row[] = [];
    const summary: SummaryRow[] = [];
    for (const { name, isWokenByMotion, groups, goals } of fleets(bench)) {
      const count = groups.flat().length;
      for (const [knowsName, knows] of knowing) {
        if (knows.ignition && name.endsWith("motion")) continue;
        const bests: string[] = [];
        let isAllMet = true;
        for (const [restName, heartbeatMs] of rests) {
          for (const step of steps) {
            const rest = { heartbeatMs, isWokenByMotion: isWokenByMotion && !knows.ignition };
            const found = score(bench, groups, step, rest, knows);
            const goal = knows.ignition ? count : (goals[step] ?? count);
            const isMet = found.one >= goal && found.others === 0;
            isAllMet &&= isMet;
            bests.push(`${found.one}/${found.covered}`);
            const missed = found.missed.length === 0 ? "" : `; not covered: ${found.missed.join(", ")}`;
            rows.push({
              what: `${name}, ${knowsName}, ${restName}, ${step} s`,
              measured: `${found.one} as one trip, ${found.covered} if cut only at real stands, ${found.others} others, ${percent(found.kmError)} km${missed}`,
              truth: `${count} drives`,
              goal: knows.ignition ? "all" : `≥ ${goal} as one trip`,
              isMet,
            });
          }
        }
        summary.push({
          what: `${name}, ${knowsName}: as one trip / cut only at stands; 1, 10, 30 s silent, 60 s, 300 s`,
          now: bests.join(", "),
          goal: knows.ignition ? `all ${count}` : `${Object.values(goals).join(", ")} of ${count}`,
          isMet: isAllMet,
        });
      }
    }
    return { rows, summary };
  },
};
