import type { Random } from "../../../src/simulator/random.ts";
import type { Bench, Case } from "../bench.ts";
import { driven, followedBy, standing } from "../driving.ts";
import { type ReceiverError, seenFromVehicle, seenWith } from "../noise.ts";
import { layLine, layWay } from "../roads.ts";
import { thinned } from "../spoil.ts";
import { percent, type Row, type SummaryRow } from "../table.ts";
import { begin, everything, framesOf, type Knows, kmOf, type Moment, noIgnition, type Track } from "../track.ts";

/** Each kind is tried with so many roads and errors. */
const tries = 4;

const town = (random: Random): Track =>
  driven(
    layWay(random, [
      { kind: "city grid", metres: 8000 },
      { kind: "country road", metres: 4000 },
      { kind: "bus route", metres: 4000 },
    ]),
    { from: begin },
  );

interface Try {
  readonly extraKm: number;
  readonly truthKm: number;
  readonly trips: number;
}

interface Kind {
  readonly group: string;
  readonly what: string;
  readonly goal: string;
  readonly one: (random: Random) => {
    readonly track: Track;
    readonly knows: Knows;
    /** Its kilometres are compared with those without this time, since those of a sparse tracker err anyway. */
    readonly stand?: readonly [number, number];
  };
  readonly isMet: (found: Try) => boolean;
}

function found(bench: Bench, { track, knows, stand }: ReturnType<Kind["one"]>): Try {
  const { km, trips } = bench.derive(framesOf(track, knows));
  const without = stand && track.filter(({ at }) => at < stand[0] || at > stand[1]);
  const truthKm = without ? bench.derive(framesOf(without, knows)).km : kmOf(track);
  return { extraKm: km - truthKm, truthKm, trips: trips.length };
}

const within = (share: number) => (one: Try) => Math.abs(one.extraKm) <= share * one.truthKm;

/** High houses throw the position off by so much on average; the speed is measured otherwise and stays right. */
function cityNoise(metres: number, step: number, share: number): Kind {
  const error: ReceiverError = { sigmaMetres: metres / Math.sqrt(Math.PI / 2), memoryMs: 40_000 };
  return {
    group: `errors of ${metres} m (τ 40 s) at 5 and 10 s, right speeds`,
    what: `errors of ${metres} m, ${step} s`,
    goal: `±${100 * share} %`,
    one: (random) => ({ track: seenWith(thinned(town(random), step * 1000), random, [error]), knows: everything }),
    isMet: within(share),
  };
}

/** Twenty-five minutes under ground in the middle of a drive. */
function garage(step: number, speed: "0" | "none", ignition: boolean | null, mostKm: number): Kind {
  const error: ReceiverError = { sigmaMetres: 60, memoryMs: 40_000 };
  return {
    group: `garage of 25 min, σ 60 m, ${speed === "0" ? "speed 0" : "no speed"}`,
    what: `garage of 25 min, σ 60 m, ${step} s, speed ${speed}, ignition ${ignition === null ? "unknown" : "on"}`,
    goal: `≤ ${mostKm} km more`,
    one: (random) => {
      const before = seenFromVehicle(
        driven(layWay(random, [{ kind: "city grid", metres: 5000 }]), { from: begin }),
        random,
      );
      const last = before.at(-1) as Moment;
      const inside = seenWith(standing(last, last.at + 1000, last.at + 1_500_000), random, [error]);
      const after = followedBy([...before, { ...last, at: last.at + 1_500_000 }], (from) =>
        layWay(random, [{ kind: "city grid", metres: 4000 }], from),
      ).slice(before.length);
      const track = thinned([...before, ...inside, ...seenFromVehicle(after, random)], step * 1000);
      const stand = [last.at + 1000, last.at + 1_490_000] as const;
      return { track, knows: { ignition: ignition !== null, speed: speed === "0" }, stand };
    },
    isMet: ({ extraKm }) => extraKm <= mostKm && extraKm >= -0.3,
  };
}

/** The receiver repeats its last fix, with its speed, for so long. */
function frozen(track: Track, from: number, until: number): Track {
  const last = track.findLast(({ at }) => at <= from) as Moment;
  const { latitude, longitude } = last;
  return track.map((moment) => (moment.at > from && moment.at < until ? { ...moment, latitude, longitude } : moment));
}

const tunnelKmh = 80;

