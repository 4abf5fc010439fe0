import type { Random } from "../../../src/simulator/random.ts";
import type { Bench, Case } from "../bench.ts";
import { driven } from "../driving.ts";
import { seenFromVehicle } from "../noise.ts";
import { layRide, layWay, type Way } from "../roads.ts";
import { thinned } from "../spoil.ts";
import { percent, type Row, type SummaryRow } from "../table.ts";
import { begin, framesOf, kmOf, type Moment, noIgnition, type Track } from "../track.ts";

const drivesOfKind = 6;
/** At 30 s the kilometres of six rides scatter by 1.2 % around their mean, which would hide what the rules do. */
const ridesOfKind = 24;

/** What a tracker makes of its right speeds. */
const habits: Readonly<Record<string, (track: Track) => Track>> = {
  knots: (track) => track.map((moment) => withSpeed(moment, (moment.kmh ?? 0) / 1.852)),
  "miles per hour": (track) => track.map((moment) => withSpeed(moment, Math.floor((moment.kmh ?? 0) / 1.609))),
  "m/s": (track) => track.map((moment) => withSpeed(moment, (moment.kmh ?? 0) / 3.6)),
  "0 always": (track) => track.map((moment) => withSpeed(moment, 0)),
  "cut off to whole km/h": (track) => track.map((moment) => withSpeed(moment, Math.floor(moment.kmh ?? 0))),
  "cut off to 5 km/h": (track) => track.map((moment) => withSpeed(moment, 5 * Math.floor((moment.kmh ?? 0) / 5))),
  "two seconds late": (track) =>
    track.map((moment, index) => withSpeed(moment, track[Math.max(0, index - 2)]?.kmh ?? 0)),
  "one frame late": (track) => track.map((moment, index) => withSpeed(moment, track[Math.max(0, index - 1)]?.kmh ?? 0)),
  "stuck after ten minutes": (track) =>
    track.map((moment) => (moment.at < begin + 600_000 ? moment : withSpeed(moment, 42))),
};

const withSpeed = (moment: Moment, kmh: number): Moment => ({ ...moment, kmh });

/** Late and stuck speeds are so before the tracker thins them out, or after. */
const afterThinning = ["one frame late"];

const town = (random: Random): Way =>
  layWay(random, [
    { kind: "city grid", metres: 8000 },
    { kind: "country road", metres: 8000 },
    { kind: "motorway", metres: 8000 },
  ]);

function errorOf(
  bench: Bench,
  number: number,
  step: number,
  tracks: number,
  lay: (random: Random) => Way,
  habit: string | null,
) {
  let [measured, truth] = [0, 0];
  for (let index = 0; index < tracks; index++) {
    const random = bench.random(95, number, index);
    const right = seenFromVehicle(driven(lay(random), { from: begin }), random);
    const spoil = (habit === null ? null : habits[habit]) ?? ((track: Track) => track);
    const isAfter = habit !== null && afterThinning.includes(habit);
    const thin = (track: Track) => thinned(track, step * 1000, 0, random);
    const sent = isAfter ? spoil(thin(right)) : thin(spoil(right));
    measured += bench.derive(framesOf(sent, noIgnition)).km;
    truth += kmOf(sent);
  }
  return measured / truth - 1;
}

/** Where the positions are good, wrong speeds must not make the kilometres much worse than straight lines are. */
const wrongWithin: Readonly<Record<number, number>> = { 1: 0.02, 5: 0.02, 10: 0.03, 30: 0.1 };

function wrongRow(bench: Bench, habit: string, step: number): Row {
  const error = errorOf(bench, 1, step, drivesOfKind, town, habit);
  const within = wrongWithin[step] ?? 0.1;
  return {
    what: `speeds ${habit}, ${step} s`,
    measured: percent(error),
    truth: `${drivesOfKind} drives of 24 km`,
    goal: `±${100 * within} %`,
    isMet: Math.abs(error) <= within,
  };
}

const rideWithin: Readonly<Record<number, number>> = { 1: 0.01, 5: 0.01, 10: 0.01, 30: 0.02, 60: 0.06 };

function rideRow(bench: Bench, step: number) {
  const error = errorOf(bench, 2, step, ridesOfKind, (random) => layRide(random, random.between(3000, 9000)), null);
  const within = rideWithin[step] ?? 0.02;
  const row: Row = {
    what: `e-bikes, ${step} s`,
    measured: percent(error),
    truth: `${ridesOfKind} rides of 3 to 9 km`,
    goal: `±${100 * within} %`,
    isMet: Math.abs(error) <= within,
  };
  return { row, error };
}

export const speeds: Case = {
  name: "speeds",
  run: (bench) => {
    const wrong = Object.keys(habits).flatMap((habit) => [1, 5, 10, 30].map((step) => wrongRow(bench, habit, step)));
    const rides = [1, 5, 10, 30, 60].map((step) => rideRow(bench, step));
    const met = wrong.filter(({ isMet }) => isMet).length;
    const summary: SummaryRow[] = [
      {
        what: "wrong speeds at good positions, 1 to 30 s",
        now: `${met} of ${wrong.length} kinds right`,
        goal: "±2 % at 1 and 5 s, ±3 % at 10 s, ±10 % at 30 s",
        isMet: met === wrong.length,
      },
      {
        what: "e-bikes at 1, 5, 10, 30, 60 s",
        now: rides.map(({ error }) => percent(error)).join(", "),
        goal: "±1 % to 10 s, ±2 % at 30 s",
        isMet: rides.every(({ row }) => row.isMet),
      },
    ];
    return { rows: [...wrong, ...rides.map(({ row }) => row)], summary };
  },
};
