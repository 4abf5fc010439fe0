import type { Bench } from "../bench.ts";

/** What a figure counts. All are errors: 0 is right, and the sign says in which direction it is wrong. */
export type Unit = "%" | "km" | "s" | "wrong";

/** A row of the scoreboard. */
export interface ScoreRow {
  readonly name: string;
  readonly unit: Unit;
  /** The largest error that is right. */
  readonly target: number;
  /** Cheap enough for `npm test`. */
  readonly isFast?: boolean;
  /** The error with one seed; null where the real traces are absent. */
  readonly measure: (bench: Bench) => number | null;
}

/** As it is written to the file. */
export interface Score {
  readonly row: string;
  readonly unit: Unit;
  readonly target: number;
  /** The mean size of the error over the seeds. */
  readonly figure: number;
  /** The smallest ever recorded. */
  readonly best: number;
  /** How far the figure may be above the best: what the seeds differ by, and a tenth of the target at least. */
  readonly noise: number;
  readonly isReached: boolean;
  /** For each seed, signed. */
  readonly errors: readonly number[];
}

export const seeds = [1, 2, 3];

export function scoreOf(row: ScoreRow, errors: readonly number[], before: Score | undefined): Score {
  const sizes = errors.map(Math.abs);
  const figure = rounded(mean(sizes));
  const best = Math.min(figure, before?.best ?? figure);
  const { name, unit, target } = row;
  return {
    row: name,
    unit,
    target,
    figure,
    best,
    noise: rounded(Math.max(target / 10, standardError(sizes))),
    isReached: figure <= target,
    errors: errors.map(rounded),
  };
}

/** Whether a figure is worse than the best one recorded, beyond its noise. */
export function isWorse(recorded: Score, figure: number): boolean {
  return figure > recorded.best + recorded.noise;
}

function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}

/** Of the mean. */
function standardError(values: readonly number[]): number {
  const middle = mean(values);
  const squares = values.map((value) => (value - middle) ** 2);
  return Math.sqrt(mean(squares) / Math.max(1, values.length - 1));
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000 + 0;
}
