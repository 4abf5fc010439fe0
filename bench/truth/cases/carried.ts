import type { Bench, Case } from "../bench.ts";
import { driven, followedBy, standing } from "../driving.ts";
import { seenFromVehicle } from "../noise.ts";
import { layLine, layWay } from "../roads.ts";
import { thinned } from "../spoil.ts";
import type { Row } from "../table.ts";
import { begin, framesOf, type Knows, type Moment, type Track } from "../track.ts";

/** A vehicle that is carried: by a ship, or by a train. */
interface Carrier {
  readonly name: string;
  readonly kmh: number;
  readonly minutes: number;
}

const carriers: readonly Carrier[] = [
  { name: "ferry at 30 km/h", kmh: 30, minutes: 60 },
  { name: "car train at 100 km/h", kmh: 100, minutes: 45 },
];

const knowing: readonly (readonly [string, Knows])[] = [
  ["ignition and speed", { ignition: true, speed: true }],
  ["ignition off, no speed", { ignition: true, speed: false }],
  ["speed only", { ignition: false, speed: true }],
];

/** Ten kilometres on its own wheels, ten minutes' wait, the carrier, ten minutes' wait, ten kilometres. */
function journey(bench: Bench, { kmh, minutes }: Carrier): { readonly track: Track; readonly carriedKm: number } {
  const random = bench.random(60, kmh);
  const waitMs = 600_000;
  const roads = (from?: Moment) => layWay(random, [{ kind: "country road", metres: 10_000 }], from);
  const first = driven(roads(), { from: begin });
  const waiting = (before: Track): Moment[] => {
    const last = before.at(-1) as Moment;
    return [...before, ...standing(last, last.at + 1000, last.at + waitMs, false)];
  };
  const metres = (kmh / 60) * minutes * 1000;
  const boarded = waiting(first);
  const carried = followedBy(boarded, (from) => layLine(random, metres, kmh, from, 3000), { ignition: false });
  const landed = waiting(carried);
  const whole = followedBy(landed, roads);
  const carriedKm = ((carried.at(-1)?.metres ?? 0) - (boarded.at(-1)?.metres ?? 0)) / 1000;
  return { track: seenFromVehicle(whole, random), carriedKm };
}

export const carried: Case = {
  name: "carried",
  run: (bench) => {
    const rows: Row[] = [];
    for (const carrier of carriers) {
      const { track, carriedKm } = journey(bench, carrier);
      const ownKm = (track.at(-1)?.metres ?? 0) / 1000 - carriedKm;
      for (const [name, knows] of knowing) {
        for (const step of [10, 60]) {
          const { trips, km, judged } = bench.derive(framesOf(thinned(track, step * 1000), knows));
          const rejected = judged.filter(({ verdict }) => !verdict.valid).length;
          const jumps = judged.filter(({ verdict }) => verdict.discontinuity).length;
          const each = trips.map(({ distanceMm }) => (distanceMm / 1e6).toFixed(1)).join(" + ");
          rows.push({
            what: `${carrier.name}, engine off, ${step} s, ${name}`,
            measured: `${trips.length} trips (${each} km), ${km.toFixed(1)} km, ${rejected} frames rejected, ${jumps} discontinuities`,
            truth: `${ownKm.toFixed(1)} km driven, ${carriedKm.toFixed(1)} km carried`,
            goal: "every frame believed",
            isMet: rejected === 0 && jumps === 0,
          });
        }
      }
    }
    const summary = {
      what: "ferry and car train",
      now: `${rows.filter(({ isMet }) => isMet).length} of ${rows.length} believed throughout`,
      goal: "every frame believed",
      isMet: rows.every(({ isMet }) => isMet),
    };
    return { rows, summary: [summary] };
  },
};
