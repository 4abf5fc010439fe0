/** How the first rules stored totals apart from a state (schema 10). This must stay, whatever becomes of present totals. */

type Json = { readonly [name: string]: unknown };

interface Tally {
  readonly sums: readonly number[];
  readonly maxima: readonly (number | null)[];
}

export interface EarlierTotals {
  readonly current: Tally | null;
  readonly held: Tally | null;
  readonly trip: { readonly course: Tally; readonly dwell: Tally } | null;
}

const ofDay = { sums: ["gpsMm", "gapMm", "drivingMs", "idleMs", "tripCount"], maxima: ["maxSpeedKmh", "updatedAt"] };
const ofCourse = {
  sums: ["distanceMm", "idleMs", "positionCount"],
  maxima: ["maxSpeedKmh", "maxImpliedKmh", "updatedAt"],
};

/** The stages of a state of the first rules, with their totals in their places. */
export function withEarlierTotals(stages: Json, { current, held, trip }: EarlierTotals): Json {
  const mileage = stages.mileage as Json;
  const trips = stages.trips as Json;
  return {
    ...stages,
    mileage: {
      ...mileage,
      held: filled(mileage.held as Json | null, held, ofDay),
      current: filled(mileage.current as Json | null, current, ofDay),
    },
    trips:
      trip === null
        ? trips
        : {
            ...trips,
            course: filled(trips.course as Json, trip.course, ofCourse),
            dwell: filled(trips.dwell as Json, trip.dwell, ofCourse),
          },
  };
}

function filled(record: Json | null, tally: Tally | null, names: typeof ofDay): Json | null {
  if (record === null || tally === null) return record;
  const sums = names.sums.map((name, index) => [name, tally.sums[index] ?? 0] as const);
  const maxima = names.maxima.map((name, index) => [name, tally.maxima[index] ?? null] as const);
  return { ...record, ...Object.fromEntries<unknown>([...sums, ...maxima]) };
}
