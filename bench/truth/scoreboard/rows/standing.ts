import type { Random } from "../../../../src/simulator/random.ts";
import type { Bench } from "../../bench.ts";
import { driven, followedBy, standing } from "../../driving.ts";
import { normal, seenFromVehicle, seenWith } from "../../noise.ts";
import { heartbeatError, parked } from "../../parking.ts";
import { layLine, layWay } from "../../roads.ts";
import { thinned } from "../../spoil.ts";
import { begin, everything, framesOf, home, kmOf, type Moment, moved, type Track } from "../../track.ts";
import type { ScoreRow } from "../score.ts";

const dayMs = 86_400_000;
const days = 9;
const beatMs = 300_000;

const tows = (bench: Bench, track: Track) =>
  bench.derive(framesOf(track, everything)).alerts.filter(({ alertType }) => alertType === "towing");

/** A parked day whose frames are off in bursts of one to three, together or each by itself. */
function burstDay(random: Random, metres: number, ignition: boolean | null): Track {
  const still = parked(
    { place: home, from: begin, until: begin + dayMs, stepMs: beatMs, error: heartbeatError, ignition, kmh: () => 0 },
    random,
  );
  const spoiled = [...still];
  for (let index = random.whole(5, 25); index + 3 < still.length; index += random.whole(15, 40)) {
    const isTogether = random.chance(0.5);
    let [east, north] = [metres * normal(random), metres * normal(random)];
    for (let frame = index + random.whole(1, 3) - 1; frame >= index; frame--) {
      spoiled[frame] = moved(still[frame] as Moment, east, north);
      if (!isTogether) [east, north] = [metres * normal(random), metres * normal(random)];
    }
  }
  return spoiled;
}

const burstDays = (bench: Bench, metres: number, ignition: boolean | null) =>
  Array.from({ length: days }, (_, day) => burstDay(bench.random(211, metres, day), metres, ignition));

function burstRows(metres: number): ScoreRow[] {
  const name = `parked, heartbeats of 300 s, bursts of ${metres} m, nine days`;
  const km = (bench: Bench, ignition: boolean | null) =>
    burstDays(bench, metres, ignition).reduce(
      (total, track) => total + bench.derive(framesOf(track, everything)).km,
      0,
    ) / days;
  return [
    {
      name: `${name}, ignition off: tows`,
      unit: "wrong",
      target: 0,
      isFast: true,
      measure: (bench) =>
        burstDays(bench, metres, false).reduce((total, track) => total + tows(bench, track).length, 0),
    },
    {
      name: `${name}, ignition off: km a day`,
      unit: "km",
      target: 0.1,
      isFast: true,
      measure: (bench) => km(bench, false),
    },
    {
      name: `${name}, ignition unknown: km a day`,
      unit: "km",
      target: 0.1,
      isFast: true,
      measure: (bench) => km(bench, null),
    },
  ];
}

const driftRow: ScoreRow = {
  name: "parked, heartbeats of 300 s, drift of 40 m, ignition unknown: km a day",
  unit: "km",
  target: 0.1,
  isFast: true,
  measure: (bench) => {
    let km = 0;
    for (let day = 0; day < days; day++) {
      const random = bench.random(212, day);
      const error = { sigmaMetres: 40, memoryMs: 600_000 };
      const track = parked(
        { place: home, from: begin, until: begin + dayMs, stepMs: beatMs, error, ignition: null, kmh: () => 0 },
        random,
      );
      km += bench.derive(framesOf(track, everything)).km;
    }
    return km / days;
  },
};

interface Tow {
  readonly km: number;
  readonly stepMs: number;
  readonly framesOnWay: number;
}

/** Asleep, with some frames on the way, and with heartbeats while it is towed at 40 km/h. */
const realTows: readonly Tow[] = [
  ...[300, 900, 3600, 21_600].map((step) => ({ km: 15, stepMs: step * 1000, framesOnWay: 0 })),
  ...[900, 3600, 21_600].map((step) => ({ km: 40, stepMs: step * 1000, framesOnWay: 0 })),
  ...[0.5, 1, 3].map((km) => ({ km, stepMs: 300_000, framesOnWay: 0 })),
  ...[0.6, 2].map((km) => ({ km, stepMs: 60_000, framesOnWay: 1 })),
  ...[5, 10, 20, 40].map((km) => ({ km, stepMs: 300_000, framesOnWay: Math.ceil((km / 40) * 12) })),
  { km: 15, stepMs: 600_000, framesOnWay: 1 },
  { km: 40, stepMs: 900_000, framesOnWay: 2 },
  { km: 40, stepMs: 1_800_000, framesOnWay: 1 },
];

