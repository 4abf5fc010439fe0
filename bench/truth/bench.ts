import type { AlertRule } from "../../src/domain/fleet.ts";
import type { Frame } from "../../src/domain/frame.ts";
import { Random } from "../../src/simulator/random.ts";
import { type Derived, derive, type Fences } from "./derive.ts";
import type { Rules } from "./rules.ts";
import type { Findings } from "./table.ts";

/** What a case is given. */
export interface Bench {
  readonly rules: Rules;
  readonly derive: (frames: readonly Frame[], fences?: Fences, alertRules?: readonly AlertRule[]) => Derived;
  /** A stream of its own for each set of numbers, the same for the same seed. */
  readonly random: (...numbers: readonly number[]) => Random;
}

export interface Case {
  readonly name: string;
  readonly run: (bench: Bench) => Findings;
}

export function createBench(rules: Rules, seed: number): Bench {
  return {
    rules,
    derive: (frames, fences, alertRules) => derive(rules, frames, fences, alertRules),
    random: (...numbers) => new Random(seed, ...numbers),
  };
}
