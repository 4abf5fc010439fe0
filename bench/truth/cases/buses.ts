import type { Random } from "../../../src/simulator/random.ts";
import type { Bench, Case } from "../bench.ts";
import { driven, standing } from "../driving.ts";
import { seenFromVehicle } from "../noise.ts";
import { layWay } from "../roads.ts";
import { type Row, type SummaryRow, share } from "../table.ts";
import { begin, framesOf, home, type Knows, type Moment, noIgnition, placesOnly, type Track } from "../track.ts";

const minuteMs = 60_000;
const lines = 8;
const busCount = 6;

/** Eight runs of a bus, with minutes at each terminus, and no ignition. */
function busDay(random: Random): Track {
  const day: Moment[] = [];
  let [at, place, metres] = [begin, home, 0];
  for (let line = 0; line < lines; line++) {
    const run = driven(layWay(random, [{ kind: "bus route", metres: random.between(7000, 12_000) }], place), {
      from: at,
      ignition: null,
    }).map((moment) => ({ ...moment, metres: metres + moment.metres }));
    const last = run.at(-1) as Moment;
    const leavesAt = last.at + minuteMs * random.whole(2, 15);
    day.push(...run, ...standing(last, last.at + 1000, leavesAt));
    [at, place, metres] = [leavesAt, { latitude: last.latitude, longitude: last.longitude }, last.metres];
  }
  return seenFromVehicle(day, random);
}

/** A frame every 26 to 120 s, as real buses send; some are lost, or all for some minutes. */
function sentOf(day: Track, random: Random, { lost, silentMinutes }: Losses): Moment[] {
  const sent: Moment[] = [];
  let next = 0;
  for (const moment of day) {
    if (moment.at < next) continue;
    next = moment.at + 1000 * random.whole(26, 120);
    if (random.chance(lost)) continue;
    sent.push(moment);
    if (silentMinutes !== null && random.chance(0.04)) next += minuteMs * random.between(...silentMinutes);
  }
  return sent;
}

interface Losses {
  readonly lost: number;
  readonly silentMinutes: readonly [number, number] | null;
}

const losses: readonly (readonly [string, Losses])[] = [
  ["as sent", { lost: 0, silentMinutes: null }],
  ["half of the frames lost", { lost: 0.5, silentMinutes: null }],
  ["silent for 5 to 20 min now and then", { lost: 0, silentMinutes: [5, 20] }],
  ["silent for 10 to 50 min now and then", { lost: 0, silentMinutes: [10, 50] }],
];
const knowing: readonly (readonly [string, Knows])[] = [
  ["speed", noIgnition],
  ["no speed", placesOnly],
];

export const buses: Case = {
  name: "buses",
  run: (bench: Bench) => {
    const days = Array.from({ length: busCount }, (_, bus) => busDay(bench.random(210, bus)));
    const rows = losses.flatMap(([what, how]) =>
      knowing.map(([name, knows]): Row & { readonly part: number } => {
        let [km, tripKm, trips] = [0, 0, 0];
        for (const [bus, day] of days.entries()) {
          const derived = bench.derive(framesOf(sentOf(day, bench.random(211, bus), how), knows));
          km += derived.km;
          tripKm += derived.tripKm;
          trips += derived.trips.length;
        }
        const part = share(tripKm, km);
        return {
          what: `buses, 26 to 120 s, ${what}, ${name}`,
          measured: `trips hold ${(100 * part).toFixed(1)} % of ${km.toFixed(0)} km counted, ${trips} trips`,
          truth: `${busCount * lines} runs`,
          goal: "≥ 97 % of the distance counted",
          isMet: part >= 0.97,
          part,
        };
      }),
    );
    const summary: SummaryRow = {
      what: "generated buses: distance in trips",
      now: `${(100 * Math.min(...rows.map(({ part }) => part))).toFixed(1)} % and more`,
      goal: "≥ 97 %",
      isMet: rows.every(({ isMet }) => isMet),
    };
    return { rows, summary: [summary] };
  },
};
