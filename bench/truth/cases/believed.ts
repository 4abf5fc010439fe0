import type { Place } from "../../../src/domain/geometry/distance.ts";
import type { Bench, Case } from "../bench.ts";
import { driven } from "../driving.ts";
import { seenFromVehicle } from "../noise.ts";
import { heartbeatError, parked } from "../parking.ts";
import { layWay } from "../roads.ts";
import { silent, thinned } from "../spoil.ts";
import type { Row, SummaryRow } from "../table.ts";
import { begin, framesOf, home, type Knows, type Moment, moved, type Track } from "../track.ts";

const hourMs = 3_600_000;
const knowing: readonly (readonly [string, Knows])[] = [
  ["ignition and speed", { ignition: true, speed: true }],
  ["places only", { ignition: false, speed: false }],
];

interface Jump {
  readonly what: string;
  readonly track: (bench: Bench) => Track;
  /** How many frames after the jump may be doubted. */
  readonly mostDoubted: number;
}

function stay(bench: Bench, place: Place, from: number, hours: number, stepMs: number): Moment[] {
  const until = from + hours * hourMs;
  const error = heartbeatError;
  return parked({ place, from, until, stepMs, error, ignition: false, kmh: () => 0 }, bench.random(80));
}

/** Parked here, then after a silence parked there. */
function carriedInSilence(metres: number, hours: number, stepMs: number) {
  return (bench: Bench): Track => [
    ...stay(bench, home, begin, 3, stepMs),
    ...stay(bench, moved(home, metres, 0), begin + (3 + hours) * hourMs, 3, stepMs),
  ];
}

const jumps: readonly Jump[] = [
  { what: "shipped 500 km overnight, 60 s", track: carriedInSilence(500_000, 10, 60_000), mostDoubted: 0 },
  { what: "shipped 500 km overnight, 300 s", track: carriedInSilence(500_000, 10, 300_000), mostDoubted: 0 },
  { what: "carried 40 km by a silent ferry, 60 s", track: carriedInSilence(40_000, 1.5, 60_000), mostDoubted: 0 },
  { what: "flown 3,000 km in 4 h, 60 s", track: carriedInSilence(3_000_000, 4, 60_000), mostDoubted: 5 },
  { what: "flown 3,000 km in 4 h, 10 s", track: carriedInSilence(3_000_000, 4, 10_000), mostDoubted: 10 },
  { what: "2 min of tunnel at 110 km/h, 1 s", track: tunnel(1000), mostDoubted: 0 },
  { what: "2 min of tunnel at 110 km/h, 10 s", track: tunnel(10_000), mostDoubted: 0 },
  {
    what: "a receiver 250 m off through 2 min of streets, then right again, 1 s",
    track: offset(1000),
    mostDoubted: 120,
  },
];

function tunnel(stepMs: number) {
  return (bench: Bench): Track => {
    const random = bench.random(81);
    const way = layWay(random, [{ kind: "motorway", metres: 30_000 }]);
    const track = thinned(seenFromVehicle(driven(way, { from: begin }), random), stepMs);
    return silent(track, begin + 300_000, begin + 420_000);
  };
}

/** Nobody can say which of both is right; but what comes after must be believed, and the trip go on. */
function offset(stepMs: number) {
  return (bench: Bench): Track => {
    const random = bench.random(82);
    const way = layWay(random, [{ kind: "city grid", metres: 8000 }]);
    const track = thinned(seenFromVehicle(driven(way, { from: begin }), random), stepMs);
    const isOff = ({ at }: Moment) => at >= begin + 240_000 && at < begin + 360_000;
    return track.map((moment) => (isOff(moment) ? moved(moment, 250, 0) : moment));
  };
}

export const believed: Case = {
  name: "believed",
  run: (bench) => {
    const rows = jumps.flatMap(({ what, track, mostDoubted }) =>
      knowing.map(([name, knows]): Row => {
        const { judged, trips } = bench.derive(framesOf(track(bench), knows));
        const rejected = judged.filter(({ verdict }) => !verdict.valid).length;
        const isBelievedAtLast = judged.slice(-20).every(({ verdict }) => verdict.valid);
        const found = judged.filter(({ verdict }) => verdict.discontinuity).length;
        return {
          what: `${what}, ${name}`,
          measured: `${rejected} of ${judged.length} frames rejected, ${found} discontinuities, ${trips.length} trips`,
          truth: "really there",
          goal: `≤ ${mostDoubted} rejected, believed at last`,
          isMet: rejected <= mostDoubted && isBelievedAtLast,
        };
      }),
    );
    const met = rows.filter(({ isMet }) => isMet).length;
    const summary: SummaryRow = {
      what: "real jumps: shipped, flown, ferry in silence, tunnel",
      now: `${met} of ${rows.length} believed`,
      goal: "believed at once, or after a minute",
      isMet: met === rows.length,
    };
    return { rows, summary: [summary] };
  },
};
