import type { Random } from "../../../../src/simulator/random.ts";
import type { Bench } from "../../bench.ts";
import { driven } from "../../driving.ts";
import { seenFromVehicle, seenWith } from "../../noise.ts";
import { layRide, layWay, type Part, type Way } from "../../roads.ts";
import { thinned } from "../../spoil.ts";
import {
  begin,
  everything,
  framesOf,
  home,
  type Knows,
  kmOf,
  type Moment,
  moved,
  noIgnition,
  noSpeed,
  type Track,
} from "../../track.ts";
import type { ScoreRow } from "../score.ts";

type Habit = (kmh: number) => number;

const spoken = (track: Track, habit: Habit): Track =>
  track.map((moment) => ({ ...moment, kmh: moment.kmh === null ? null : habit(moment.kmh) }));

/** By how many per cent the kilometres of some tracks are wrong. */
export function errorOf(bench: Bench, tracks: readonly Track[], knows: Knows): number {
  let [measured, truth] = [0, 0];
  for (const track of tracks) {
    measured += bench.derive(framesOf(track, knows)).km;
    truth += kmOf(track);
  }
  return 100 * (measured / truth - 1);
}

/** A straight street: 40 s of driving at 35 km/h, speeding up and braking within it, and 40 s at red, 22 times. */
function lightsStreet(): Track {
  const [cycles, goSeconds, topMps, mps2] = [22, 40, 35 / 3.6, 2.5];
  let metres = 0;
  return Array.from({ length: cycles * 2 * goSeconds }, (_, second) => {
    const within = second % (2 * goSeconds);
    const mps = Math.max(0, Math.min(topMps, mps2 * within, mps2 * (goSeconds - within)));
    const next = Math.max(0, Math.min(topMps, mps2 * (within + 1), mps2 * (goSeconds - within - 1)));
    const at = begin + second * 1000;
    const moment = { ...moved(home, metres, 0), at, kmh: mps * 3.6, metres, ignition: true };
    metres += (mps + next) / 2;
    return moment;
  });
}

/** The worst of some beats: the lights and the tracker keep the same one. */
function streetRow(name: string, step: number, habit: Habit, target: number): ScoreRow {
  return {
    name,
    unit: "%",
    target,
    isFast: true,
    measure: (bench) => {
      const random = bench.random(201, step);
      const errors = Array.from({ length: 4 }, () => {
        const sent = thinned(lightsStreet(), step * 1000, 1000 * random.whole(0, step - 1));
        return errorOf(bench, [spoken(sent, habit)], everything);
      });
      return errors.reduce((worst, error) => (Math.abs(error) > Math.abs(worst) ? error : worst), 0);
    },
  };
}

function roadTracks(
  bench: Bench,
  count: number,
  step: number,
  parts: readonly Part[],
  habit: Habit,
  seed: number,
): Track[] {
  return Array.from({ length: count }, (_, index) => {
    const random = bench.random(202, seed, index);
    const way = layWay(random, parts);
    const slow =
      habit === lorrySpeed ? { ...way, limits: way.limits.map((limit) => Math.min(lorryLimit, limit)) } : way;
    const track = seenFromVehicle(driven(slow, { from: begin }), random);
    return thinned(spoken(track, habit), step * 1000, 1000 * random.whole(0, step - 1), random);
  });
}

const town: readonly Part[] = [{ kind: "city grid", metres: 7000 }];
const country: readonly Part[] = [{ kind: "country road", metres: 25_000 }];
const motorway: readonly Part[] = [{ kind: "motorway", metres: 40_000 }];
const haul: readonly Part[] = [
  { kind: "city grid", metres: 5000 },
  { kind: "country road", metres: 25_000 },
  { kind: "motorway", metres: 40_000 },
];

const asSent: Habit = (kmh) => kmh;
const knots: Habit = (kmh) => Math.round(kmh / 1.852);
const milesPerHour: Habit = (kmh) => Math.round(kmh / 1.609344);
const tooHigh: Habit = (kmh) => kmh * 1.852;
/** Whole numbers that add up to 3.7 % less than the way. */
const lorrySpeed: Habit = (kmh) => Math.floor(kmh * 0.97);
const lorryLimit = 85 / 3.6;

interface Roads {
  readonly name: string;
  readonly parts: readonly Part[];
  readonly step: number;
  readonly habit: Habit;
  readonly target: number;
  readonly count: number;
  readonly isFast?: boolean;
}

function roadRow({ name, parts, step, habit, target, count, isFast = false }: Roads): ScoreRow {
  return {
    name,
    unit: "%",
    target,
    isFast,
    measure: (bench) => errorOf(bench, roadTracks(bench, count, step, parts, habit, parts.length), noIgnition),
  };
}

/** High houses throw the positions off by so much on average. */
function noiseRow(metres: number, step: number, knows: Knows, target: number): ScoreRow {
  const error = { sigmaMetres: metres / Math.sqrt(Math.PI / 2), memoryMs: 40_000 };
  return {
    name: `errors of ${metres} m (τ 40 s), ${step} s, ${knows.speed ? "right speeds" : "no speed"}`,
    unit: "%",
    target,
    measure: (bench) => {
      const tracks = Array.from({ length: 4 }, (_, index) => {
        const random = bench.random(203, metres, step, index);
        const parts: Part[] = [
          { kind: "city grid", metres: 8000 },
          { kind: "country road", metres: 4000 },
          { kind: "bus route", metres: 4000 },
        ];
        const exact = driven(layWay(random, parts), { from: begin });
        return seenWith(thinned(exact, step * 1000), random, [error]);
      });
      return errorOf(bench, tracks, knows);
    },
  };
}

