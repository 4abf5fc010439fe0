import type { Bench, Case } from "../bench.ts";
import { sum } from "../derive.ts";
import { driven } from "../driving.ts";
import { seenFromVehicle, seenWith } from "../noise.ts";
import { layWay, type RoadKind, roadKinds } from "../roads.ts";
import { thinned } from "../spoil.ts";
import { km, percent, type Row, type SummaryRow } from "../table.ts";
import { kmByLegs, kmBySpeed, readBuses, readDrives } from "../traces.ts";
import {
  begin,
  everything,
  framesOf,
  type Knows,
  kmOf,
  noIgnition,
  noSpeed,
  placesOnly,
  type Track,
} from "../track.ts";

const steps = [1, 5, 10, 15, 30, 60, 120];
const trackers: readonly (readonly [string, Knows])[] = [
  ["ignition and speed", everything],
  ["speed only", noIgnition],
  ["ignition only", noSpeed],
  ["places only", placesOnly],
];

interface Sum {
  readonly measured: number;
  readonly truth: number;
  readonly bySpeed: number;
  /** The straight lines between all frames sent, counted or not. */
  readonly byLegs: number;
  readonly inTrips: number;
}

/** A sparse tracker sees a track differently with each beat: this many are added up. */
const beatsOf = (step: number) => (step < 15 ? 1 : 6);

/** Each track is a device of its own, thinned from a random beat on; true is the way between the frames that are left. */
function measure(bench: Bench, tracks: readonly Track[], step: number, knows: Knows): Sum {
  const beats = Array.from({ length: beatsOf(step) }, (_, beat) => beat);
  const all = tracks.flatMap((track, index) => beats.map((beat) => ({ track, index, beat })));
  const parts = all.map(({ track, index, beat }) => {
    const random = bench.random(1, step, index, beat);
    const sent = thinned(track, step * 1000, 1000 * random.whole(0, step - 1), random);
    const { km: measured, tripKm } = bench.derive(framesOf(sent, knows));
    const dense = track.filter(({ at }) => at >= (sent[0]?.at ?? 0) && at <= (sent.at(-1)?.at ?? 0));
    return { measured, tripKm, truth: kmOf(sent), bySpeed: kmBySpeed(dense), byLegs: kmByLegs(sent) };
  });
  return {
    measured: sum(parts.map(({ measured }) => measured)),
    truth: sum(parts.map(({ truth }) => truth)),
    bySpeed: sum(parts.map(({ bySpeed }) => bySpeed)),
    byLegs: sum(parts.map(({ byLegs }) => byLegs)),
    inTrips: sum(parts.map(({ tripKm }) => tripKm)),
  };
}

const errorOf = ({ measured, truth }: Sum) => measured / truth - 1;
const isTrue = (sums: Sum, within: number) => Math.abs(errorOf(sums)) <= within;
const total = (sums: readonly Sum[]): Sum => ({
  measured: sum(sums.map(({ measured }) => measured)),
  truth: sum(sums.map(({ truth }) => truth)),
  bySpeed: sum(sums.map(({ bySpeed }) => bySpeed)),
  byLegs: sum(sums.map(({ byLegs }) => byLegs)),
  inTrips: sum(sums.map(({ inTrips }) => inTrips)),
});

function rowOf(what: string, sums: Sum, within: number | null, note = ""): Row {
  return {
    what,
    measured: `${km(sums.measured)} (${percent(errorOf(sums))}), in trips ${km(sums.inTrips)}`,
    truth: `${km(sums.truth)}${note}; straight lines ${percent(sums.byLegs / sums.truth - 1)}`,
    goal: within === null ? "" : `±${100 * within} %`,
    isMet: within === null ? null : isTrue(sums, within),
  };
}

/** At 10 s and less the document names a bound for all roads together; for each kind this one is ours. */
const closeOfKind = 0.03;
const closeOfAll = 0.01;
const sparseOfKind = 0.06;
const sparseOfAll = 0.02;

