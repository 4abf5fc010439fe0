import { useTexts } from "../texts/use-texts.ts";
import { maxRows, type RowsSoFar } from "./use-rows.ts";

interface RowsStatusProps {
  readonly loaded: Pick<RowsSoFar<unknown>, "count" | "isEnd" | "isCut" | "isLoading" | "share">;
  readonly words: (count: number, shown: string) => string;
  /** Whether all rows are wanted, not only those one scrolls to. */
  readonly isEverything: boolean;
  readonly onAll: () => void;
  readonly onStop: () => void;
}

/** How much of the report is loaded, said plainly: sorting and totals are only of that. */
export function RowsStatus({ loaded, words: countWords, isEverything, onAll, onStop }: RowsStatusProps) {
  const { reports: words, common, show } = useTexts();
  const { count, isEnd, isCut, isLoading, share } = loaded;
  const counted = countWords(count, show.number(count));
  if (isEnd || isCut) {
    return (
      <p className="report-status" role="status">
        {isEnd ? counted : words.tooMany(show.number(maxRows))}
      </p>
    );
  }
  if (isEverything && isLoading) {
    return (
      <div className="report-status">
        <label>
          <span>{words.loadingAll(counted)}</span>
          <progress value={share} />
        </label>
        <button type="button" className="button button-small" onClick={onStop}>
          {common.cancel}
        </button>
      </div>
    );
  }
  return (
    <div className="report-status">
      <p role="status">{count === 0 ? common.looking : words.first(counted)}</p>
      {count > 0 && (
        <button type="button" className="button button-small" onClick={onAll}>
          {words.loadAll}
        </button>
      )}
    </div>
  );
}