/** A wall throws the fix 250 m off, for a frame or three, again and again. */
const reflectionRow: ScoreRow = {
  name: "reflections of 250 m, 5 s, no speed",
  unit: "%",
  target: 10,
  measure: (bench) => {
    const tracks = Array.from({ length: 4 }, (_, index) => {
      const random = bench.random(206, index);
      const way = layWay(random, [{ kind: "city grid", metres: 12_000 }]);
      const sent = thinned(seenFromVehicle(driven(way, { from: begin }), random), 5000);
      for (let frame = random.whole(5, 20); frame + 3 < sent.length; frame += random.whole(8, 30)) {
        const angle = random.between(0, 2 * Math.PI);
        const until = frame + random.whole(1, 3);
        for (let off = frame; off < until; off++) {
          sent[off] = moved(sent[off] as Moment, 250 * Math.sin(angle), 250 * Math.cos(angle));
        }
      }
      return sent;
    });
    return errorOf(bench, tracks, noSpeed);
  },
};

function rideRow(step: number, target: number): ScoreRow {
  return {
    name: `e-bikes (generated), ${step} s`,
    unit: "%",
    target,
    measure: (bench) => {
      const tracks = Array.from({ length: 12 }, (_, index) => {
        const random = bench.random(204, index);
        const track = seenFromVehicle(driven(layRide(random, random.between(3000, 9000)), { from: begin }), random);
        return thinned(track, step * 1000, 1000 * random.whole(0, step - 1), random);
      });
      return errorOf(bench, tracks, noIgnition);
    },
  };
}

/** Parcels: a stop of one to three minutes every few hundred metres. */
function layRound(random: Random): Way {
  const parts = Array.from({ length: 25 }, (): Part => {
    return { kind: "city grid", metres: random.between(150, 700), standSeconds: random.between(45, 170) };
  });
  return layWay(random, parts);
}

function roundRow(step: number, target: number): ScoreRow {
  return {
    name: `delivery round, ${step} s`,
    unit: "%",
    target,
    isFast: true,
    measure: (bench) => {
      const tracks = Array.from({ length: 6 }, (_, index) => {
        const random = bench.random(205, index);
        const track = seenFromVehicle(driven(layRound(random), { from: begin }), random);
        return thinned(track, step * 1000, 1000 * random.whole(0, step - 1), random);
      });
      return errorOf(bench, tracks, noIgnition);
    },
  };
}

export const streetRows: readonly ScoreRow[] = [
  streetRow("street with red lights, right speeds, 5 s", 5, asSent, 1),
  streetRow("street with red lights, right speeds, 10 s", 10, asSent, 1),
  streetRow("street with red lights, speeds × 0.54, 10 s", 10, (kmh) => kmh * 0.54, 2),
  ...[5, 10].flatMap((step) => [
    roadRow({
      name: `town, right speeds, ${step} s`,
      parts: town,
      step,
      habit: asSent,
      target: 1,
      count: 8,
      isFast: step === 10,
    }),
    roadRow({
      name: `town, speeds in knots, ${step} s`,
      parts: town,
      step,
      habit: knots,
      target: 2,
      count: 8,
      isFast: step === 10,
    }),
    roadRow({ name: `town, speeds in mph, ${step} s`, parts: town, step, habit: milesPerHour, target: 2, count: 8 }),
  ]),
  roadRow({
    name: "town, speeds × 1.852, 60 s",
    parts: town,
    step: 60,
    habit: tooHigh,
    target: 20,
    count: 8,
    isFast: true,
  }),
  roadRow({ name: "country, speeds × 1.852, 60 s", parts: country, step: 60, habit: tooHigh, target: 20, count: 4 }),
  roadRow({ name: "motorway, speeds × 1.852, 60 s", parts: motorway, step: 60, habit: tooHigh, target: 20, count: 4 }),
  ...(
    [
      [5, 1],
      [10, 1],
      [30, 2],
      [60, 3],
      [120, 5],
    ] as const
  ).map(([step, target]) =>
    roadRow({
      name: `lorry (generated), speeds 3.7 % low, ${step} s`,
      parts: haul,
      step,
      habit: lorrySpeed,
      target,
      count: 3,
    }),
  ),
  ...(
    [
      [town, "town", 8],
      [country, "country", 4],
    ] as const
  ).flatMap(([parts, name, count]) =>
    (
      [
        [30, 6],
        [60, 6],
        [120, 6],
      ] as const
    ).map(([step, target]) =>
      roadRow({ name: `${name}, right speeds, ${step} s`, parts, step, habit: asSent, target, count }),
    ),
  ),
  noiseRow(50, 10, everything, 5),
  noiseRow(100, 10, everything, 5),
  noiseRow(200, 10, everything, 10),
  noiseRow(50, 5, everything, 5),
  reflectionRow,
  rideRow(1, 1),
  rideRow(10, 1),
  rideRow(30, 2),
  roundRow(60, 5),
];
