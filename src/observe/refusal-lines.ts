import type { Caller, Observe, RefusedRequest, RefusedRequests } from "./observation.ts";

/** A burst of lines, and more for each minute that passes. */
export interface LineBudget {
  readonly burst: number;
  readonly perMinute: number;
}

export interface LineBudgets {
  readonly perCaller: LineBudget;
  readonly together: LineBudget;
}

/** Further callers are counted together: neither the memory nor the summaries may grow without bound. */
const maxCallers = 1_000;
const maxSummaries = 20;

/** Refusals without a line, by code. */
type Counts = Map<string, number>;

interface CallerLines {
  readonly caller: Caller;
  linesLeft: number;
  leftOut: Counts;
  /** Whether a limit was exceeded in this minute or the last: then the first such refusal has its line already. */
  isLimited: boolean;
  wasLimited: boolean;
}

/** Which refusals of one group of callers get a line in the log, and how many do not. */
export class RefusalLines {
  readonly #budgets: LineBudgets;
  readonly #write: Observe;
  readonly #callers = new Map<string, CallerLines>();
  #others: Counts = new Map();
  #linesLeft: number;

  constructor(budgets: LineBudgets, write: Observe) {
    this.#budgets = budgets;
    this.#write = write;
    this.#linesLeft = budgets.together.burst;
  }

  /** `name` identifies the caller. Pass `{}` for a caller that a summary must not name. */
  add(name: string, caller: Caller, refused: RefusedRequest): void {
    const lines = this.#linesOf(name, caller);
    if (lines && this.#hasLine(lines, refused)) this.#write(refused);
    else count(lines?.leftOut ?? this.#others, refused.code, 1);
  }

  /** What was left out since the last summary, by named caller, those with the most first. */
  summaries(): RefusedRequests[] {
    const leftOut = [...this.#callers.values()].filter((lines) => lines.leftOut.size > 0);
    const named = leftOut
      .filter(({ caller }) => Object.keys(caller).length > 0)
      .toSorted((one, other) => total(other.leftOut) - total(one.leftOut))
      .slice(0, maxSummaries);
    const others = this.#others;
    for (const { leftOut: counts } of leftOut.filter((lines) => !named.includes(lines))) {
      for (const [code, times] of counts) count(others, code, times);
    }
    const summaries = named.map((lines) => summaryOf(lines.caller, lines.leftOut));
    if (others.size > 0) summaries.push(summaryOf({}, others));
    for (const lines of leftOut) lines.leftOut = new Map();
    this.#others = new Map();
    return summaries;
  }

  /** Gives everybody the lines of another minute. */
  endMinute(): void {
    const { perCaller, together } = this.#budgets;
    this.#linesLeft = Math.min(together.burst, this.#linesLeft + together.perMinute);
    for (const [name, lines] of this.#callers) {
      lines.linesLeft = Math.min(perCaller.burst, lines.linesLeft + perCaller.perMinute);
      lines.wasLimited = lines.isLimited;
      lines.isLimited = false;
      if (lines.linesLeft === perCaller.burst && !lines.wasLimited) this.#callers.delete(name);
    }
  }

  /** Whether everything is back to its initial state, so that minutes need not be counted. */
  get isUntouched(): boolean {
    return this.#callers.size === 0 && this.#linesLeft === this.#budgets.together.burst;
  }

  #linesOf(name: string, caller: Caller): CallerLines | null {
    const known = this.#callers.get(name);
    if (known) return known;
    if (this.#callers.size >= maxCallers) return null;
    const linesLeft = this.#budgets.perCaller.burst;
    const lines = { caller, linesLeft, leftOut: new Map(), isLimited: false, wasLimited: false };
    this.#callers.set(name, lines);
    return lines;
  }

  #hasLine(lines: CallerLines, { status }: RefusedRequest): boolean {
    if (status === 429) {
      const isRepeated = lines.isLimited || lines.wasLimited;
      lines.isLimited = true;
      if (isRepeated) return false;
    }
    if (lines.linesLeft === 0 || this.#linesLeft === 0) return false;
    lines.linesLeft--;
    this.#linesLeft--;
    return true;
  }
}

function count(counts: Counts, code: string, times: number): void {
  counts.set(code, (counts.get(code) ?? 0) + times);
}

function total(counts: Counts): number {
  return counts.values().reduce((sum, times) => sum + times, 0);
}

function summaryOf(caller: Caller, counts: Counts): RefusedRequests {
  const codes = [...counts].toSorted(([, one], [, other]) => other - one).map(([code, times]) => `${code} ${times}`);
  return { kind: "requests_refused", ...caller, count: total(counts), codes: codes.join(", ") };
}
