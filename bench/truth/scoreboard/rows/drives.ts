import type { Bench } from "../../bench.ts";
import { recordedDrives, sentOf } from "../../day.ts";
import { sum } from "../../derive.ts";
import { generatedDrives, type TrueDrive } from "../../drives.ts";
import { driven, standing } from "../../driving.ts";
import { matchOf, toleranceFor } from "../../matching.ts";
import { seenFromVehicle } from "../../noise.ts";
import { heartbeatError, parked } from "../../parking.ts";
import { layWay } from "../../roads.ts";
import { thinned, withExcursions } from "../../spoil.ts";
import { kmBySpeed, readDrives } from "../../traces.ts";
import { begin, everything, framesOf, type Knows, kmOf, type Moment, noIgnition, type Track } from "../../track.ts";
import type { ScoreRow } from "../score.ts";

interface Sending {
  readonly name: string;
  readonly step: number;
  readonly heartbeatMs: number | null;
  readonly knows: Knows;
  /** Of the 27 drives that the goals are about. */
  readonly of27: number;
}

const sendings: readonly Sending[] = [
  { name: "ignition, 10 s", step: 10, heartbeatMs: null, knows: everything, of27: 26 },
  { name: "ignition, 10 s, heartbeats", step: 10, heartbeatMs: 300_000, knows: everything, of27: 26 },
  { name: "no ignition, 10 s, heartbeats", step: 10, heartbeatMs: 300_000, knows: noIgnition, of27: 24 },
  { name: "no ignition, 30 s, heartbeats", step: 30, heartbeatMs: 300_000, knows: noIgnition, of27: 23 },
  { name: "no ignition, 30 s, silent", step: 30, heartbeatMs: null, knows: noIgnition, of27: 23 },
];

/** How many drives of some vehicles are not one trip each. */
function missed(
  bench: Bench,
  vehicles: readonly (readonly TrueDrive[])[],
  { step, heartbeatMs, knows }: Sending,
): number {
  return sum(
    vehicles.map((drives, index) => {
      const sent = sentOf(drives, step * 1000, { heartbeatMs, isWokenByMotion: false }, bench.random(231, step, index));
      const { trips } = bench.derive(framesOf(sent, knows));
      return drives.filter((drive) => !matchOf(drive, trips, toleranceFor(step * 1000)).isOne).length;
    }),
  );
}

/**
 * The recorded car was moved unseen between some of its drives. A tracker that is silent while parked shows hours and days
 * of silence between them; for one with heartbeats each drive is a vehicle of its own.
 */
function vehiclesOf(drives: readonly TrueDrive[], { heartbeatMs }: Sending): readonly (readonly TrueDrive[])[] {
  return heartbeatMs === null ? [drives] : drives.map((drive) => [drive]);
}

function driveRows(sending: Sending): ScoreRow[] {
  const goal = (count: number) => Math.round(((27 - sending.of27) / 27) * count);
  const generated = (bench: Bench) => generatedDrives(bench.random(232), { count: 27, standsIn: [4], wavers: true });
  return [
    {
      name: `14 recorded drives, ${sending.name}: not one trip each`,
      unit: "wrong",
      target: goal(14),
      measure: (bench) => {
        const drives = recordedDrives();
        return drives === null ? null : missed(bench, vehiclesOf(drives, sending), sending);
      },
    },
    {
      name: `27 generated drives, ${sending.name}: not one trip each`,
      unit: "wrong",
      target: goal(27),
      measure: (bench) => missed(bench, [generated(bench)], sending),
    },
  ];
}

/**
 * A late frame or a newer rule moves a start. Here the frames of the two minutes before the wheels turn come or do not come,
 * which does that.
 */
const idRow: ScoreRow = {
  name: "27 generated drives, starts moved by up to 2 min: ids of trips and stops that change",
  unit: "%",
  target: 5,
  isFast: true,
  measure: (bench) => {
    const drives = generatedDrives(bench.random(237), { count: 27 });
    const sent = sentOf(drives, 10_000, { heartbeatMs: 60_000, isWokenByMotion: false }, bench.random(238));
    const fewer = sent.filter(({ at }) => drives.every(({ movedFrom }) => at < movedFrom - 120_000 || at >= movedFrom));
    const idsOf = (track: Track) => {
      const { trips } = bench.derive(framesOf(track, noIgnition));
      // The id of a stop is made of that of the trip before it.
      return new Set(trips.map((trip) => (trip as { foundAt?: number }).foundAt ?? trip.startedAt));
    };
    const [before, after] = [idsOf(sent), idsOf(fewer)];
    return (100 * [...before].filter((id) => !after.has(id)).length) / before.size;
  },
};

