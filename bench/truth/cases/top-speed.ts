import type { TripFact } from "../../../src/domain/facts.ts";
import type { Random } from "../../../src/simulator/random.ts";
import type { Bench, Case } from "../bench.ts";
import { recordedDrives } from "../day.ts";
import { driven } from "../driving.ts";
import { seenWith } from "../noise.ts";
import { layLine, layWay, type Part, type Way } from "../roads.ts";
import { thinned } from "../spoil.ts";
import type { Row, SummaryRow } from "../table.ts";
import { begin, framesOf, type Moment, moved, placesOnly, type Track } from "../track.ts";

/** A tracker that sends no speed: what it drives, and how it sees that. */
interface Kind {
  readonly name: string;
  readonly way: (random: Random) => Way;
  readonly sent: (track: Track, random: Random) => readonly Moment[];
  /** How far above and below the truth the highest speed may be, in km/h and as a share. */
  readonly above: readonly [kmh: number, share: number];
  readonly below: readonly [kmh: number, share: number];
}

const parts =
  (...own: readonly Part[]) =>
  (random: Random) =>
    layWay(random, own);
const town = parts({ kind: "city grid", metres: 8000 });
const mixed = parts({ kind: "city grid", metres: 3000 }, { kind: "country road", metres: 12_000 });
const motorway = parts({ kind: "motorway", metres: 40_000 });
const paced = (kmh: number, metres: number) => (random: Random) => layLine(random, metres, kmh);

const phone = (seconds: number, sigmaMetres: number, memoryMs: number) => (track: Track, random: Random) =>
  thinned(seenWith(track, random, [{ sigmaMetres, memoryMs }]), seconds * 1000);

const gpx = (seconds: number) => phone(seconds, 4, 60_000);

/** A frame every 5 to 60 s. Now and then the receiver stays behind for up to a minute, and catches up in one leap. */
function taxi(track: Track, random: Random): Moment[] {
  const seen = seenWith(track, random, [{ sigmaMetres: 8, memoryMs: 60_000 }]);
  const sent: Moment[] = [];
  let next = begin;
  let frozen: Moment | null = null;
  let frozenUntil = 0;
  for (const moment of seen) {
    if (moment.at < next) continue;
    next = moment.at + 1000 * random.whole(5, random.pick([12, 60]));
    if (frozen === null && random.chance(0.03)) {
      frozen = moment;
      frozenUntil = moment.at + 1000 * random.whole(20, 60);
    }
    if (moment.at >= frozenUntil) frozen = null;
    sent.push(frozen === null ? moment : { ...frozen, at: moment.at, metres: moment.metres });
  }
  return sent;
}

/** The receiver is 50 m off from one second to the next, and right again after some. */
function leaping(track: Track, random: Random): Moment[] {
  let off = 0;
  return seenWith(track, random, [{ sigmaMetres: 3, memoryMs: 60_000 }]).map((moment) => {
    if (random.chance(0.02)) off = off === 0 ? 50 : 0;
    return moved(moment, off, 0);
  });
}

const fast = { above: [8, 0.1], below: [10, 0.2] } as const;
const noisy = { above: [15, 0.15], below: [10, 0.25] } as const;
/** Between frames so far apart a burst of speed is not seen. */
const sparse = { above: [10, 0.1], below: [10, 0.4] } as const;

const kinds: readonly Kind[] = [
  { name: "phone in a car, 1 s, σ 5 m", way: mixed, sent: phone(1, 5, 0), ...fast },
  { name: "phone in a car, 5 s, σ 5 m", way: mixed, sent: phone(5, 5, 0), ...fast },
  { name: "phone in a car, 2 s, σ 15 m", way: mixed, sent: phone(2, 15, 0), ...noisy },
  { name: "phone in a car, 1 s, σ 15 m drifting", way: mixed, sent: phone(1, 15, 20_000), ...noisy },
  { name: "phone on foot, 1 s, σ 5 m", way: paced(5, 4000), sent: phone(1, 5, 0), ...fast },
  { name: "phone on foot, 3 s, σ 15 m", way: paced(5, 4000), sent: phone(3, 15, 0), ...noisy },
  { name: "phone on a bicycle, 5 s, σ 8 m", way: paced(20, 10_000), sent: phone(5, 8, 0), ...fast },
  { name: "GPX of a country drive, 1 s", way: mixed, sent: gpx(1), ...fast },
  { name: "GPX of a country drive, 10 s", way: mixed, sent: gpx(10), ...fast },
  { name: "GPX of a motorway, 10 s", way: motorway, sent: gpx(10), ...fast },
  { name: "GPX of a motorway, 30 s", way: motorway, sent: gpx(30), ...fast },
  { name: "GPX of a motorway, 120 s", way: motorway, sent: gpx(120), ...sparse },
  { name: "leaps of 50 m at 1 s", way: mixed, sent: leaping, ...fast },
  { name: "taxi, 5 to 60 s, catches up", way: town, sent: taxi, ...sparse },
  { name: "taxi on a motorway, 5 to 60 s, catches up", way: motorway, sent: taxi, ...sparse },
];

