import type { Bench, Case } from "../bench.ts";
import { sum } from "../derive.ts";
import { driven, followedBy, standing } from "../driving.ts";
import { seenFromVehicle } from "../noise.ts";
import { layWay, type RoadKind, roadKinds } from "../roads.ts";
import { thinned } from "../spoil.ts";
import { km, percent, type Row, type SummaryRow } from "../table.ts";
import { begin, everything, framesOf, type Knows, kmOf, type Moment, noSpeed, type Track } from "../track.ts";

interface Odometer {
  readonly name: string;
  /** What it shows after so many metres. */
  readonly shows: (metres: number) => number;
  readonly isRight: boolean;
}

const inSteps = (km: number, stepKm: number) => Math.floor(km / stepKm + 1e-9) * stepKm;

const odometers: readonly Odometer[] = [
  { name: "20 % high", shows: (metres) => 43_210.7 + (metres / 1000) * 1.2, isRight: false },
  { name: "15 % low", shows: (metres) => 43_210.7 + (metres / 1000) * 0.85, isRight: false },
  { name: "5 % high, in 0.1 km", shows: (metres) => inSteps(43_210.7 + (metres / 1000) * 1.05, 0.1), isRight: false },
  { name: "right, in 0.1 km", shows: (metres) => inSteps(43_210.7 + metres / 1000, 0.1), isRight: true },
  { name: "right, in whole km", shows: (metres) => Math.floor(43_210.7 + metres / 1000), isRight: true },
];

const days = 5;
const dayMs = 86_400_000;

/** There and back on each day, of all kinds of road; at night it stands, and reports every half an hour. */
function week(bench: Bench): Track {
  const random = bench.random(80);
  const way = (from: { latitude: number; longitude: number }) =>
    layWay(
      random,
      (Object.keys(roadKinds) as RoadKind[]).map((kind) => ({ kind, metres: random.whole(2000, 12_000) })),
      from,
    );
  let track: Moment[] = driven(way({ latitude: 48.1, longitude: 11.5 }), { from: begin });
  for (let day = 0; day < days; day++) {
    if (day > 0) {
      const last = track.at(-1) as Moment;
      const parked = standing(last, last.at + 1_800_000, begin + day * dayMs - 1000, false);
      track = [...track, ...thinned(parked, 1_800_000)];
      track = followedBy(track, way);
    }
    const noon = track.at(-1) as Moment;
    track = [...track, ...thinned(standing(noon, noon.at + 60_000, noon.at + 3_600_000, false), 300_000)];
    track = followedBy(track, way);
  }
  return seenFromVehicle(track, random);
}

interface Measured {
  readonly row: Row;
  readonly odometer: Odometer;
  readonly worst: number;
}

function rowOf(bench: Bench, track: Track, step: number, odometer: Odometer, knows: Knows, name: string): Measured {
  const random = bench.random(81, step);
  const sent = thinned(track, step * 1000, 1000 * random.whole(0, step - 1), random);
  const frames = framesOf(sent, knows).map((frame, index) => ({
    ...frame,
    odometer_km: odometer.shows(sent[index]?.metres ?? 0),
  }));
  const derived = bench.derive(frames);
  const dayOf = (at: number) => Math.floor(at / dayMs);
  const errors = derived.days.map(({ day, distanceMm }) => {
    const own = sent.filter(({ at }) => dayOf(at) === day);
    const inTrips = sum(
      derived.trips.filter(({ startedAt }) => dayOf(startedAt) === day).map((trip) => trip.distanceMm),
    );
    return { truth: distanceMm / 1e6 / kmOf(own) - 1, trips: distanceMm / inTrips - 1 };
  });
  const largest = (values: readonly number[]) => values.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a), 0);
  const worst = largest(errors.map(({ truth, trips }) => (odometer.isRight ? truth : trips)));
  const wholeKm = step <= 10 ? 0.003 : step <= 30 ? 0.01 : 0.03;
  const bound = !odometer.isRight ? 0.03 : odometer.name.includes("whole") ? wholeKm : 0.01;
  const isAsked = step <= 10 || (knows.speed && (odometer.isRight || (!odometer.name.startsWith("5 %") && step <= 30)));
  return {
    odometer,
    worst,
    row: {
      what: `odometer ${odometer.name}, ${step} s, ${name}`,
      measured: `${km(derived.km)}, worst day ${percent(worst, 2)} of ${odometer.isRight ? "the truth" : "its trips"}`,
      truth: km(kmOf(sent)),
      goal: isAsked ? `±${100 * bound} %` : "",
      isMet: isAsked ? Math.abs(worst) <= bound : null,
    },
  };
}

export const odometersCase: Case = {
  name: "odometers",
  run: (bench) => {
    const track = week(bench);
    const all = odometers.flatMap((odometer) =>
      [1, 10, 30, 120].flatMap((step) => [
        rowOf(bench, track, step, odometer, everything, "with speeds"),
        rowOf(bench, track, step, odometer, noSpeed, "without"),
      ]),
    );
    const summary = odometers.map((odometer): SummaryRow => {
      const own = all.filter((one) => one.odometer === odometer && one.row.isMet !== null);
      return {
        what: `odometer ${odometer.name}: worst day`,
        now: percent(Math.max(...own.map(({ worst }) => Math.abs(worst))), 2),
        goal: odometer.isRight ? "1 %; in whole km 0.3 % up to 10 s, 3 % at 120 s" : "within 3 % of its trips",
        isMet: own.every(({ row }) => row.isMet),
      };
    });
    return { rows: all.map(({ row }) => row), summary };
  },
};