/** It must be known by the second frame of the new place. */
function isTowFound(bench: Bench, tow: Tow, random: Random): boolean {
  const { km, stepMs, framesOnWay } = tow;
  const how = { error: heartbeatError, ignition: false, kmh: () => 0, stepMs };
  const first = parked({ ...how, place: home, from: begin, until: begin + 6 * stepMs }, random);
  const last = first.at(-1) as Moment;
  const legs = framesOnWay + 1;
  const way = Array.from({ length: framesOnWay }, (_, index): Moment => {
    const at = last.at + (index + 1) * stepMs;
    return { ...moved(last, (1000 * km * (index + 1)) / legs, 0), at };
  });
  const from = last.at + legs * stepMs;
  const there = parked({ ...how, place: moved(home, 1000 * km, 0), from, until: from + 5 * stepMs }, random);
  const found = tows(bench, [...first, ...way, ...there]);
  return found.length === 1 && (found[0]?.receivedAt ?? 0) <= from + stepMs;
}

const towRow: ScoreRow = {
  name: "real tows, 500 m to 40 km, of 19",
  unit: "wrong",
  target: 0,
  isFast: true,
  measure: (bench) => realTows.filter((tow, index) => !isTowFound(bench, tow, bench.random(213, index))).length,
};

/** Parked with the ignition off, two frames 230 m off, then back. */
const backRow: ScoreRow = {
  name: "two frames 230 m off and back, ignition off: tows",
  unit: "wrong",
  target: 0,
  isFast: true,
  measure: (bench) => {
    const random = bench.random(214);
    const still = parked(
      {
        place: home,
        from: begin,
        until: begin + dayMs / 4,
        stepMs: beatMs,
        error: heartbeatError,
        ignition: false,
        kmh: () => 0,
      },
      random,
    );
    return tows(
      bench,
      still.map((moment, index) => (index === 20 || index === 21 ? moved(moment, 230, 0) : moment)),
    ).length;
  },
};

/** A garage at the end of a drive: 25 minutes of wavering positions, then nothing for the night. */
function garageRows(): ScoreRow[] {
  const measured = (bench: Bench) =>
    [1, 10, 30].map((step) => {
      const random = bench.random(215, step);
      const before = seenFromVehicle(
        driven(layWay(random, [{ kind: "city grid", metres: 5000 }]), { from: begin }),
        random,
      );
      const last = before.at(-1) as Moment;
      const inside = seenWith(standing(last, last.at + 1000, last.at + 1_500_000), random, [
        { sigmaMetres: 60, memoryMs: 40_000 },
      ]);
      const track = thinned([...before, ...inside], step * 1000);
      const { km, trips } = bench.derive(framesOf(track, { ignition: false, speed: false }));
      const own = thinned(before, step * 1000);
      const lateS = Math.max(...trips.map(({ startedAt, durationMs }) => startedAt + durationMs)) - last.at;
      return { km: Math.abs(km - kmOf(own)), lateS: Math.max(0, lateS / 1000) };
    });
  return [
    {
      name: "garage at the end, no speed: km too many",
      unit: "km",
      target: 0.5,
      measure: (bench) => Math.max(...measured(bench).map(({ km }) => km)),
    },
    {
      name: "garage at the end, no speed: end too late",
      unit: "s",
      target: 180,
      measure: (bench) => Math.max(...measured(bench).map(({ lateS }) => lateS)),
    },
  ];
}

/** Some kilometres of its own before and after being carried for 60. */
function ferryRow(isSilent: boolean): ScoreRow {
  return {
    name: `ferry of 60 km, ${isSilent ? "silent" : "reporting"}, ignition off: day`,
    unit: "km",
    target: 1,
    isFast: true,
    measure: (bench) => {
      const random = bench.random(216);
      const way = (from?: Moment) => layWay(random, [{ kind: "country road", metres: 25_000 }], from);
      const first = driven(way(), { from: begin });
      const wait = (track: Track): Moment[] => {
        const last = track.at(-1) as Moment;
        return [...track, ...standing(last, last.at + 1000, last.at + 900_000, false)];
      };
      const boarded = wait(first);
      const carried = followedBy(boarded, (from) => layLine(random, 60_000, 35, from, 3000), { ignition: false });
      const onBoard = carried.map((moment, index) => (index >= boarded.length ? { ...moment, kmh: 35 } : moment));
      const landed = wait(onBoard);
      const whole = followedBy(landed, way);
      const [from, until] = [(boarded.at(-1) as Moment).at, (carried.at(-1) as Moment).at];
      const carriedKm = (((carried.at(-1) as Moment).metres ?? 0) - (boarded.at(-1) as Moment).metres) / 1000;
      const heard = isSilent ? whole.filter(({ at }) => at <= from || at >= until) : whole;
      return bench.derive(framesOf(thinned(heard, 10_000), everything)).km - (kmOf(whole) - carriedKm);
    },
  };
}

export const standingRows: readonly ScoreRow[] = [
  ...burstRows(90),
  ...burstRows(150),
  driftRow,
  towRow,
  backRow,
  ...garageRows(),
  ferryRow(false),
  ferryRow(true),
];