interface Found {
  readonly trip: TripFact;
  readonly truthKmh: number;
}

function tripsOf(bench: Bench, sent: Track, track: Track): Found[] {
  const found = bench.derive(framesOf(sent, placesOnly)).trips;
  return found.map((trip) => {
    const during = track.filter(({ at }) => at >= trip.startedAt && at <= (trip.endedAt ?? Number.POSITIVE_INFINITY));
    return { trip, truthKmh: during.reduce((most, { kmh }) => Math.max(most, kmh ?? 0), 0) };
  });
}

const averageKmh = ({ distanceMm, durationMs }: TripFact) => (distanceMm / durationMs) * 3.6;
const asked = "never null, below the average or above 250";

function rowOf(name: string, found: readonly Found[], { above, below }: Pick<Kind, "above" | "below">): Row {
  const none = found.filter(({ trip }) => trip.maxSpeedKmh === null).length;
  const compared = found.map(({ trip, truthKmh }) => ({ kmh: trip.maxSpeedKmh ?? 0, trip, truthKmh }));
  const slow = compared.filter(({ kmh, trip }) => kmh < averageKmh(trip)).length;
  const mad = compared.filter(({ kmh }) => kmh > 250).length;
  const errors = compared.map(({ kmh, truthKmh }) => kmh - truthKmh).toSorted((one, other) => one - other);
  const isNear = compared.every(
    ({ kmh, truthKmh }) =>
      kmh <= truthKmh + Math.max(above[0], above[1] * truthKmh) &&
      kmh >= truthKmh - Math.max(below[0], below[1] * truthKmh),
  );
  const truths = compared.map(({ truthKmh }) => truthKmh);
  const text = (value: number | undefined) => (value ?? 0).toFixed(0).replace("-", "−");
  return {
    what: name,
    measured: `${found.length} trips: ${none} null, ${slow} below average, ${mad} above 250; off by ${text(errors[0])} to ${text(errors.at(-1))}, median ${text(errors[errors.length >> 1])} km/h`,
    truth: `${text(Math.min(...truths))} to ${text(Math.max(...truths))} km/h`,
    goal: `${asked}; +${above[0]} km/h or ${100 * above[1]} %, −${below[0]} km/h or ${100 * below[1]} %`,
    isMet: none + slow + mad === 0 && found.length > 0 && isNear,
  };
}

const drivesOfEach = 12;

export const topSpeed: Case = {
  name: "top speed",
  run: (bench) => {
    const rows: Row[] = kinds.map(({ name, way, sent, ...bounds }, kind) => {
      const found: Found[] = [];
      for (let drive = 0; drive < drivesOfEach; drive++) {
        const random = bench.random(120, kind, drive);
        const track = driven(way(random), { from: begin });
        found.push(...tripsOf(bench, sent(track, random), track));
      }
      return rowOf(name, found, bounds);
    });
    const drives = recordedDrives() ?? [];
    for (const seconds of drives.length === 0 ? [] : [1, 10, 30]) {
      const found = drives.flatMap(({ track }) => tripsOf(bench, thinned(track, seconds * 1000), track));
      rows.push(rowOf(`recorded drives without their speed, ${seconds} s`, found, seconds < 30 ? fast : sparse));
    }
    const met = rows.filter(({ isMet }) => isMet).length;
    const summary: SummaryRow = {
      what: "max_speed_kmh, no speed sent",
      now: `${met} of ${rows.length} kinds right`,
      goal: `${asked}, near the truth`,
      isMet: met === rows.length,
    };
    return { rows, summary: [summary] };
  },
};
