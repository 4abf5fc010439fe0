import type { Random } from "../../../../src/simulator/random.ts";
import type { Bench } from "../../bench.ts";
import { driven, followedBy } from "../../driving.ts";
import { seenFromVehicle } from "../../noise.ts";
import { layField, layStopAndGo, layWay, type Way } from "../../roads.ts";
import { thinned } from "../../spoil.ts";
import {
  begin,
  everything,
  framesOf,
  type Knows,
  kmOf,
  type Moment,
  moved,
  noSpeed,
  placesOnly,
  type Track,
} from "../../track.ts";
import type { ScoreRow } from "../score.ts";
import { errorOf } from "./streets.ts";

interface Jam {
  readonly track: Track;
  readonly from: number;
  readonly until: number;
}

/** Two kilometres of town, the jam, two more. */
function jam(random: Random, creep: (from: Moment) => Way): Jam {
  const town = (from?: Moment) => layWay(random, [{ kind: "city grid", metres: 2000 }], from);
  const before = driven(town(), { from: begin });
  const within = followedBy(before, creep);
  const track = seenFromVehicle(followedBy(within, town), random);
  return { track, from: (before.at(-1) as Moment).at, until: (within.at(-1) as Moment).at };
}

/** What the jam adds, in per cent of its way. */
function jamError(bench: Bench, { track, from, until }: Jam, step: number, phase: number, knows: Knows): number {
  const sent = thinned(track, step * 1000, phase);
  const kmUntil = (end: number) =>
    bench.derive(
      framesOf(
        sent.filter(({ at }) => at <= end),
        knows,
      ),
    ).km;
  const first = sent.findLast(({ at }) => at <= from)?.at ?? from;
  const truth = kmOf(sent.filter(({ at }) => at >= first && at <= until));
  return 100 * ((kmUntil(until) - kmUntil(from)) / truth - 1);
}

/** Each cycle it goes for half of the time, at 15 km/h on average, and stands for the other half. */
function layCycles(from: Moment, cycleSeconds: number, minutes: number): Way {
  const goMetres = Math.round((15 / 3.6) * (cycleSeconds / 2));
  const cycles = Math.round((minutes * 60) / cycleSeconds);
  const places = Array.from({ length: cycles * goMetres + 1 }, (_, metre) => moved(from, metre, 0));
  const limits = places.map(() => 20 / 3.6);
  const stops = Array.from({ length: cycles }, (_, index) => ({ metre: index * goMetres, seconds: 0 }));
  const way = { places, limits, stops };
  const alone = driven(
    { places: places.slice(0, goMetres + 1), limits: limits.slice(0, goMetres + 1), stops: [] },
    { from: 0 },
  );
  const seconds = cycleSeconds - (alone.at(-1)?.at ?? 0) / 1000;
  return { ...way, stops: stops.map((stop) => ({ ...stop, seconds })) };
}

function cycleRow(cycleSeconds: number, step: number, target: number): ScoreRow {
  return {
    name: `regular stop and go of ${cycleSeconds} s, ${step} s`,
    unit: "%",
    target,
    isFast: true,
    measure: (bench) => {
      const random = bench.random(221, cycleSeconds);
      const one = jam(random, (from) => layCycles(from, cycleSeconds, 20));
      const phases = [0, 0.25, 0.5, 0.75].map((share) => 1000 * Math.floor(step * share));
      const errors = phases.map((phase) => jamError(bench, one, step, phase, everything));
      return errors.reduce((worst, error) => (Math.abs(error) > Math.abs(worst) ? error : worst), 0);
    },
  };
}

function stopAndGoRow(step: number): ScoreRow {
  return {
    name: `stop and go at 4 km/h for 30 min, ${step} s`,
    unit: "%",
    target: 5,
    isFast: true,
    measure: (bench) => {
      const random = bench.random(222, step);
      const one = jam(random, (from) => layStopAndGo(random, 2000, 4, from));
      return jamError(bench, one, step, 0, everything);
    },
  };
}

/** How often an hour in a jam is told as idling. */
function idlingRow(step: number, knows: Knows): ScoreRow {
  return {
    name: `an hour in a jam at 3 km/h, ${step} s, ${knows.speed ? "speed" : "no speed"}: ghost idling`,
    unit: "wrong",
    target: 0,
    isFast: true,
    measure: (bench) => {
      let ghosts = 0;
      for (const isSmooth of [true, false]) {
        const random = bench.random(223, step, Number(isSmooth));
        const one = jam(random, (from) =>
          isSmooth ? smooth(random, from, 3000, 3) : layStopAndGo(random, 3000, 3, from),
        );
        const frames = framesOf(thinned(one.track, step * 1000), knows);
        ghosts += bench.derive(frames).alerts.filter(({ alertType }) => alertType === "idling").length;
      }
      return ghosts;
    },
  };
}

function smooth(random: Random, from: Moment, metres: number, kmh: number): Way {
  const way = layWay(random, [{ kind: "motorway", metres }], from);
  const places = way.places.slice(0, metres);
  return { places, limits: places.map(() => kmh / 3.6), stops: [] };
}

function smoothRow(step: number): ScoreRow {
  return {
    name: `smooth jam at 4 km/h for 30 min, ${step} s`,
    unit: "%",
    target: 5,
    isFast: true,
    measure: (bench) => {
      const random = bench.random(224, step);
      return jamError(
        bench,
        jam(random, (from) => smooth(random, from, 2000, 4)),
        step,
        0,
        everything,
      );
    },
  };
}

function tractorRow(step: number, knows: Knows, target: number): ScoreRow {
  return {
    name: `tractor at 6 km/h, ${step} s, ${knows.speed ? "speed" : "no speed"}`,
    unit: "%",
    target,
    measure: (bench) => {
      const random = bench.random(225);
      const track = seenFromVehicle(driven(layField(random, 20_000, 6), { from: begin }), random);
      return errorOf(bench, [thinned(track, step * 1000)], knows);
    },
  };
}

export const jamRows: readonly ScoreRow[] = [
  cycleRow(30, 30, 5),
  cycleRow(60, 30, 10),
  cycleRow(90, 30, 10),
  ...[10, 30].flatMap((step) => [stopAndGoRow(step), smoothRow(step)]),
  ...[10, 30, 60].flatMap((step) => [idlingRow(step, everything), idlingRow(step, noSpeed)]),
  tractorRow(10, placesOnly, 5),
  tractorRow(30, placesOnly, 8),
  tractorRow(60, placesOnly, 15),
  tractorRow(30, everything, 5),
];