/** Without a speed nobody can know of the corners between two frames: nothing is asked then. */
const goalOf = (step: number, { speed }: Knows, close: number, sparse: number) =>
  step <= 10 ? close : speed ? sparse : null;

const errorBySpeed = ({ measured, bySpeed }: Sum) => measured / bySpeed - 1;

const bothErrors = (sums: Sum) => `${percent(errorOf(sums))} / ${percent(errorBySpeed(sums))}`;

/** Nobody knows whether the places or the speeds of the recorded car are true: they are 1.3 % apart. Either will do. */
const isTrueEither = (sums: Sum, within: number) => isTrue(sums, within) || Math.abs(errorBySpeed(sums)) <= within;

function driveRow(what: string, sums: Sum, within: number | null): Row {
  const row = rowOf(what, sums, within, ` by places without idling, ${km(sums.bySpeed)} by speeds`);
  const both = `${percent(errorOf(sums))} by places, ${percent(errorBySpeed(sums))} by speeds`;
  const measured = `${km(sums.measured)} (${both}), in trips ${km(sums.inTrips)}`;
  return { ...row, measured, isMet: within === null ? null : isTrueEither(sums, within) };
}

function ofDrives(bench: Bench): { readonly rows: Row[]; readonly at: Map<string, Sum> } {
  const drives = readDrives();
  const at = new Map<string, Sum>();
  if (drives === null) return { rows: [], at };
  const tracks = drives.map(({ track }) => track);
  const rows = trackers.flatMap(([name, knows]) =>
    steps.map((step) => {
      const sums = measure(bench, tracks, step, knows);
      at.set(`${name} ${step}`, sums);
      return driveRow(`14 drives, ${step} s, ${name}`, sums, goalOf(step, knows, closeOfAll, sparseOfKind));
    }),
  );
  return { rows, at };
}

const lengths: Readonly<Record<RoadKind, number>> = {
  motorway: 40_000,
  "country road": 25_000,
  "city grid": 12_000,
  hairpins: 12_000,
  "bus route": 12_000,
};
const tracksOfKind = 4;

function tracksOf(bench: Bench, kind: RoadKind, number: number): Track[] {
  return Array.from({ length: tracksOfKind }, (_, index) => {
    const random = bench.random(2, number, index);
    return seenFromVehicle(driven(layWay(random, [{ kind, metres: lengths[kind] }]), { from: begin }), random);
  });
}

function ofRoads(bench: Bench): { readonly rows: Row[]; readonly summary: SummaryRow[] } {
  const kinds = Object.keys(roadKinds) as RoadKind[];
  const tracks = new Map(kinds.map((kind, number) => [kind, tracksOf(bench, kind, number)]));
  const rows: Row[] = [];
  const summary: SummaryRow[] = [];
  for (const [name, knows] of trackers) {
    for (const step of steps) {
      const sums = kinds.map((kind) => measure(bench, tracks.get(kind) ?? [], step, knows));
      for (const [index, kind] of kinds.entries()) {
        rows.push(
          rowOf(`${kind}, ${step} s, ${name}`, sums[index] as Sum, goalOf(step, knows, closeOfKind, sparseOfKind)),
        );
      }
      const all = total(sums);
      rows.push(rowOf(`**all roads**, ${step} s, ${name}`, all, goalOf(step, knows, closeOfAll, sparseOfAll)));
      if (knows !== noIgnition) continue;
      const worst = Math.max(...sums.map((one) => Math.abs(errorOf(one))));
      const isClose = step <= 10;
      summary.push({
        what: `generated roads at ${step} s, speed only`,
        now: `${percent(errorOf(all))}, worst kind ${(100 * worst).toFixed(1)} %`,
        goal: isClose ? "±1 %" : "±2 %, each kind ±6 %",
        isMet: isTrue(all, isClose ? closeOfAll : sparseOfAll) && worst <= (isClose ? closeOfKind : sparseOfKind),
      });
    }
  }
  return { rows, summary };
}

