import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../../store/database.ts";
import { type DriverNames, driverNames } from "../../store/fleet/drivers.ts";
import type { FoundFrame } from "../../store/frames/frame-reads.ts";
import { type HistoryPage, history } from "../../store/frames/positions.ts";
import type { RouteCall } from "../route.ts";
import { nextTurn } from "../turns.ts";

/** The frames of a page. A page of valid frames may need to search many others: block after block, in turn with others. */
export async function historyFrames(
  reader: Reader,
  visibility: Visibility,
  page: HistoryPage,
): Promise<readonly FoundFrame[]> {
  let { frames, nextMs } = await history(reader, visibility, page);
  while (nextMs !== null && frames.length < page.count) {
    await nextTurn();
    const rest = { ...page, fromMs: nextMs, after: null, count: page.count - frames.length };
    const more = await history(reader, visibility, rest);
    frames = [...frames, ...more.frames];
    nextMs = more.nextMs;
  }
  return frames.length > page.count ? frames.slice(0, page.count) : frames;
}

/** What the drivers of these frames are called. Nothing is looked up for frames without. */
export function namesIn(
  { database, visibility }: Pick<RouteCall, "database" | "visibility">,
  frames: readonly FoundFrame[],
): Promise<DriverNames> {
  return driverNames(
    database,
    visibility.accountId,
    frames.map(({ driverId }) => driverId),
  );
}
