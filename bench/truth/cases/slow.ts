import type { Random } from "../../../src/simulator/random.ts";
import type { Bench, Case } from "../bench.ts";
import { driven, followedBy } from "../driving.ts";
import { type ReceiverError, seenFromVehicle, seenWith } from "../noise.ts";
import { layField, layStopAndGo, layWay, type Way } from "../roads.ts";
import { thinned } from "../spoil.ts";
import { percent, type Row, type SummaryRow } from "../table.ts";
import {
  begin,
  everything,
  framesOf,
  home,
  type Knows,
  kmOf,
  type Moment,
  noIgnition,
  placesOnly,
  type Track,
} from "../track.ts";

const knowing: readonly (readonly [string, Knows])[] = [
  ["ignition and speed", everything],
  ["speed only", noIgnition],
  ["places only", placesOnly],
];
const steps = [1, 10, 30, 60];
const jamKmh = 4;
const jamMetres = 2000;

interface Jam {
  readonly track: Track;
  readonly from: number;
  readonly until: number;
}

/** Three kilometres through a town, two in a jam, three more. */
function jam(random: Random, isStopAndGo: boolean, errors: readonly ReceiverError[] | null = null): Jam {
  const town = (from = home) => layWay(random, [{ kind: "city grid", metres: 3000 }], from);
  const before = driven(town(), { from: begin });
  const creep = (from: Moment) =>
    isStopAndGo ? layStopAndGo(random, jamMetres, jamKmh, from) : creeping(random, from);
  const within = followedBy(before, creep);
  const after = followedBy(within, town);
  const from = (before.at(-1) as Moment).at;
  const track = errors === null ? seenFromVehicle(after, random) : seenWith(after, random, errors);
  return { track, from, until: (within.at(-1) as Moment).at };
}

function creeping(random: Random, from: Moment): Way {
  const way = layWay(random, [{ kind: "motorway", metres: jamMetres }], from);
  return {
    places: way.places.slice(0, jamMetres),
    limits: way.limits.slice(0, jamMetres).map(() => jamKmh / 3.6),
    stops: [],
  };
}

/** What the jam alone adds: the kilometres until its end less those until its beginning. */
function jamRow(bench: Bench, step: number, name: string, knows: Knows, isStopAndGo: boolean) {
  const kind = isStopAndGo ? "stop and go" : "creeping";
  return rowOf(
    bench,
    jam(bench.random(50, step, isStopAndGo ? 1 : 0), isStopAndGo),
    step,
    `${kind}, ${step} s, ${name}`,
    knows,
  );
}

/** A receiver that does not filter: its error is new with each frame, and makes short straight lines too long. */
function rawJamRow(bench: Bench, index: number) {
  const errors = [{ sigmaMetres: 3, memoryMs: 0 }];
  const raw = jam(bench.random(52, index), false, errors);
  return rowOf(bench, raw, 10, `creeping, 10 s, speed only, errors of 3 m unfiltered (${index + 1})`, noIgnition);
}

function rowOf(bench: Bench, { track, from, until }: Jam, step: number, name: string, knows: Knows) {
  const sent = thinned(track, step * 1000);
  const kmUntil = (end: number) =>
    bench.derive(
      framesOf(
        sent.filter(({ at }) => at <= end),
        knows,
      ),
    ).km;
  // From the last frame before the jam on, as the kilometres are.
  const first = sent.findLast(({ at }) => at <= from)?.at ?? from;
  const truth = kmOf(sent.filter(({ at }) => at >= first && at <= until));
  const measured = kmUntil(until) - kmUntil(from);
  const { trips } = bench.derive(framesOf(sent, knows));
  const isMet = Math.abs(measured / truth - 1) <= 0.05 && trips.length === 1;
  const row: Row = {
    what: `jam at ${jamKmh} km/h for 30 min, ${name}`,
    measured: `${measured.toFixed(2)} km (${percent(measured / truth - 1)}), ${trips.length} trips`,
    truth: `${truth.toFixed(2)} km, one trip`,
    goal: "±5 %, one trip",
    isMet,
  };
  return { row, error: measured / truth - 1, isMet };
}

/** Up and down a field for eight hours. */
function tractorRow(bench: Bench, step: number, name: string, knows: Knows) {
  const random = bench.random(51, step);
  const track = seenFromVehicle(driven(layField(random, 48_000, 6), { from: begin }), random);
  const sent = thinned(track, step * 1000);
  const { km, trips } = bench.derive(framesOf(sent, knows));
  const truth = kmOf(sent);
  const error = km / truth - 1;
  // Without a speed nobody can know of the turns between two frames.
  const isAsked = knows.speed || step <= 10;
  const isMet = (!isAsked || Math.abs(error) <= 0.05) && trips.length === 1;
  const row: Row = {
    what: `tractor at 6 km/h all day, ${step} s, ${name}`,
    measured: `${km.toFixed(1)} km (${percent(error)}), ${trips.length} trips`,
    truth: `${truth.toFixed(1)} km, one trip`,
    goal: isAsked ? "±5 %, one trip" : "one trip",
    isMet,
  };
  return { row, error, isMet };
}

export const slow: Case = {
  name: "slow",
  run: (bench) => {
    const usual = knowing.flatMap(([name, knows]) =>
      steps.flatMap((step) => [
        { what: "jam", ...jamRow(bench, step, name, knows, false) },
        { what: "stop and go", ...jamRow(bench, step, name, knows, true) },
        { what: "tractor", ...tractorRow(bench, step, name, knows) },
      ]),
    );
    const raw = [0, 1, 2, 3].map((index) => ({ what: "jam, unfiltered at 10 s", ...rawJamRow(bench, index) }));
    const all = [...usual, ...raw];
    const summary = ["jam", "jam, unfiltered at 10 s", "stop and go", "tractor"].map((what): SummaryRow => {
      const own = all.filter((one) => one.what === what);
      const errors = own.map(({ error }) => error);
      return {
        what: what === "tractor" ? "tractor at 6 km/h all day" : `30 min at 4 km/h, ${what}`,
        now: `${percent(Math.min(...errors))} to ${percent(Math.max(...errors))}, ${own.filter(({ isMet }) => isMet).length} of ${own.length} right`,
        goal: "within 5 %, one trip",
        isMet: own.every(({ isMet }) => isMet),
      };
    });
    return { rows: all.map(({ row }) => row), summary };
  },
};