/** A receiver that does not filter: its error is new every second. Reported, but without a goal. */
function ofRawReceiver(bench: Bench): Row[] {
  const random = bench.random(3);
  const way = layWay(random, [
    { kind: "city grid", metres: 6000 },
    { kind: "country road", metres: 15_000 },
  ]);
  const track = seenWith(driven(way, { from: begin }), random, [{ sigmaMetres: 2, memoryMs: 0 }]);
  return [1, 5, 10].map((step) => {
    return rowOf(`unfiltered receiver, σ 2 m, ${step} s, speed only`, measure(bench, [track], step, noIgnition), null);
  });
}

/** The truth of a bus is more than its legs, which cut corners: at 120 s by some 13 %. */
const mostAboveLegs = 0.15;

function ofBuses(bench: Bench): { readonly rows: Row[]; readonly summary: SummaryRow[] } {
  const buses = readBuses();
  if (buses === null) return { rows: [], summary: [] };
  const parts = buses.map(({ name, track }) => {
    const { km: measured, tripKm: inTrips } = bench.derive(framesOf(track, noIgnition));
    return {
      name,
      sums: { measured, inTrips, truth: kmOf(track), bySpeed: kmBySpeed(track), byLegs: kmByLegs(track) },
    };
  });
  const all = total(parts.map(({ sums }) => sums));
  const isMet = (sums: Sum) => errorOf(sums) >= -0.01 && errorOf(sums) <= mostAboveLegs;
  const worst = parts.toSorted((one, other) => errorOf(one.sums) - errorOf(other.sums))[0];
  const row = (what: string, sums: Sum): Row => ({
    ...rowOf(what, sums, null, ` by its legs, ${km(sums.bySpeed)} by speeds`),
    goal: "−1 to +15 % of its legs",
    isMet: isMet(sums),
  });
  const rows = [row("bus day, 16 buses as sent", all)];
  if (worst !== undefined) rows.push(row(`bus ${worst.name}, the shortest by its legs`, worst.sums));
  const worstText = worst === undefined ? "" : `, one bus ${km(worst.sums.truth)} → ${km(worst.sums.measured)}`;
  const summary: SummaryRow = {
    what: "bus day against its legs",
    now: `${percent(errorOf(all))}${worstText}`,
    goal: "±1 %; true is up to some 13 % more",
    isMet: parts.every(({ sums }) => isMet(sums)),
  };
  return { rows, summary: [summary] };
}

export const kilometres: Case = {
  name: "kilometres",
  run: (bench) => {
    const drives = ofDrives(bench);
    const buses = ofBuses(bench);
    const roads = ofRoads(bench);
    const ofStep = (step: number) => drives.at.get(`ignition and speed ${step}`);
    const close = [1, 5, 10].flatMap((step) => ofStep(step) ?? []);
    const summary: SummaryRow[] = [...buses.summary];
    if (close.length > 0) {
      summary.push({
        what: "14 drives at 1, 5, 10 s, by places / by speeds",
        now: close.map(bothErrors).join(", "),
        goal: "±1 % of either",
        isMet: close.every((sums) => isTrueEither(sums, closeOfAll)),
      });
      const sparse = [30, 60, 120].flatMap((step) => ofStep(step) ?? []);
      summary.push({
        what: "14 drives at 30, 60, 120 s, by places / by speeds",
        now: sparse.map(bothErrors).join(", "),
        goal: "±6 % (one kind of road)",
        isMet: sparse.every((sums) => isTrueEither(sums, sparseOfKind)),
      });
    }
    return {
      rows: [...drives.rows, ...buses.rows, ...roads.rows, ...ofRawReceiver(bench)],
      summary: [...summary, ...roads.summary],
    };
  },
};
