import type { AlertRule } from "../../../src/domain/fleet.ts";
import type { Bench, Case } from "../bench.ts";
import { normal, seenWith } from "../noise.ts";
import { thinned } from "../spoil.ts";
import type { Row, SummaryRow } from "../table.ts";
import { begin, everything, framesOf, home, type Knows, type Moment, moved, placesOnly, type Track } from "../track.ts";

const limitKmh = 80;
const rule: AlertRule = {
  alertType: "speeding",
  enabled: true,
  severity: null,
  parameters: { limit_kmh: limitKmh },
  geofenceIds: [],
};

/** A moment a second along a line, as fast as given for each of these minutes. */
function paced(stretches: readonly (readonly [minutes: number, kmh: number])[]): Moment[] {
  const track: Moment[] = [];
  let metres = 0;
  let last = 0;
  for (const [minutes, kmh] of stretches) {
    for (let second = 0; second < minutes * 60; second++) {
      // It gets to its speed as a car does.
      last += Math.max(-5, Math.min(5, kmh - last));
      metres += last / 3.6;
      const at = begin + 1000 * track.length;
      track.push({ ...moved(home, metres, 0), at, kmh: last, metres, ignition: true });
    }
  }
  return track;
}

const count = (bench: Bench, sent: Track, knows: Knows) =>
  bench.derive(framesOf(sent, knows), {}, [rule]).alerts.filter(({ alertType }) => alertType === "speeding").length;

interface Counted {
  readonly what: string;
  readonly wanted: number;
  readonly episodes: readonly number[];
}

function rowOf({ what, wanted, episodes }: Counted): Row {
  const right = episodes.filter((found) => found === wanted).length;
  return {
    what,
    measured: `${right} of ${episodes.length} right, ${Math.max(...episodes)} at most`,
    truth: wanted === 0 ? "none" : "one",
    goal: wanted === 0 ? "none" : "one episode",
    isMet: right === episodes.length,
  };
}

const tries = 8;

/** Speeds that scatter by 4 km/h, each by itself. */
function scattering(bench: Bench): Counted[] {
  return [1, 10, 30].flatMap((seconds) =>
    [78, 80, 86, 90].map((kmh) => {
      const wanted = kmh > limitKmh ? 1 : 0;
      const track = thinned(
        paced([
          [5, 60],
          [wanted === 0 ? 180 : 30, kmh],
          [5, 60],
        ]),
        seconds * 1000,
      );
      const episodes = Array.from({ length: tries }, (_, attempt) => {
        const random = bench.random(130, seconds, kmh, attempt);
        return count(
          bench,
          track.map((moment) => ({ ...moment, kmh: Math.max(0, (moment.kmh ?? 0) + 4 * normal(random)) })),
          everything,
        );
      });
      return { what: `${kmh} km/h, speeds scatter by 4 km/h, ${seconds} s`, wanted, episodes };
    }),
  );
}

/** Two speeds of 130 in a row that nothing else supports. */
function outliers(bench: Bench): Counted[] {
  return [10, 30].flatMap((seconds) =>
    [50, 60, 70, 78].map((kmh) => {
      const track = thinned(paced([[60, kmh]]), seconds * 1000);
      const episodes = Array.from({ length: tries }, (_, attempt) => {
        const at = bench.random(131, seconds, kmh, attempt).whole(20, track.length - 20);
        const sent = track.map((moment, index) =>
          index === at || index === at + 1 ? { ...moment, kmh: 130 } : moment,
        );
        return count(bench, sent, everything);
      });
      return { what: `two speeds of 130 at ${kmh} km/h, ${seconds} s`, wanted: 0, episodes };
    }),
  );
}

/** Real speeding that a good receiver tells, as short as it may be. */
function clear(bench: Bench): Counted[] {
  return [1, 10].flatMap((seconds) =>
    [
      [95, 1],
      [110, 0.5],
    ].map(([kmh = 0, minutes = 0]) => {
      const track = paced([
        [5, 70],
        [minutes, kmh],
        [5, 70],
      ]);
      const episodes = Array.from({ length: tries }, (_, attempt) =>
        count(bench, thinned(track, seconds * 1000, 1000 * (attempt % seconds)), everything),
      );
      return { what: `${kmh} km/h for ${minutes * 60} s, speeds exact, ${seconds} s`, wanted: 1, episodes };
    }),
  );
}

/** No speed sent: at the limit for three hours, and 15 km/h above it for a minute or an hour. */
function byPlaces(bench: Bench): Counted[] {
  const kinds = [
    [1, 5, 0],
    [1, 15, 0],
    [5, 10, 20_000],
    [10, 5, 60_000],
    [30, 5, 60_000],
  ] as const;
  return kinds.flatMap(([seconds, sigmaMetres, memoryMs]) =>
    [
      { kmh: 80, minutes: 180, wanted: 0 },
      { kmh: 95, minutes: 1, wanted: 1 },
      { kmh: 100, minutes: 60, wanted: 1 },
    ].map(({ kmh, minutes, wanted }) => {
      const track = paced([
        [5, 75],
        [minutes, kmh],
        [5, 75],
      ]);
      const episodes = Array.from({ length: tries }, (_, attempt) => {
        const random = bench.random(132, seconds, sigmaMetres, kmh, attempt);
        const seen = seenWith(track, random, [{ sigmaMetres, memoryMs }]);
        return count(bench, thinned(seen, seconds * 1000, 1000 * random.whole(0, seconds - 1)), placesOnly);
      });
      const what = `${kmh} km/h for ${minutes} min, no speed sent, ${seconds} s, σ ${sigmaMetres} m`;
      return { what, wanted, episodes };
    }),
  );
}

const groups = [
  ["speeding with a speed that scatters by 4 km/h", scattering],
  ["two wrong speeds in a row", outliers],
  ["speeding with exact speeds", clear],
  ["speeding without a speed", byPlaces],
] as const;

export const speeding: Case = {
  name: "speeding",
  run: (bench) => {
    const rows: Row[] = [];
    const summary = groups.map(([what, counted]): SummaryRow => {
      const own = counted(bench).map(rowOf);
      rows.push(...own);
      const met = own.filter(({ isMet }) => isMet).length;
      const now = `${met} of ${own.length} kinds right`;
      return { what, now, goal: "one episode a real event, none without", isMet: met === own.length };
    });
    return { rows, summary };
  },
};
