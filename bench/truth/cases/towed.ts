import type { Random } from "../../../src/simulator/random.ts";
import type { Bench, Case } from "../bench.ts";
import { beatOf } from "../day.ts";
import { generatedDrives } from "../drives.ts";
import { driven, standing } from "../driving.ts";
import { heartbeatError, type Parking, parked } from "../parking.ts";
import { layWay } from "../roads.ts";
import { thinned } from "../spoil.ts";
import type { Row, SummaryRow } from "../table.ts";
import { begin, everything, framesOf, home, type Moment, moved, type Track } from "../track.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** What is reported of a vehicle whose ignition stays off. The tracker's own figures stand in for a good receiver's. */
function towsOf(bench: Bench, track: Track, satellites: number | null = null) {
  const frames = framesOf(track, everything).map((frame) => ({ ...frame, satellites }));
  return bench.derive(frames).alerts.filter(({ alertType }) => alertType === "towing");
}

/** Frames of a vehicle that stands with its ignition off, one every so often. */
function asleep(
  random: Random,
  change: Pick<Parking, "place" | "from" | "until" | "stepMs">,
  accuracyM: number | null,
) {
  const how: Parking = { ...change, error: heartbeatError, ignition: false, kmh: () => 0 };
  return parked(how, random).map((moment) => ({ ...moment, accuracyM }));
}

/** How the vehicle came to stand: it has always stood, or was driven and sent so many frames after that. */
const before: Readonly<Record<string, (random: Random, stepMs: number, accuracyM: number | null) => Track>> = {
  "parked from the first frame": (random, stepMs, accuracyM) =>
    asleep(random, { place: home, from: begin, until: begin + Math.max(3 * hourMs, 3 * stepMs), stepMs }, accuracyM),
  "after a drive": (random, stepMs, accuracyM) => {
    const drive = driveTo(random);
    const { latitude, longitude, at } = drive.at(-1) as Moment;
    return [
      ...drive,
      ...asleep(random, { place: { latitude, longitude }, from: at, until: at + 4 * stepMs, stepMs }, accuracyM),
    ];
  },
  "one frame after a drive": (random) => driveTo(random),
};

/** Ten seconds apart; the last frame says that the ignition went off. */
function driveTo(random: Random): Moment[] {
  const drive = driven(layWay(random, [{ kind: "city grid", metres: 6000 }]), { from: begin });
  const last = drive.at(-1) as Moment;
  const stood = [...drive, ...standing(last, last.at + 1000, last.at + 60_000)];
  return [...thinned(stood, 10_000), { ...last, at: last.at + 61_000, kmh: 0, ignition: false }];
}

/** On a lorry: so many frames on the way, then asleep at the other end. */
function carriedOn(
  random: Random,
  track: Track,
  km: number,
  stepMs: number,
  framesOnWay: number,
  accuracyM: number | null,
) {
  const last = track.at(-1) as Moment;
  const legs = framesOnWay + 1;
  const place = (leg: number) => moved(last, ((1000 * km) / legs) * leg, 0);
  const way = Array.from({ length: framesOnWay }, (_, index): Moment => {
    return { ...place(index + 1), at: last.at + (index + 1) * stepMs, kmh: 0, ignition: false, accuracyM };
  });
  const from = last.at + legs * stepMs;
  return [
    ...track,
    ...way,
    ...asleep(random, { place: place(legs), from, until: from + 4 * stepMs, stepMs }, accuracyM),
  ];
}

const sleeps: readonly (readonly [number, number])[] = [
  [300, 15],
  [900, 15],
  [900, 40],
  [3600, 15],
  [3600, 40],
  [21_600, 15],
  [21_600, 40],
];
const onTheWay: readonly (readonly [number, number, number])[] = [
  [300, 15, 2],
  [300, 40, 4],
  [600, 15, 1],
  [600, 40, 3],
  [900, 15, 1],
  [900, 40, 2],
  [1800, 15, 1],
  [1800, 40, 2],
  [3600, 40, 1],
  [7200, 40, 1],
];

function tows(bench: Bench): Row[] {
  const rows: Row[] = [];
  const add = (what: string, all: readonly number[]) => {
    const right = all.filter((count) => count === 1).length;
    const isMet = right === all.length;
    rows.push({
      what,
      measured: `${right} of ${all.length} alerted once`,
      truth: "one tow each",
      goal: "every one, once",
      isMet,
    });
  };
  for (const accuracyM of [null, 12]) {
    const known = accuracyM === null ? "no accuracy" : `accuracy ${accuracyM} m`;
    for (const [name, standFor] of Object.entries(before)) {
      const count = (cases: readonly (readonly [number, number, number])[]) =>
        cases.map(([step, km, frames], index) => {
          const random = bench.random(90, step, km, index);
          const stepMs = step * 1000;
          return towsOf(bench, carriedOn(random, standFor(random, stepMs, accuracyM), km, stepMs, frames, accuracyM))
            .length;
        });
      add(`moved while asleep, ${name}, ${known}`, count(sleeps.map(([step, km]) => [step, km, 0])));
      add(`with frames on the way, ${name}, ${known}`, count(onTheWay));
    }
  }
  const twice = sleeps.map(([step, km]) => {
    const random = bench.random(91, step, km);
    const once = carriedOn(random, driveTo(random), km, step * 1000, 0, null);
    return towsOf(bench, carriedOn(random, once, km, step * 1000, 0, null)).length === 2 ? 1 : 0;
  });
  add("moved on from there later: two tows", twice);
  return rows;
}

