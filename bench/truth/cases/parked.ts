import type { Frame } from "../../../src/domain/frame.ts";
import type { FenceShape } from "../../../src/domain/geometry/fence-shape.ts";
import type { Random } from "../../../src/simulator/random.ts";
import type { Bench, Case } from "../bench.ts";
import { driven } from "../driving.ts";
import { normal, seenFromVehicle } from "../noise.ts";
import { parked } from "../parking.ts";
import { layWay } from "../roads.ts";
import { thinned } from "../spoil.ts";
import type { Row, SummaryRow } from "../table.ts";
import { begin, framesOf, home, type Knows, kmOf, moved, type Track } from "../track.ts";

const dayMs = 86_400_000;
const sigmas = [5, 10, 20];
const steps = [10, 60, 300];
const memories = [0, 1, 5, 30];
const ignitions: readonly (readonly [string, boolean | null])[] = [
  ["unknown", null],
  ["off", false],
  ["on", true],
];
const speeds: Readonly<Record<string, (random: Random) => () => number | null>> = {
  "speed 0": () => () => 0,
  "no speed": () => () => null,
  "speed about 2": (random) => () => Math.abs(2 + 1.2 * normal(random)),
};

/** A circle whose edge goes through the place, and one of 50 m around a place 40 m away. */
function edgeThrough(): Record<string, FenceShape> {
  const circle = (radiusM: number, away: number): FenceShape => {
    const centre = moved(home, away, 0);
    const coordinates = [centre.longitude, centre.latitude] as const;
    return { shape: "circle", geometry: { type: "Point", coordinates }, radiusM, widthM: null } as FenceShape;
  };
  return { edge: circle(150, 150), near: circle(50, 40) };
}

interface Noise {
  readonly trips: number;
  readonly km: number;
  readonly crossings: number;
}

const isQuiet = ({ trips, km, crossings }: Noise) => trips === 0 && km <= 0.1 && crossings === 0;
const noiseText = ({ trips, km, crossings }: Noise) => `${trips} trips, ${km.toFixed(2)} km, ${crossings} crossings`;
const worst = (all: readonly Noise[]): Noise => ({
  trips: Math.max(...all.map(({ trips }) => trips)),
  km: Math.max(...all.map(({ km }) => km)),
  crossings: Math.max(...all.map(({ crossings }) => crossings)),
});

const goal = "0 trips, ≤ 0.1 km, 0 crossings a day";

function noiseOf(bench: Bench, frames: readonly Frame[]): Noise {
  const { trips, km, crossings } = bench.derive(frames, edgeThrough());
  return { trips: trips.length, km, crossings: crossings.length };
}

/** A whole day of a parked vehicle. The drifts are in one line: the worst of them. */
function ofDays(bench: Bench): { readonly rows: Row[]; readonly summary: SummaryRow[] } {
  const rows: Row[] = [];
  const summary: SummaryRow[] = [];
  for (const [speedName, speedOf] of Object.entries(speeds)) {
    const ofSpeed = new Map<number, Noise[]>();
    for (const sigmaMetres of sigmas) {
      for (const step of steps) {
        for (const [ignitionName, ignition] of ignitions) {
          const all = memories.map((minutes) => {
            const random = bench.random(10, sigmaMetres, step, minutes);
            const error = { sigmaMetres, memoryMs: minutes * 60_000 };
            const until = begin + dayMs;
            const kmh = speedOf(random);
            const track = parked(
              { place: home, from: begin, until, stepMs: step * 1000, error, ignition, kmh },
              random,
            );
            return noiseOf(bench, framesOf(track, { ignition: true, speed: true }));
          });
          const [white = worst(all), ...drifting] = all;
          ofSpeed.set(sigmaMetres, [...(ofSpeed.get(sigmaMetres) ?? []), ...all]);
          const what = `24 h, σ ${sigmaMetres} m, ${step} s, ${speedName}, ignition ${ignitionName}`;
          rows.push({
            what,
            measured: `white: ${noiseText(white)}; drifting: ${noiseText(worst(drifting))}`,
            truth: "parked",
            goal,
            isMet: all.every(isQuiet),
          });
        }
      }
    }
    for (const [sigma, all] of ofSpeed) {
      summary.push({
        what: `parked 24 h, σ ${sigma} m, ${speedName}: worst of ${all.length}, ${all.filter(isQuiet).length} quiet`,
        now: noiseText(worst(all)),
        goal,
        isMet: all.every(isQuiet),
      });
    }
  }
  return { rows, summary };
}

/** Parked noise must neither lengthen nor cut the drive beside it. */
function besideDrive(bench: Bench): Row[] {
  const rows: Row[] = [];
  for (const knows of [
    { ignition: true, speed: true },
    { ignition: false, speed: true },
    { ignition: false, speed: false },
  ] satisfies Knows[]) {
    for (const sigmaMetres of sigmas) {
      for (const step of [10, 60]) {
        const found = [0, 5].map((minutes) => driveAmidNoise(bench, sigmaMetres, step, minutes, knows));
        const knowsText = `${knows.ignition ? "ignition known" : "ignition unknown"}, ${knows.speed ? "speed" : "no speed"}`;
        rows.push({
          what: `8 h parked, a drive, 8 h parked; σ ${sigmaMetres} m, ${step} s parked, 10 s driving, ${knowsText}`,
          measured: found.map(({ text }) => text).join("; drifting: "),
          truth: found[0]?.truth ?? "",
          goal: "one trip, ±2 % and 0.1 km",
          isMet: found.every(({ isMet }) => isMet),
        });
      }
    }
  }
  return rows;
}

function driveAmidNoise(bench: Bench, sigma: number, step: number, minutes: number, knows: Knows) {
  const random = bench.random(11, sigma, step, minutes);
  const way = layWay(random, [
    { kind: "city grid", metres: 3000 },
    { kind: "country road", metres: 12_000 },
  ]);
  const from = begin + 8 * 3_600_000;
  const drive = thinned(seenFromVehicle(driven(way, { from }), random), 10_000);
  const error = { sigmaMetres: sigma, memoryMs: minutes * 60_000 };
  const [first, last] = [way.places[0] ?? home, way.places.at(-1) ?? home];
  const arrivedAt = drive.at(-1)?.at ?? from;
  const stand = (place: typeof home, since: number, until: number, metres: number): Track =>
    parked({ place, from: since, until, stepMs: step * 1000, error, ignition: false, kmh: () => 0, metres }, random);
  const track = [
    ...stand(first, begin, from - 10_000, 0),
    ...drive,
    ...stand(last, arrivedAt + 10_000, arrivedAt + 8 * 3_600_000, drive.at(-1)?.metres ?? 0),
  ];
  const { trips, km } = bench.derive(framesOf(track, knows));
  const truth = kmOf(track);
  const isMet = trips.length === 1 && Math.abs(km - truth) <= 0.02 * truth + 0.1;
  return {
    text: `${trips.length} trips, ${km.toFixed(2)} km`,
    truth: `one trip, about ${truth.toFixed(1)} km`,
    isMet,
  };
}

export const parkedNoise: Case = {
  name: "parked",
  run: (bench) => {
    const days = ofDays(bench);
    const beside = besideDrive(bench);
    const met = beside.filter(({ isMet }) => isMet).length;
    const summary: SummaryRow = {
      what: "a drive between two noisy parkings",
      now: `${met} of ${beside.length} kinds right`,
      goal: "one trip, its kilometres right",
      isMet: met === beside.length,
    };
    return { rows: [...days.rows, ...beside], summary: [...days.summary, summary] };
  },
};
