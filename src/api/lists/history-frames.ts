import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../../store/database.ts";
import type { FoundFrame } from "../../store/frame-reads.ts";
import { type HistoryPage, history } from "../../store/positions.ts";
import { firstRows } from "./parts.ts";

/** The frames of a page. A page of valid frames may need to search many others: block after block, in turn with others. */
export function historyFrames(reader: Reader, visibility: Visibility, page: HistoryPage): Promise<FoundFrame[]> {
  let left = page.count;
  return firstRows<FoundFrame, number>(page.count, async (fromMs) => {
    const part = fromMs === null ? page : { ...page, fromMs, after: null, count: left };
    const { frames, nextMs } = await history(reader, visibility, part);
    left -= frames.length;
    return { rows: frames, next: nextMs };
  });
}
