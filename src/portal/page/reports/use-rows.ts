import { useCallback, useEffect, useRef, useState } from "react";
import type { RowSource } from "../../both-sides/reports/row-source.ts";

/** More rows than anybody reads; a browser could not hold all of a large fleet's year. */
export const maxReportRows = 100_000;

/** How often the page shows how far the reading is. */
const progressEveryMs = 400;
/** While many pages come in a row, the table is sorted and drawn anew only when there are so many times as many rows. */
const growth = 2;

export interface RowsSoFar<Row, Sums = Row> {
  /** While all of them are being read, not always the newest. */
  readonly rows: readonly Row[];
  readonly totals: Sums | null;
  readonly count: number;
  /** Whether these are all. */
  readonly isEnd: boolean;
  /** Whether there are more than the page can hold. */
  readonly isCut: boolean;
  readonly isLoading: boolean;
  readonly share: number;
  readonly error: unknown;
  readonly retry: () => void;
}

interface Store<Row, Sums> {
  readonly source: RowSource<Row, Sums>;
  readonly rows: Row[];
}

type Shown<Row, Sums> = Omit<RowsSoFar<Row, Sums>, "retry" | "isCut">;

const nothing = { rows: [], totals: null, count: 0, isEnd: false, isLoading: true, share: 0, error: null };

/**
 * The first rows of a source, at least `wanted` of them if there are so many. Another `open` (wrap it in `useCallback`) begins
 * anew; a greater `wanted` goes on. Null: what to ask for is not known yet.
 */
export function useReportRows<Row, Sums>(
  open: (() => RowSource<Row, Sums>) | null,
  wanted: number,
): RowsSoFar<Row, Sums> {
  const store = useRef<Store<Row, Sums> | null>(null);
  const openedBy = useRef<typeof open>(null);
  const [shown, setShown] = useState<Shown<Row, Sums>>(nothing);
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round goes on where it failed
  useEffect(() => {
    if (openedBy.current !== open) {
      openedBy.current = open;
      store.current = open && { source: open(), rows: [] };
      setShown(nothing);
    }
    const opened = store.current;
    if (opened === null) return;
    const abort = new AbortController();
    const publish = (isLoading: boolean, error: unknown = null) => {
      const { rows, source } = opened;
      setShown((before) => {
        const isWorthIt = !isLoading || rows.length >= growth * before.rows.length;
        const { isEnd, share, totals } = source;
        const state = { count: rows.length, isEnd, share, totals, isLoading, error };
        return { ...state, rows: isWorthIt ? [...rows] : before.rows };
      });
    };
    readOn(opened, Math.min(wanted, maxReportRows), abort.signal, () => publish(true)).then(
      () => publish(false),
      (error) => {
        if (!abort.signal.aborted) publish(false, error);
      },
    );
    return () => abort.abort();
  }, [open, wanted, round]);
  const retry = useCallback(() => setRound((current) => current + 1), []);
  return { ...shown, isCut: !shown.isEnd && !shown.isLoading && shown.count >= maxReportRows, retry };
}

/** What was read is stored even after an abort: the source does not give it twice. */
async function readOn(
  { source, rows }: Store<unknown, unknown>,
  wanted: number,
  signal: AbortSignal,
  onProgress: () => void,
): Promise<void> {
  let published = Number.NEGATIVE_INFINITY;
  while (rows.length < wanted && !source.isEnd && !signal.aborted) {
    for (const row of await source.next(signal)) rows.push(row);
    const isDue = performance.now() - published > progressEveryMs;
    if (signal.aborted || !isDue) continue;
    published = performance.now();
    onProgress();
  }
  signal.throwIfAborted();
}
