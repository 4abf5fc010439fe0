import type { Place } from "../../../src/domain/geometry/distance.ts";
import type { Bench, Case } from "../bench.ts";
import { driven, standing } from "../driving.ts";
import { seenFromVehicle } from "../noise.ts";
import { heartbeatError, parked } from "../parking.ts";
import { layWay } from "../roads.ts";
import { thinned } from "../spoil.ts";
import type { Row, SummaryRow } from "../table.ts";
import { begin, everything, framesOf, home, type Knows, kmOf, type Moment, moved, noSpeed } from "../track.ts";

const beats = [10, 30, 60, 120, 300];
const distancesKm = [3, 20, 300];
const hourMs = 3_600_000;

/** Standing for an hour, an hour's drive, standing for an hour; the ignition as it should be. */
function vehicle(bench: Bench, number: number): Moment[] {
  const random = bench.random(200, number);
  const way = layWay(random, [
    { kind: "city grid", metres: 6000 },
    { kind: "country road", metres: 30_000 },
    { kind: "city grid", metres: 6000 },
  ]);
  const drive = driven(way, { from: begin + hourMs });
  const [first, last] = [drive[0] as Moment, drive.at(-1) as Moment];
  const after = standing(last, last.at + 1000, last.at + hourMs, false);
  return seenFromVehicle([...standing(first, begin, begin + hourMs, false), ...drive, ...after], random);
}

interface Pair {
  readonly own: number;
  readonly other: number;
  readonly km: number;
  /** Whether the parked one sends for an hour before the vehicle's own tracker does, or the other way round. */
  readonly isParkedFirst: boolean;
}

/** What both trackers send, in order. */
function sentBy(bench: Bench, track: readonly Moment[], pair: Pair, number: number): Moment[] {
  const random = bench.random(201, number, pair.own, pair.other, pair.km);
  const own = thinned(track, pair.own * 1000, 1000 * random.whole(0, pair.own - 1));
  const place: Place = moved(home, pair.km * 600, pair.km * 800);
  const common = { place, stepMs: pair.other * 1000, error: heartbeatError, ignition: false, kmh: () => 0 };
  const from = begin + (pair.isParkedFirst ? -hourMs : hourMs) + 1000 * random.whole(0, pair.other - 1);
  const until = (track.at(-1)?.at ?? begin) as number;
  return [...own, ...parked({ ...common, from, until }, random)].sort((one, two) => one.at - two.at);
}

const knowing: readonly (readonly [string, Knows])[] = [
  ["speed", everything],
  ["no speed", noSpeed],
];

export const twoTrackers: Case = {
  name: "two trackers",
  run: (bench) => {
    const rows: Row[] = [];
    let [right, all, one] = [0, 0, 0];
    const tracks = [0, 1].map((number) => vehicle(bench, number));
    for (const [name, knows] of knowing) {
      for (const isParkedFirst of [true, false]) {
        for (const km of distancesKm) {
          const counts: string[] = [];
          const shares: number[] = [];
          let isMet = true;
          for (const own of beats) {
            for (const other of beats) {
              for (const [number, track] of tracks.entries()) {
                const sent = sentBy(bench, track, { own, other, km, isParkedFirst }, number);
                const derived = bench.derive(framesOf(sent, knows));
                const found = derived.trips.length;
                const isRight = found === 1 && derived.km <= 1.15 * kmOf(track);
                all++;
                if (isRight) right++;
                if (found === 1) one++;
                if (!isRight) counts.push(`${own}/${other} s: ${found} trips, ${derived.km.toFixed(0)} km`);
                shares.push(derived.km / kmOf(track));
                isMet &&= isRight;
              }
            }
          }
          const [least, most] = [Math.min(...shares), Math.max(...shares)].map((part) => (100 * part).toFixed(0));
          rows.push({
            what: `a parked tracker ${km} km away, ${isParkedFirst ? "known before" : "switched on as it leaves"}, ${name}`,
            measured: `${shares.length - counts.length} of ${shares.length} right, ${least} to ${most} % of the way${counts.length === 0 ? "" : `; ${counts.join("; ")}`}`,
            truth: "one drive",
            goal: "one trip",
            isMet,
          });
        }
      }
    }
    const summary: SummaryRow = {
      what: "two trackers with one IMEI, one parked; beats of 10 to 300 s",
      now: `${one} of ${all} have one trip, ${right} the right kilometres, too`,
      goal: "one trip",
      isMet: one === all,
    };
    return { rows, summary: [summary] };
  },
};