function frozenTunnel(seconds: number, step: number, knows: Knows): Kind {
  // The place that is repeated is up to a step newer than the last one sent: so far the speeds count twice.
  const share = step < 60 ? 0.02 : 0.04;
  return {
    group: `fix frozen at ${tunnelKmh} km/h for ${seconds} s`,
    what: `fix frozen for ${seconds} s, ${step} s, ${knows.ignition ? "ignition on" : "ignition unknown"}`,
    goal: `one trip, ±${100 * share} %`,
    one: (random) => {
      const way = layLine(random, 30_000, tunnelKmh, undefined, 3000);
      const seen = seenFromVehicle(driven(way, { from: begin }), random);
      const from = begin + 1000 * random.whole(400, 500);
      return { track: thinned(frozen(seen, from, from + seconds * 1000), step * 1000), knows };
    },
    isMet: (one) => one.trips === 1 && within(share)(one),
  };
}

/** A tracker that repeats its last frame of the drive, speed and all, until the next drive from there. */
function staleSpeed(step: number, kmh: number, knows: Knows): Kind {
  const mostKm = 0.15;
  return {
    group: "stand of 3 h with the last place and speed repeated",
    what: `3 h of a stale ${kmh} km/h, ${step} s, ${knows.ignition ? "ignition on" : "ignition unknown"}`,
    goal: `two trips, ≤ ${mostKm} km more`,
    one: (random) => {
      const lay = () => layWay(random, [{ kind: "city grid", metres: 5000 }]);
      const before = seenFromVehicle(driven(lay(), { from: begin }), random);
      const last = before.at(-1) as Moment;
      const stale = standing(last, last.at + 1000, last.at + 10_800_000).map((moment) => ({ ...moment, kmh }));
      const after = followedBy([{ ...last, at: last.at + 10_800_000 }], (from) =>
        layWay(random, [{ kind: "city grid", metres: 4000 }], from),
      );
      const track = thinned([...before, ...stale, ...seenFromVehicle(after.slice(1), random)], step * 1000);
      return { track, knows, stand: [last.at + 1000, last.at + 10_790_000] };
    },
    isMet: ({ extraKm, trips }) => trips === 2 && Math.abs(extraKm) <= mostKm,
  };
}

const kinds: readonly Kind[] = [
  ...[50, 100, 200].map((sigma) => cityNoise(sigma, 10, sigma === 200 ? 0.1 : 0.05)),
  ...[50, 100].map((sigma) => cityNoise(sigma, 5, 0.05)),
  ...[1, 10, 30].flatMap((step) =>
    [true, null].flatMap((ignition) => [garage(step, "0", ignition, 0.2), garage(step, "none", ignition, 1)]),
  ),
  ...[225, 400].flatMap((seconds) =>
    [1, 5, 10, 30, 60].flatMap((step) => [everything, noIgnition].map((knows) => frozenTunnel(seconds, step, knows))),
  ),
  ...[80, 25].flatMap((kmh) =>
    [1, 10].flatMap((step) => [everything, noIgnition].map((knows) => staleSpeed(step, kmh, knows))),
  ),
];

export const reception: Case = {
  name: "reception",
  run: (bench) => {
    const all = kinds.map((kind, number) => {
      const each = Array.from({ length: tries }, (_, index) => {
        return found(bench, kind.one(bench.random(90, number, index)));
      });
      return { kind, each, isMet: each.every(kind.isMet) };
    });
    const rows = all.map(({ kind, each, isMet }): Row => {
      const one = ({ extraKm, truthKm, trips }: Try) =>
        `${extraKm.toFixed(2)} km (${percent(extraKm / truthKm)}, ${trips} trips)`;
      const truth = `${each[0]?.truthKm.toFixed(1)} km and alike`;
      return { what: kind.what, measured: each.map(one).join("; "), truth, goal: kind.goal, isMet };
    });
    const summary = [...Map.groupBy(all, ({ kind }) => kind.group)].map(([what, own]): SummaryRow => {
      const extras = own.flatMap(({ each }) => each);
      const least = extras.toSorted((one, other) => one.extraKm - other.extraKm);
      const [low, high] = [least[0] as Try, least.at(-1) as Try];
      const text = (one: Try) => `${one.extraKm.toFixed(2)} km (${percent(one.extraKm / one.truthKm)})`;
      const met = own.filter(({ isMet }) => isMet).length;
      return {
        what,
        now: `${text(low)} to ${text(high)}, ${met} of ${own.length} kinds right`,
        goal: own[0]?.kind.goal ?? "",
        isMet: met === own.length,
      };
    });
    return { rows, summary };
  },
};
