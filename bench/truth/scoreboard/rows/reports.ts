import type { AlertRule } from "../../../../src/domain/fleet.ts";
import type { Frame } from "../../../../src/domain/frame.ts";
import type { Random } from "../../../../src/simulator/random.ts";
import type { Bench } from "../../bench.ts";
import { driven, followedBy, standing } from "../../driving.ts";
import { normal, seenFromVehicle, seenWith } from "../../noise.ts";
import { layLine, layWay, type Way } from "../../roads.ts";
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
  placesOnly,
  type Track,
} from "../../track.ts";
import type { ScoreRow } from "../score.ts";

const card = "5c00112233";
const other = "5c00445566";

/** Parked with a heartbeat, ignition on, idling half a minute, twelve minutes of drive, parked again. */
function cardTrack(random: Random): { readonly track: Track; readonly onAt: number; readonly movesAt: number } {
  const way = layWay(random, [{ kind: "city grid", metres: 6000 }]);
  const movesAt = begin + 1_000_000;
  const onAt = movesAt - 30_000;
  const moving = driven(way, { from: movesAt });
  const [first, last] = [moving[0] as Moment, moving.at(-1) as Moment];
  const asleep = [0, 300_000, 600_000, 900_000].map(
    (ms): Moment => ({ ...first, at: begin + ms, kmh: 0, ignition: false }),
  );
  const idling = standing(first, onAt, movesAt, true);
  const off = standing(last, last.at + 1000, last.at + 1_200_000, false);
  const seen = seenFromVehicle([...idling, ...moving], random);
  return { track: [...asleep, ...thinned(seen, 10_000), ...thinned(off, 300_000)], onAt, movesAt };
}

interface Tap {
  readonly name: string;
  /** Which card a frame carries. */
  readonly cardOf: (at: number, onAt: number, movesAt: number) => string | null;
  readonly drivers: readonly string[];
}

const taps: readonly Tap[] = [
  {
    name: "before the ignition",
    cardOf: (at, onAt) => (at < onAt && at >= onAt - 90_000 ? card : null),
    drivers: [card],
  },
  { name: "at ignition-on", cardOf: (at, onAt) => (at === onAt ? card : null), drivers: [card] },
  {
    name: "idling",
    cardOf: (at, onAt, movesAt) => (at > onAt && at <= movesAt - 10_000 ? card : null),
    drivers: [card],
  },
  {
    name: "at the first movement",
    cardOf: (at, _, movesAt) => (at > movesAt && at <= movesAt + 10_000 ? card : null),
    drivers: [card],
  },
  {
    name: "in mid-trip",
    cardOf: (at, _, movesAt) => (at > movesAt + 200_000 && at <= movesAt + 210_000 ? card : null),
    drivers: [card],
  },
  { name: "held", cardOf: (at, onAt) => (at >= onAt ? card : null), drivers: [card] },
  {
    name: "two drivers",
    cardOf: (at, onAt, movesAt) =>
      at === onAt ? card : at > movesAt + 300_000 && at <= movesAt + 310_000 ? other : null,
    drivers: [card, other],
  },
];

const driverRow: ScoreRow = {
  name: "driver cards in seven ways: wrong drivers",
  unit: "wrong",
  target: 0,
  isFast: true,
  measure: (bench) =>
    taps.filter(({ cardOf, drivers }, index) => {
      const { track, onAt, movesAt } = cardTrack(bench.random(241, index));
      const frames = framesOf(track, everything).map((frame): Frame => {
        const driverId = cardOf(frame.recordedAt, onAt, movesAt);
        return driverId === null ? frame : { ...frame, driver_id: driverId };
      });
      const found = bench.derive(frames).trips.at(-1);
      // Rules up to 5 knew one driver of a trip.
      const all = (found as { drivers?: readonly { driverId: string }[] } | undefined)?.drivers?.map(
        ({ driverId }) => driverId,
      );
      return (all ?? [(found as { driverId?: string } | undefined)?.driverId]).join() !== drivers.join();
    }).length,
};

