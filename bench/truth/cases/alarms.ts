import type { Frame } from "../../../src/domain/frame.ts";
import type { Random } from "../../../src/simulator/random.ts";
import type { Bench, Case } from "../bench.ts";
import { Drift, normal, seenWith } from "../noise.ts";
import type { Row, SummaryRow } from "../table.ts";
import { begin, everything, framesOf, home, type Moment, moved } from "../track.ts";

const hourMs = 3_600_000;
const frameOf = (moment: Moment, change: Partial<Frame>, digest: number): Frame => {
  return { ...(framesOf([moment], everything)[0] as Frame), digest, ...change };
};

/** A tank in percent, on the road: waves from reading to reading, slopes over a minute or two. */
interface Tank {
  readonly name: string;
  readonly waves: number;
  readonly slopes: number;
}

const tanks: readonly Tank[] = [
  { name: "waves of 2 %, slopes of 1 %", waves: 2, slopes: 1 },
  { name: "waves of 3 %, slopes of 2 %", waves: 3, slopes: 2 },
  { name: "waves of 4 %, slopes of 3 %", waves: 4, slopes: 3 },
];

/** Days of driving. The sensor has power with the ignition, and no reading stands still. One night may cost something. */
function nights(random: Random, { waves, slopes }: Tank, step: number, drained: number, count: number): Frame[] {
  const slope = new Drift(random, { sigmaMetres: slopes, memoryMs: 90_000 });
  const frames: Frame[] = [];
  let [at, metres, level] = [begin, 0, 90];
  const push = (kmh: number, ignition: boolean) => {
    const moment: Moment = { ...moved(home, metres, 0), at, kmh, metres, ignition };
    const shown = Math.min(100, Math.max(0, level + slope.next(at) + waves * normal(random)));
    const sensor = {
      kind: "fuel",
      sensor: "tank",
      level_percent: Math.round(10 * shown) / 10,
      volume_l: null,
    } as const;
    frames.push(frameOf(moment, { sensors: ignition ? [sensor] : [] }, frames.length));
  };
  for (let day = 0; day < count; day++) {
    const until = at + random.between(20, 50) * 60_000;
    for (; at < until; at += step * 1000) {
      push(50, true);
      metres += (50 / 3.6) * step;
      level -= (0.08 * 50 * step) / 3600;
    }
    push(0, false);
    at += random.between(6, 10) * hourMs;
    if (day === count - 2) level -= drained;
  }
  return frames;
}

function drains(bench: Bench): Row[] {
  return tanks.flatMap((tank) =>
    [0, 10, 15, 25].map((drained): Row => {
      const counts = [10, 30, 60].flatMap((step) =>
        [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => {
          const frames = nights(bench.random(95, seed, step, drained), tank, step, drained, 6);
          return bench.derive(frames).alerts.filter(({ alertType }) => alertType === "fuel_drain").length;
        }),
      );
      const right = counts.filter((count) => count === (drained === 0 ? 0 : 1)).length;
      const truth = drained === 0 ? "nothing drained in 5 nights" : `${drained} % drained in one of 5 nights`;
      const goal = drained === 0 ? "0 drains" : "found once";
      const isMet = right === counts.length;
      return {
        what: `fuel, sensor off at night, ${tank.name}`,
        measured: `${right} of ${counts.length} right`,
        truth,
        goal,
        isMet,
      };
    }),
  );
}

interface Ghost {
  readonly what: string;
  readonly alertType: string;
  readonly expected: number;
  readonly frames: (random: Random) => Frame[];
}

/** So many frames of a vehicle that stands, ten seconds apart. */
function standing(
  random: Random,
  count: number,
  change: (index: number) => Partial<Frame> & { readonly kmh?: number },
) {
  const error = { sigmaMetres: 20, memoryMs: 0 };
  const still = Array.from({ length: count }, (_, index): Moment => {
    return { ...home, at: begin + index * 10_000, kmh: change(index).kmh ?? 0, metres: 0, ignition: true };
  });
  return seenWith(still, random, [error]).map((moment, index) => {
    const { kmh: _, ...rest } = change(index);
    return frameOf(moment, rest, index);
  });
}

const ghosts: readonly Ghost[] = [
  {
    what: "one battery reading of 0 in 90",
    alertType: "low_battery",
    expected: 0,
    frames: (random) => standing(random, 90, (index) => ({ battery_percent: index === 40 ? 0 : 80 })),
  },
  {
    what: "a battery that runs down",
    alertType: "low_battery",
    expected: 1,
    frames: (random) => standing(random, 90, (index) => ({ battery_percent: 60 - Math.floor(index / 2) })),
  },
  {
    what: "a voltage of 0 from the first frame on",
    alertType: "low_external_voltage",
    expected: 0,
    frames: (random) => standing(random, 360, () => ({ external_voltage_v: 0 })),
  },
  {
    what: "a voltage that is cut",
    alertType: "low_external_voltage",
    expected: 1,
    frames: (random) => standing(random, 360, (index) => ({ external_voltage_v: index < 100 ? 12.6 : 0 })),
  },
  {
    what: "2 h of idling, a speed between 0 and 4, errors of 20 m",
    alertType: "idling",
    expected: 1,
    frames: (random) => standing(random, 720, () => ({ kmh: random.between(0, 4) })),
  },
  {
    what: "2 h of idling, a speed about 2, now and then 5 or 6, errors of 20 m",
    alertType: "idling",
    expected: 1,
    frames: (random) => standing(random, 720, () => ({ kmh: Math.abs(2 + 1.2 * normal(random)) })),
  },
];

function ghostRows(bench: Bench): Row[] {
  return ghosts.map(({ what, alertType, expected, frames }, kind): Row => {
    const counts = [1, 2, 3, 4, 5, 6].map(
      (seed) =>
        bench.derive(frames(bench.random(96, kind, seed))).alerts.filter((alert) => alert.alertType === alertType)
          .length,
    );
    const isMet = counts.every((count) => count === expected);
    return { what, measured: `${counts.join(", ")} alerts`, truth: `${expected}`, goal: `${expected}`, isMet };
  });
}

export const alarms: Case = {
  name: "alarms",
  run: (bench) => {
    const fuel = drains(bench);
    const others = ghostRows(bench);
    const summary = (what: string, rows: readonly Row[]): SummaryRow => {
      const right = rows.filter(({ isMet }) => isMet).length;
      return {
        what,
        now: `${right} of ${rows.length} kinds right`,
        goal: "all",
        isMet: right === rows.length,
      };
    };
    return {
      rows: [...fuel, ...others],
      summary: [
        summary("drained at night, sensor powered by the ignition", fuel),
        summary("battery, voltage and idling: one alert a real event", others),
      ],
    };
  },
};