function recordedKmRow(step: number, target: number): ScoreRow {
  return {
    name: `14 recorded drives, ${step} s: kilometres by places or by speeds`,
    unit: "%",
    target,
    measure: (bench) => {
      const drives = readDrives();
      if (drives === null) return null;
      let [measured, byPlaces, bySpeeds] = [0, 0, 0];
      for (const [index, { track }] of drives.entries()) {
        const random = bench.random(233, step, index);
        const sent = thinned(track, step * 1000, 1000 * random.whole(0, step - 1), random);
        const dense = track.filter(({ at }) => at >= (sent[0]?.at ?? 0) && at <= (sent.at(-1)?.at ?? 0));
        measured += bench.derive(framesOf(sent, everything)).km;
        byPlaces += kmOf(sent);
        bySpeeds += kmBySpeed(dense);
      }
      // Nobody knows which of both is true: what lies between them is right.
      const [low, high] = [Math.min(byPlaces, bySpeeds), Math.max(byPlaces, bySpeeds)];
      if (measured < low) return 100 * (measured / low - 1);
      return measured > high ? 100 * (measured / high - 1) : 0;
    },
  };
}

/** A drive, then at rest for some time with a frame every ten seconds, then heartbeats. */
function arrivalRow(restSeconds: number): ScoreRow {
  return {
    name: `at rest for ${restSeconds} s, then heartbeats of 300 s: end too late`,
    unit: "s",
    target: 15,
    isFast: true,
    measure: (bench) => {
      let worst = 0;
      for (const knows of [noIgnition, { ignition: false, speed: false }]) {
        const random = bench.random(234, restSeconds, Number(knows.speed));
        const way = layWay(random, [{ kind: "city grid", metres: 5000 }]);
        // A light just before the end would be an arrival, too.
        const stops = way.stops.filter(({ metre }) => metre < way.places.length - 200);
        const moving = driven({ ...way, stops }, { from: begin });
        const last = moving.at(-1) as Moment;
        const whole = [...moving, ...standing(last, last.at + 1000, last.at + restSeconds * 1000)];
        const seen = seenFromVehicle(whole, random);
        const { latitude, longitude } = seen.at(-1) as Moment;
        const from = last.at + restSeconds * 1000 + 300_000;
        const still = parked(
          {
            place: { latitude, longitude },
            from,
            until: from + 3_600_000,
            stepMs: 300_000,
            error: heartbeatError,
            ignition: null,
            kmh: () => 0,
          },
          random,
        );
        const { trips } = bench.derive(framesOf([...thinned(seen, 10_000), ...still], knows));
        const late = ((trips.at(-1)?.endedAt ?? begin) - last.at) / 1000;
        if (Math.abs(late) > Math.abs(worst)) worst = late;
      }
      return worst;
    },
  };
}

function strayRow(metres: number, which: "bad" | "good", target: number): ScoreRow {
  const name = which === "bad" ? "bad frames believed" : "good frames rejected";
  return {
    name: `strays of ${metres} m at 1 Hz: ${name}`,
    unit: "%",
    target,
    measure: (bench) => {
      const drives: Track[] = generatedDrives(bench.random(235), { count: 6 }).map(({ track }) => track);
      const counts = { bad: 0, good: 0, badBelieved: 0, goodRejected: 0 };
      for (const [index, track] of drives.entries()) {
        for (const frames of [1, 2, 3]) {
          const how = { metres, frames, isSpeedPlausible: index % 2 === 0, isScattered: index % 3 === 0 };
          const spoiled = withExcursions(track, bench.random(236, index, frames), how);
          for (const { frame, verdict } of bench.derive(framesOf(spoiled.track, everything)).judged) {
            const isBad = spoiled.bad.has(frame.digest);
            counts[isBad ? "bad" : "good"]++;
            if (isBad && verdict.valid) counts.badBelieved++;
            if (!isBad && !verdict.valid) counts.goodRejected++;
          }
        }
      }
      return which === "bad" ? (100 * counts.badBelieved) / counts.bad : (100 * counts.goodRejected) / counts.good;
    },
  };
}

export const driveScores: readonly ScoreRow[] = [
  ...sendings.flatMap(driveRows),
  ...(
    [
      [1, 1],
      [10, 1],
      [30, 2],
      [60, 2],
      [120, 2],
    ] as const
  ).map(([step, target]) => recordedKmRow(step, target)),
  idRow,
  ...[30, 90, 170].map(arrivalRow),
  ...[150, 300].flatMap((metres) => [strayRow(metres, "bad", 1), strayRow(metres, "good", 0.1)]),
];
