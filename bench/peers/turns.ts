import { Machines } from "../many-machines/machines.ts";
import { cpuSeconds } from "../many-machines/processes.ts";
import { median } from "../support/figures.ts";

export interface Figure {
  readonly perSecond: number;
  /** Of the program and of its database, for each request. */
  readonly cpuMicros: number;
}

/** What takes part in a comparison. The first one is what the others are compared with. */
export interface Contender {
  readonly name: string;
  run(seconds: number): Promise<Figure>;
}

export interface Turns {
  readonly rounds: number;
  readonly seconds: number;
  /** Of the round that is not measured. Java needs some before it is fast. */
  readonly warmSeconds: number;
}

export interface Running {
  readonly pids: readonly number[];
  /** Null: its database is inside it. */
  readonly databaseUrl: string | null;
}

export interface Done {
  readonly count: number;
  readonly seconds: number;
}

/** Does some work that says how much it did in which time, and looks what it cost the programs and their PostgreSQL. */
export async function costOf({ pids, databaseUrl }: Running, work: () => Promise<Done>): Promise<Figure> {
  const machines = databaseUrl === null ? null : new Machines(databaseUrl);
  await machines?.find(new Map());
  const used = async () => {
    const own = await cpuSeconds(pids);
    return [...own, ...((await machines?.cpuSeconds()) ?? [])].reduce((sum, value) => sum + value, 0);
  };
  try {
    const before = await used();
    const { count, seconds } = await work();
    return { perSecond: count / seconds, cpuMicros: (((await used()) - before) * 1e6) / count };
  } finally {
    await machines?.close();
  }
}

export async function timed(work: () => Promise<number>): Promise<Done> {
  const began = performance.now();
  const count = await work();
  return { count, seconds: (performance.now() - began) / 1_000 };
}

export function printHead(): void {
  console.log(
    `${line(["what", "program", "a second", "µs each", "× odograph's"])}\n${line(widths.map((width) => "-".repeat(width)))}`,
  );
}

/** One round that is not measured, then the others. Who goes first takes turns as well. */
export async function inTurns(name: string, contenders: readonly Contender[], turns: Turns): Promise<void> {
  const figures = contenders.map((): Figure[] => []);
  for (let round = 0; round <= turns.rounds; round++) {
    const order = [...contenders.keys()];
    for (const index of round % 2 === 0 ? order : order.reverse()) {
      const figure = await (contenders[index] as Contender).run(round === 0 ? turns.warmSeconds : turns.seconds);
      if (round > 0) figures[index]?.push(figure);
    }
  }
  printFigures(name, contenders, figures);
}

/** For what can be done only once in a run. */
export async function onceEach(
  name: string,
  contenders: readonly { readonly name: string; run(): Promise<Figure> }[],
): Promise<void> {
  const figures: Figure[][] = [];
  for (const contender of contenders) figures.push([await contender.run()]);
  printFigures(name, contenders, figures);
}

function printFigures(
  name: string,
  contenders: readonly { readonly name: string }[],
  figures: readonly Figure[][],
): void {
  const [own = []] = figures;
  for (const [index, contender] of contenders.entries()) {
    const mine = figures[index] ?? [];
    const middle = (of: (figure: Figure) => number) => median(mine.map(of));
    const ratio = median(mine.map(({ cpuMicros }, round) => cpuMicros / (own[round]?.cpuMicros ?? Number.NaN)));
    const perSecond = Math.round(middle((figure) => figure.perSecond));
    const micros = middle(({ cpuMicros }) => cpuMicros);
    const digits = micros < 100 ? 1 : 0;
    console.log(
      line([index === 0 ? name : "", contender.name, `${perSecond}`, micros.toFixed(digits), ratio.toFixed(2)]),
    );
  }
}

const widths = [32, 10, 9, 8, 12] as const;

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(" | ")} |`;
}
