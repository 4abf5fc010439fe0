/** A burst of lines, and more for each minute that passes. */
interface LineBudget {
  readonly burst: number;
  readonly perMinute: number;
}

export interface LineBudgets {
  readonly each: LineBudget;
  readonly together: LineBudget;
}

/** Further holders are counted together: neither the memory nor the summaries may grow without bound. */
const maxHolders = 1_000;
const maxSummaries = 20;

type Counts = Map<string, number>;

interface Share<Holder> {
  readonly holder: Holder | null;
  linesLeft: number;
  leftOut: Counts;
  /** Whether something came in this minute or the last that gets only its first line. */
  hasCome: boolean;
  hadCome: boolean;
}

/** One holder's lines that were not written, or those of several (null). */
export interface LeftOut<Holder> {
  readonly holder: Holder | null;
  readonly count: number;
  /** The labels with their counts, such as `RATE_LIMITED 1190, NOT_FOUND 14`. */
  readonly labels: string;
}

/** Shares out the log's lines to holders (callers, causes). What gets none is counted by its label. */
export class LineShares<Holder> {
  readonly #budgets: LineBudgets;
  readonly #shares = new Map<string, Share<Holder>>();
  #others: Counts = new Map();
  #linesLeft: number;

  constructor(budgets: LineBudgets) {
    this.#budgets = budgets;
    this.#linesLeft = budgets.together.burst;
  }

  /** `holder` null: a summary must not name it. `firstOnly`: another line only after a minute without it. */
  take(name: string, holder: Holder | null, label: string, firstOnly = false): boolean {
    const share = this.#shareOf(name, holder);
    const hasLine = share !== null && this.#hasLine(share, firstOnly);
    if (!hasLine) count(share?.leftOut ?? this.#others, label, 1);
    return hasLine;
  }

  /** What was left out since the last time, by named holder, those with the most first. */
  leftOut(): LeftOut<Holder>[] {
    const shares = [...this.#shares.values()].filter((share) => share.leftOut.size > 0);
    const named = shares
      .filter(({ holder }) => holder !== null)
      .toSorted((one, other) => total(other.leftOut) - total(one.leftOut))
      .slice(0, maxSummaries);
    const others = this.#others;
    for (const { leftOut } of shares.filter((share) => !named.includes(share))) {
      for (const [label, times] of leftOut) count(others, label, times);
    }
    const all = named.map(({ holder, leftOut }) => summaryOf(holder, leftOut));
    if (others.size > 0) all.push(summaryOf<Holder>(null, others));
    for (const share of shares) share.leftOut = new Map();
    this.#others = new Map();
    return all;
  }

  /** Gives everybody the lines of another minute. */
  endMinute(): void {
    const { each, together } = this.#budgets;
    this.#linesLeft = Math.min(together.burst, this.#linesLeft + together.perMinute);
    for (const [name, share] of this.#shares) {
      share.linesLeft = Math.min(each.burst, share.linesLeft + each.perMinute);
      share.hadCome = share.hasCome;
      share.hasCome = false;
      if (share.linesLeft === each.burst && !share.hadCome) this.#shares.delete(name);
    }
  }

  /** Whether everything is back to its initial state, so that minutes need not be counted. */
  get isUntouched(): boolean {
    return this.#shares.size === 0 && this.#linesLeft === this.#budgets.together.burst;
  }

  #shareOf(name: string, holder: Holder | null): Share<Holder> | null {
    const known = this.#shares.get(name);
    if (known) return known;
    if (this.#shares.size >= maxHolders) return null;
    const linesLeft = this.#budgets.each.burst;
    const share = { holder, linesLeft, leftOut: new Map(), hasCome: false, hadCome: false };
    this.#shares.set(name, share);
    return share;
  }

  #hasLine(share: Share<Holder>, firstOnly: boolean): boolean {
    if (firstOnly) {
      const isRepeated = share.hasCome || share.hadCome;
      share.hasCome = true;
      if (isRepeated) return false;
    }
    if (share.linesLeft === 0 || this.#linesLeft === 0) return false;
    share.linesLeft--;
    this.#linesLeft--;
    return true;
  }
}

function count(counts: Counts, label: string, times: number): void {
  counts.set(label, (counts.get(label) ?? 0) + times);
}

function total(counts: Counts): number {
  return counts.values().reduce((sum, times) => sum + times, 0);
}

function summaryOf<Holder>(holder: Holder | null, counts: Counts): LeftOut<Holder> {
  const labels = [...counts].toSorted(([, one], [, other]) => other - one).map(([label, times]) => `${label} ${times}`);
  return { holder, count: total(counts), labels: labels.join(", ") };
}
