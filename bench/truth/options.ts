import { parseArgs } from "node:util";

export interface Options {
  /** The cases to run, by the beginning of their names; none: all. */
  readonly only: readonly string[];
  /** A checkout whose rules are measured. */
  readonly src: string;
  readonly seed: number;
  /** Whether rows that hold are left out. */
  readonly missedOnly: boolean;
}

export const help = `Measures how true the derived data is, on real traces and on tracks whose truth is known.

  node_modules/.bin/bun bench/truth/main.ts [--only NAME[,NAME]] [--src DIR] [--seed N] [--missed]

  --only NAMES   the cases to run, by the beginning of their names (default: all)
  --src DIR      a checkout whose rules are measured (default: this one)
  --seed N       another seed is other tracks and other noise (default: 14)
  --missed       prints only the rows that miss their goal, and the table of section 8
  --help         prints this

Real traces are read from ../shared/data; without them their cases are skipped.`;

/** Null if help is asked for. */
export function readOptions(words: readonly string[], root: string): Options | null {
  const { values } = parseArgs({
    args: [...words],
    options: {
      only: { type: "string", default: "" },
      src: { type: "string", default: root },
      seed: { type: "string", default: "14" },
      missed: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return null;
  const seed = Number(values.seed);
  if (!Number.isSafeInteger(seed)) throw new Error(`--seed must be a whole number, not ${values.seed}`);
  const only = values.only.split(",").filter((name) => name !== "");
  return { only, src: values.src, seed, missedOnly: values.missed };
}
