import type { Random } from "../../../src/simulator/random.ts";
import type { Bench, Case } from "../bench.ts";
import { driven, followedBy, standing } from "../driving.ts";
import { seenWith } from "../noise.ts";
import { layLine, layStopAndGo, layWay } from "../roads.ts";
import { percent, type Row, type SummaryRow, share } from "../table.ts";
import { begin, framesOf, home, type Moment, placesOnly, type Track } from "../track.ts";

const taxis = 8;
const faresOfEach = 20;
/** Before the end of a fare a stand may as well be its end. */
const besideMs = 200_000;

/** Through a town, at times in a jam, and in a queue before a light: it stands, comes on a few metres, stands again. */
function fare(random: Random, from: Moment, hasQueue: boolean): Moment[] {
  const start = { ignition: null, from: from.at + 1000 };
  let track = driven(layWay(random, [{ kind: "city grid", metres: random.between(1500, 8000) }], from), start);
  const on = { ignition: null };
  if (random.chance(0.3)) {
    track = followedBy(track, (last) => layStopAndGo(random, random.between(200, 700), random.between(3, 8), last), on);
  }
  for (let cycle = hasQueue ? random.whole(2, 5) : 0; cycle > 0; cycle--) {
    const last = track.at(-1) as Moment;
    track.push(...standing(last, last.at + 1000, last.at + 1000 * random.whole(50, 110)));
    track = followedBy(track, (here) => layLine(random, 1, 20, here, random.between(12, 40)), on);
  }
  return followedBy(
    track,
    (last) => layWay(random, [{ kind: "city grid", metres: random.between(1500, 3000) }], last),
    on,
  );
}

interface Shift {
  readonly track: Track;
  readonly fares: readonly { readonly from: number; readonly until: number }[];
}

/** Fares with one to three minutes between them. */
function shiftOf(random: Random, queues: number): Shift {
  const track: Moment[] = [{ ...home, at: begin, kmh: 0, metres: 0, ignition: null }];
  const fares = Array.from({ length: faresOfEach }, () => {
    const own = fare(random, track.at(-1) as Moment, random.chance(queues));
    const [first, last] = [own[0] as Moment, own.at(-1) as Moment];
    track.push(...own, ...standing(last, last.at + 1000, last.at + 1000 * random.whole(60, 180)));
    return { from: first.at, until: last.at };
  });
  const errors = [
    { sigmaMetres: 5, memoryMs: 40_000 },
    { sigmaMetres: 2, memoryMs: 0 },
  ];
  return { track: seenWith(track, random, errors), fares };
}

const beats: readonly (readonly [string, readonly [number, number]])[] = [
  ["15 s", [15, 15]],
  ["60 s", [60, 60]],
  ["15 to 60 s", [15, 60]],
];
const roads: readonly (readonly [string, number, number | null])[] = [
  ["lights and jams", 0, 0.01],
  ["queues in half of them", 0.5, null],
];

export const fares: Case = {
  name: "fares",
  run: (bench: Bench) => {
    const results = roads.flatMap(([what, queues, most]) => {
      const shifts = Array.from({ length: taxis }, (_, taxi) => shiftOf(bench.random(220, taxi, queues), queues));
      return beats.map(([name, [least, longest]]) => {
        let cut = 0;
        for (const [taxi, shift] of shifts.entries()) {
          const random = bench.random(221, taxi);
          let next = 0;
          const sent = shift.track.filter(({ at }) => {
            if (at < next) return false;
            next = at + 1000 * random.whole(least, longest);
            return true;
          });
          const { trips } = bench.derive(framesOf(sent, placesOnly));
          const isCut = ({ from, until }: Shift["fares"][number]) =>
            trips.some(({ endedAt }) => endedAt !== null && endedAt > from + 30_000 && endedAt < until - besideMs);
          cut += shift.fares.filter(isCut).length;
        }
        const part = share(cut, taxis * faresOfEach);
        const row: Row = {
          what: `fares, ${name}, no ignition, no speed, ${what}`,
          measured: `${cut} of ${taxis * faresOfEach} cut inside (${percent(part).replace("+", "")})`,
          truth: "none ends inside",
          goal: most === null ? "" : `≤ ${100 * most} % cut`,
          isMet: most === null ? null : part <= most,
        };
        return { what, part, row };
      });
    });
    const summary = roads.map(([what, , most]): SummaryRow => {
      const worst = Math.max(...results.filter((one) => one.what === what).map(({ part }) => part));
      const isMet = most === null ? null : worst <= most;
      const goal = most === null ? "" : `≤ ${100 * most} %`;
      return { what: `fares cut inside, ${what}`, now: percent(worst).replace("+", ""), goal, isMet };
    });
    return { rows: results.map(({ row }) => row), summary };
  },
};