/** Days of noise at one place. */
function noise(bench: Bench): Row[] {
  return [null, 40, 12].map((accuracyM): Row => {
    let [ghosts, runs] = [0, 0];
    for (const step of [10, 60, 300, 900, 3600, 21_600]) {
      for (const memoryMs of [0, 40_000, 600_000]) {
        const random = bench.random(92, step, memoryMs);
        const until = begin + (step < 60 ? 1 : step < 3600 ? 5 : 60) * dayMs;
        const error = { sigmaMetres: 40, memoryMs };
        const how: Parking = {
          place: home,
          from: begin,
          until,
          stepMs: step * 1000,
          error,
          ignition: false,
          kmh: () => 0,
        };
        const track = parked(how, random).map((moment) => ({ ...moment, accuracyM }));
        ghosts += towsOf(bench, track, 9).length;
        runs++;
      }
    }
    const what = `parked, errors of 40 m, ${accuracyM === null ? "no accuracy" : `accuracy ${accuracyM} m`}`;
    return { what, measured: `${ghosts} alerts in ${runs} runs`, truth: "never moved", goal: "0", isMet: ghosts === 0 };
  });
}

/** What looks like a tow and is none. */
const notTowed: Readonly<Record<string, (random: Random) => Track>> = {
  "into a garage without a fix, one fix inside at night": (random) => {
    const drive = driveTo(random).slice(0, -8);
    const last = drive.at(-1) as Moment;
    const lost = (seconds: number, ignition: boolean): Moment => ({
      ...last,
      at: last.at + seconds * 1000,
      kmh: null,
      ignition,
      fix: false,
    });
    const inside = moved(last, 700, 200);
    const frames = [60, 120, 180].map((second) => lost(second, true));
    const night = [240, 3840, 7440].map((second) => lost(second, false));
    const seen = [11_040, 14_640, 14_700, 18_240].map(
      (second): Moment => ({ ...inside, at: last.at + second * 1000, kmh: 0, ignition: false }),
    );
    return [...drive, ...frames, ...night, ...seen];
  },
  "a drive whose frames have no fix": (random) => {
    const still = asleep(random, { place: home, from: begin, until: begin + hourMs, stepMs: 300_000 }, null);
    const last = still.at(-1) as Moment;
    const lost = [300, 600, 900].map(
      (second): Moment => ({ ...last, at: last.at + second * 1000, kmh: null, ignition: second < 900, fix: false }),
    );
    const there = asleep(
      random,
      { place: moved(home, 8000, 0), from: last.at + 1_200_000, until: last.at + hourMs, stepMs: 300_000 },
      null,
    );
    return [...still, ...lost, ...there];
  },
  "the ignition is not known at the new place": (random) => {
    const still = asleep(random, { place: home, from: begin, until: begin + hourMs, stepMs: 600_000 }, null);
    const there = asleep(
      random,
      { place: moved(home, 8000, 0), from: begin + hourMs, until: begin + 2 * hourMs, stepMs: 600_000 },
      null,
    );
    return [...still, ...there.map((moment) => ({ ...moment, ignition: null }))];
  },
  "one position 5 km off": (random) => {
    const still = asleep(random, { place: home, from: begin, until: begin + dayMs, stepMs: hourMs }, null);
    return still.map((moment, index) => (index === 9 ? moved(moment, 5000, 0) : moment));
  },
  "one position 5 km off, a frame every 5 min, good by its own account": (random) => {
    const still = asleep(random, { place: home, from: begin, until: begin + 6 * hourMs, stepMs: 120_000 }, 10);
    return still.map((moment, index) => (index === 9 ? moved(moment, 5000, 0) : moment));
  },
  "a tracker that sends every 10 min and nothing else": (random) =>
    beatOf(generatedDrives(random, { count: 12 }), 600_000, random),
  "a tracker that sends every 5 min and nothing else": (random) =>
    beatOf(generatedDrives(random, { count: 12 }), 300_000, random),
};

function others(bench: Bench): Row[] {
  return Object.entries(notTowed).map(([what, trackOf]): Row => {
    const counts = [1, 2, 3].map((seed) => towsOf(bench, trackOf(bench.random(93, seed))).length);
    const isMet = counts.every((count) => count === 0);
    return { what, measured: `${counts.join(", ")} alerts`, truth: "not towed", goal: "0", isMet };
  });
}

export const towed: Case = {
  name: "towed",
  run: (bench) => {
    const found = tows(bench);
    const quiet = [...noise(bench), ...others(bench)];
    const met = (rows: readonly Row[]) => `${rows.filter(({ isMet }) => isMet).length} of ${rows.length} kinds right`;
    const summary = (what: string, goal: string, rows: readonly Row[]): SummaryRow => {
      return { what, now: met(rows), goal, isMet: rows.every(({ isMet }) => isMet) };
    };
    return {
      rows: [...found, ...quiet],
      summary: [
        summary("moved while its tracker sleeps, or with frames on the way", "every tow once", found),
        summary("errors of 40 m for days, lost drives, strays: no tow", "0 alerts", quiet),
      ],
    };
  },
};