/** A tunnel in which the road turns; the receiver repeats its last place, with the speed at which it is driven. */
function tunnelRow(name: string, degrees: number): ScoreRow {
  return {
    name: `bent tunnel (${name}), fix frozen at 60 km/h`,
    unit: "%",
    target: 5,
    isFast: true,
    measure: (bench) => {
      const random = bench.random(242, degrees);
      const entry = layLine(random, 6000, 60, home, 3000);
      const bent = bendFrom(entry, degrees, 1400);
      const last = bent.places.at(-1) ?? home;
      const exit = layLine(random, 6000, 60, last, 3000);
      const way: Way = {
        places: [...entry.places, ...bent.places, ...exit.places.slice(1)],
        limits: [...entry.limits, ...bent.limits, ...exit.limits.slice(1)],
        stops: [],
      };
      const exact = seenFromVehicle(driven(way, { from: begin }), random);
      const [from, until] = [entry.places.length, entry.places.length + bent.places.length];
      const before = exact.findLast(({ metres }) => metres < from) as Moment;
      const { latitude, longitude } = before;
      const frozen = exact.map((one) =>
        one.metres >= from && one.metres < until ? { ...one, latitude, longitude } : one,
      );
      let worst = 0;
      for (const knows of [everything, { ignition: false, speed: true }]) {
        const sent = thinned(frozen, 10_000);
        const { km, trips } = bench.derive(framesOf(sent, knows));
        const error = trips.length === 1 ? 100 * (km / kmOf(sent) - 1) : -100;
        if (Math.abs(error) > Math.abs(worst)) worst = error;
      }
      return worst;
    },
  };
}

function bendFrom({ places }: Way, degrees: number, metres: number): Way {
  const [before, last] = [places.at(-2) ?? home, places.at(-1) ?? home];
  let heading = Math.atan2(
    (last.longitude - before.longitude) * Math.cos((last.latitude * Math.PI) / 180),
    last.latitude - before.latitude,
  );
  const bent = [last];
  for (let metre = 1; metre <= metres; metre++) {
    // It goes straight into the bend, and out of it.
    if (metre > metres / 4 && metre <= (3 * metres) / 4) heading += ((degrees / 180) * Math.PI) / (metres / 2);
    bent.push(moved(bent.at(-1) ?? home, Math.sin(heading), Math.cos(heading)));
  }
  return { places: bent.slice(1), limits: bent.slice(1).map(() => 60 / 3.6), stops: [] };
}

const dayMs = 86_400_000;

/** Two hours of drive on each of three days, a frame every five seconds. */
function odometerWeek(random: Random): Track {
  let track: Moment[] = [];
  for (let day = 0; day < 3; day++) {
    const last = track.at(-1);
    const lay = (from?: Moment) =>
      layWay(
        random,
        [
          { kind: "city grid", metres: 4000 },
          { kind: "country road", metres: 25_000 },
          { kind: "motorway", metres: 25_000 },
        ],
        from,
      );
    if (last === undefined) track = driven(lay(), { from: begin });
    else track = followedBy([...track, { ...last, at: begin + day * dayMs, ignition: false, kmh: 0 }], lay);
  }
  return seenFromVehicle(track, random);
}

type Shows = (metres: number, at: number, index: number) => number;

const startKm = 43_210.7;
const right = (metres: number) => startKm + metres / 1000;
const thousandth = (km: number) => Math.round(km * 1000) / 1000;

/** What good odometers do now and then. */
function lumpy(track: Track): Readonly<Record<string, Shows>> {
  const late = track.findIndex(({ kmh }, index) => index > track.length / 6 && (kmh ?? 0) > 60);
  // For some seconds it stands: one that falls is a bad one.
  const heldMetres = (metres: number, index: number) =>
    index >= late && index < late + 3 ? Math.max(track[late - 1]?.metres ?? 0, metres - 45) : metres;
  const byMoment = new Map(track.map(({ at, metres }) => [at, metres]));
  const updatedEvery =
    (ms: number): Shows =>
    (metres, at) =>
      thousandth(right(byMoment.get(Math.floor(at / ms) * ms) ?? metres));
  return {
    "45 m late once": (metres, _, index) => thousandth(right(heldMetres(metres, index))),
    "updated every 30 s": updatedEvery(30_000),
    "updated every 15 s": updatedEvery(15_000),
  };
}

const badOdometers: Readonly<Record<string, Shows>> = {
  "20 % high": (metres) => startKm + (metres / 1000) * 1.2,
  "15 % low": (metres) => startKm + (metres / 1000) * 0.85,
  "8 % high": (metres) => startKm + (metres / 1000) * 1.08,
  miles: (metres) => (startKm + metres / 1000) / 1.609,
  metres: (metres) => startKm * 1000 + metres,
  "tenths of a km": (metres) => startKm * 10 + metres / 100,
  "falls once by 3 km": (metres, at) => right(metres) - (at > begin + 1_500_000 ? 3 : 0),
  "jumps once by 60 km": (metres, at) => right(metres) + (at > begin + 1_500_000 ? 60 : 0),
  "jumps by 3 km every 100 frames": (metres, _, index) => right(metres) + 3 * Math.floor(index / 100),
  "0 now and then": (metres, _, index) => (index % 50 === 25 ? 0 : right(metres)),
  "another vehicle's now and then": (metres, _, index) => (index % 60 === 30 ? 99_000 : right(metres)),
  "back to 0 on each start": (metres, at) => (metres % 54_000) / 1000 + 0 * at,
};

