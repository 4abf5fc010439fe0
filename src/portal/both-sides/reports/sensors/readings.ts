import type { SensorReading } from "../../contract/data.ts";

/** The readings of one sensor, and what they come to. */
export interface SensorSeries {
  readonly sensor: string;
  /** Seconds, as the plot counts; ascending. */
  readonly times: readonly number[];
  readonly values: readonly number[];
  readonly least: number;
  readonly greatest: number;
  readonly mean: number;
}

/** `percent` where the tank's capacity is not known. Values are metric. */
export type ReadingUnit = "litres" | "percent" | "celsius";

/** Litres only if every reading has them: two units do not fit on one axis. */
export function unitOf(readings: readonly SensorReading[]): ReadingUnit {
  if (readings.some(({ kind }) => kind === "temperature")) return "celsius";
  return readings.every((reading) => reading.kind !== "fuel" || reading.volume_l !== null) ? "litres" : "percent";
}

function metricValue(reading: SensorReading, unit: ReadingUnit): number | null {
  if (reading.kind === "temperature") return reading.temperature_c;
  if (reading.kind === "fuel") return unit === "litres" ? reading.volume_l : reading.level_percent;
  return null;
}

/** One series for each sensor, by name. */
export function seriesOf(readings: readonly SensorReading[], unit: ReadingUnit): SensorSeries[] {
  const bySensor = Map.groupBy(readings, ({ sensor }) => sensor);
  return [...bySensor]
    .map(([sensor, own]) => {
      const known = own.flatMap((reading) => {
        const value = metricValue(reading, unit);
        return value === null ? [] : [[Date.parse(reading.recorded_at) / 1000, value] as const];
      });
      const values = known.map(([, value]) => value);
      const sum = values.reduce((total, value) => total + value, 0);
      return {
        sensor,
        times: known.map(([time]) => time),
        values,
        least: values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
        greatest: values.reduce((greatest, value) => Math.max(greatest, value), Number.NEGATIVE_INFINITY),
        mean: sum / values.length,
      };
    })
    .filter(({ values }) => values.length > 0)
    .sort((one, other) => (one.sensor < other.sensor ? -1 : 1));
}

/** A longer silence is a gap in the line: nobody knows what the sensor would have said. */
const gapS = 3600;

type PlotValues = (number | null | undefined)[];

/** All series on one axis of time: `undefined` where a sensor said nothing, `null` in the middle of a gap. */
export function aligned(series: readonly SensorSeries[]): [times: number[], ...values: PlotValues[]] {
  const points = series.flatMap(({ times, values }, index) =>
    times.flatMap((time, at): [time: number, index: number, value: number | null][] => {
      const before = times[at - 1];
      const point: [number, number, number | null] = [time, index, values[at] ?? null];
      return before !== undefined && time - before > gapS ? [[(before + time) / 2, index, null], point] : [point];
    }),
  );
  points.sort(([one], [other]) => one - other);
  const times: number[] = [];
  const values: PlotValues[] = series.map(() => []);
  for (const [time, index, value] of points) {
    if (times.at(-1) !== time) {
      times.push(time);
      for (const own of values) own.push(undefined);
    }
    const own = values[index];
    if (own) own[times.length - 1] = value;
  }
  return [times, ...values];
}

/** What a sensor said nearest to that time; null if nobody knows: it was silent for longer than a gap. Pure. */
export function valueNear({ times, values }: SensorSeries, atSeconds: number): number | null {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < atSeconds) low = middle + 1;
    else high = middle;
  }
  const distance = (index: number) => Math.abs((times[index] ?? Number.POSITIVE_INFINITY) - atSeconds);
  const nearest = low > 0 && distance(low - 1) <= distance(low) ? low - 1 : low;
  return distance(nearest) > gapS ? null : (values[nearest] ?? null);
}
