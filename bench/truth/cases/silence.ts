import type { Bench, Case } from "../bench.ts";
import { beatOf } from "../day.ts";
import { generatedDrives, type TrueDrive } from "../drives.ts";
import { driven } from "../driving.ts";
import { matchOf } from "../matching.ts";
import { seenFromVehicle } from "../noise.ts";
import { layWay } from "../roads.ts";
import { silent, thinned } from "../spoil.ts";
import { percent, type Row, type SummaryRow, share } from "../table.ts";
import { begin, everything, framesOf, type Knows, kmOf, noIgnition, placesOnly } from "../track.ts";

const knowing: readonly (readonly [string, Knows])[] = [
  ["ignition and speed", everything],
  ["speed only", noIgnition],
  ["places only", placesOnly],
];

/** The line through a tunnel cuts the bends of the road; a speed reported before and after it says nothing of four minutes. */
const withinTunnels = (minutes: number) => (minutes <= 2 ? 0.02 : 0.04);

/** Three tunnels on the way, each a silence of so many minutes while driving on. */
function tunnelRow(bench: Bench, minutes: number, step: number, name: string, knows: Knows): Row {
  const random = bench.random(70, minutes, step);
  const way = layWay(random, [{ kind: "motorway", metres: 60_000 }]);
  let track = thinned(seenFromVehicle(driven(way, { from: begin }), random), step * 1000);
  const total = (track.at(-1)?.at ?? begin) - begin;
  for (const part of [0.2, 0.45, 0.7]) {
    const from = begin + part * total;
    track = silent(track, from, from + minutes * 60_000);
  }
  const { km, trips, judged } = bench.derive(framesOf(track, knows));
  const error = km / kmOf(track) - 1;
  const lost = judged.filter(({ verdict }) => !verdict.valid || verdict.discontinuity).length;
  return {
    what: `tunnels of ${minutes} min, ${step} s, ${name}`,
    measured: `${trips.length} trips, ${percent(error)}, ${lost} frames not believed`,
    truth: `one trip, ${kmOf(track).toFixed(1)} km`,
    goal: `one trip, ±${100 * withinTunnels(minutes)} %, every frame believed`,
    isMet: trips.length === 1 && Math.abs(error) <= withinTunnels(minutes) && lost === 0,
  };
}

/** Vans on the road for an hour or so at a time, and one for everyday errands. */
function fleetOf(bench: Bench): TrueDrive[][] {
  return [0, 1, 2].map((vehicle) => generatedDrives(bench.random(71, vehicle), { count: 8, isLong: vehicle < 2 }));
}

function sparseRow(bench: Bench, fleet: readonly TrueDrive[][], step: number, name: string, knows: Knows) {
  let [inTrips, counted, truth, found] = [0, 0, 0, 0];
  for (const [vehicle, drives] of fleet.entries()) {
    const sent = beatOf(drives, step * 1000, bench.random(72, vehicle));
    const { km, tripKm, trips } = bench.derive(framesOf(sent, knows));
    inTrips += tripKm;
    counted += km;
    truth += drives.reduce((sum, { track }) => sum + kmOf(track), 0);
    found += trips.length;
  }
  const held = share(inTrips, counted);
  const row: Row = {
    what: `a frame every ${step} s, ${name}`,
    measured: `trips hold ${(100 * held).toFixed(1)} % of ${counted.toFixed(0)} km counted, ${found} trips`,
    truth: `24 drives, ${truth.toFixed(0)} km`,
    goal: "≥ 97 % of the distance counted",
    isMet: held >= 0.97,
  };
  return { row, held };
}

/** A tracker that wakes half a minute or more after the vehicle drove off. */
function wakeRow(bench: Bench, seconds: number, step: number, name: string, knows: Knows): Row {
  const drives = generatedDrives(bench.random(73), { count: 9 });
  const late = drives.map((drive) => ({
    ...drive,
    track: drive.track.filter(({ at }) => at >= drive.movedFrom + seconds * 1000),
  }));
  const sent = late.flatMap(({ track }) => thinned(track, step * 1000));
  const { trips, km } = bench.derive(framesOf(sent, knows));
  // It may wake at a red light.
  const tolerance = { startMs: (seconds + step + 90) * 1000, endMs: 180_000 };
  const right = drives.filter((drive) => matchOf(drive, trips, tolerance).isOne).length;
  const truth = drives.reduce((sum, { track }) => sum + kmOf(track), 0);
  const seen = late.reduce((sum, { track }) => sum + kmOf(track), 0);
  return {
    what: `wakes ${seconds} s after driving off, silent while parked, ${step} s, ${name}`,
    measured: `${right} of 9 found, ${trips.length} trips, ${km.toFixed(1)} km`,
    truth: `9 drives, ${truth.toFixed(1)} km, ${seen.toFixed(1)} of it seen`,
    goal: "9 of 9, none else",
    isMet: right === 9 && trips.length === 9,
  };
}

export const silence: Case = {
  name: "silence",
  run: (bench) => {
    const tunnels = knowing.flatMap(([name, knows]) =>
      [1, 2, 4].flatMap((minutes) => [1, 10].map((step) => tunnelRow(bench, minutes, step, name, knows))),
    );
    const fleet = fleetOf(bench);
    const sparse = knowing.flatMap(([name, knows]) =>
      [300, 600, 900].map((step) => ({ step, ...sparseRow(bench, fleet, step, name, knows) })),
    );
    const wakes = knowing.flatMap(([name, knows]) =>
      [30, 60].flatMap((seconds) => [1, 10].map((step) => wakeRow(bench, seconds, step, name, knows))),
    );
    const counted = (what: string, rows: readonly Row[], goal: string): SummaryRow => ({
      what,
      now: `${rows.filter(({ isMet }) => isMet).length} of ${rows.length} kinds right`,
      goal,
      isMet: rows.every(({ isMet }) => isMet),
    });
    const at600 = sparse.filter(({ step }) => step === 600);
    const summary: SummaryRow[] = [
      {
        what: "a frame every 10 min: distance in trips (ignition and speed, speed only, places only)",
        now: at600.map(({ held }) => `${(100 * held).toFixed(1)} %`).join(", "),
        goal: "≥ 97 %",
        isMet: at600.every(({ held }) => held >= 0.97),
      },
      counted("tunnels of 1 to 4 min", tunnels, "one trip, ±2 % (±4 % at 4 min)"),
      counted("wakes 30 to 60 s late", wakes, "every drive one trip"),
    ];
    return { rows: [...tunnels, ...sparse.map(({ row }) => row), ...wakes], summary };
  },
};