function daysByOdometer(
  bench: Bench,
  random: Random,
  pick: (track: Track) => Readonly<Record<string, Shows>>,
  step: number,
) {
  const track = odometerWeek(random);
  return Object.values(pick(track)).map((shows) => {
    const frames = framesOf(track, everything).map((frame, index) => {
      const { metres, at } = track[index] as Moment;
      return { ...frame, odometer_km: shows(metres, at, Math.floor(index / step)) };
    });
    const sent = frames.filter((_, index) => index % step === 0);
    return bench.derive(sent).days.filter(({ distanceSource }) => distanceSource === "odometer").length;
  });
}

const odometerRows: readonly ScoreRow[] = [
  {
    name: "three days, odometers with lumps: days not by odometer, of 9",
    unit: "wrong",
    target: 0,
    isFast: true,
    measure: (bench) => 9 - daysByOdometer(bench, bench.random(243), lumpy, 1).reduce((total, days) => total + days, 0),
  },
  {
    name: "bad odometers believed, of 12",
    unit: "wrong",
    target: 0,
    isFast: true,
    measure: (bench) => {
      const random = bench.random(244);
      // What is wrong once spoils one day; what is wrong by its size spoils all.
      const once = ["falls once by 3 km", "jumps once by 60 km"];
      const names = Object.keys(badOdometers);
      const days = daysByOdometer(bench, random, () => badOdometers, 5);
      return names.filter((name, index) => (days[index] ?? 0) > (once.includes(name) ? 2 : 0)).length;
    },
  },
];

const rule: AlertRule = {
  alertType: "speeding",
  enabled: true,
  severity: null,
  parameters: { limit_kmh: 80 },
  geofenceIds: [],
};

/** So many minutes at each speed, along a line. */
function paced(stretches: readonly (readonly [minutes: number, kmh: number])[]): Moment[] {
  const track: Moment[] = [];
  let [metres, last] = [0, 0];
  for (const [minutes, kmh] of stretches) {
    for (let second = 0; second < minutes * 60; second++) {
      last += Math.max(-5, Math.min(5, kmh - last));
      metres += last / 3.6;
      track.push({ ...moved(home, metres, 0), at: begin + 1000 * track.length, kmh: last, metres, ignition: true });
    }
  }
  return track;
}

const speedings = (bench: Bench, track: Track, knows: Knows) =>
  bench.derive(framesOf(track, knows), {}, [rule]).alerts.filter(({ alertType }) => alertType === "speeding").length;

const speedingRows: readonly ScoreRow[] = [
  {
    name: "speeding at limit + 15 for 60 s, 30 s: not found, of 30",
    unit: "wrong",
    target: 2,
    isFast: true,
    measure: (bench) => {
      const track = paced([
        [5, 70],
        [1.1, 95],
        [5, 70],
      ]);
      return Array.from({ length: 30 }, (_, index) => {
        return speedings(bench, thinned(track, 30_000, 1000 * (index % 30), bench.random(245, index)), everything);
      }).filter((found) => found !== 1).length;
    },
  },
  {
    name: "speeding at limit + 15 for 60 s, 10 s, no speed: not found, of 30",
    unit: "wrong",
    target: 2,
    isFast: true,
    measure: (bench) => {
      const track = paced([
        [5, 70],
        [1, 95],
        [5, 70],
      ]);
      return Array.from({ length: 30 }, (_, index) => {
        const random = bench.random(246, index);
        const seen = seenWith(track, random, [{ sigmaMetres: 5, memoryMs: 60_000 }]);
        return speedings(bench, thinned(seen, 10_000, 1000 * (index % 10)), placesOnly);
      }).filter((found) => found !== 1).length;
    },
  },
  {
    name: "80 of 80 km/h for 6 h, speeds scatter by 4 km/h, 10 s: ghosts",
    unit: "wrong",
    target: 0,
    isFast: true,
    measure: (bench) => {
      const random = bench.random(247);
      const track = thinned(paced([[360, 80]]), 10_000);
      return speedings(
        bench,
        track.map((moment) => ({ ...moment, kmh: Math.max(0, (moment.kmh ?? 0) + 4 * normal(random)) })),
        everything,
      );
    },
  },
];

export const reportRows: readonly ScoreRow[] = [
  driverRow,
  tunnelRow("hairpin", 180),
  tunnelRow("full loop", 360),
  ...odometerRows,
  ...speedingRows,
];
