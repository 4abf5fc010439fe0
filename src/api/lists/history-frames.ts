import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../../store/database.ts";
import { type DriverNames, driverNames } from "../../store/fleet/drivers.ts";
import { type FoundFrame, type FoundRun, FrameRun, framesIn } from "../../store/frames/found-frames.ts";
import { type HistoryPage, history } from "../../store/frames/positions.ts";
import type { RouteCall } from "../route.ts";
import { nextTurn } from "../turns.ts";

/** The frames of a page, or some more. One of valid frames may need to search many others: block after block, in turn with others. */
export async function historyRuns(
  reader: Reader,
  visibility: Visibility,
  page: HistoryPage,
): Promise<readonly FoundRun[]> {
  let { runs, count, nextMs } = await history(reader, visibility, page);
  while (nextMs !== null && count < page.count) {
    await nextTurn();
    const rest = { ...page, fromMs: nextMs, after: null, count: page.count - count };
    const more = await history(reader, visibility, rest);
    runs = [...runs, ...more.runs];
    count += more.count;
    nextMs = more.nextMs;
  }
  return runs;
}

export async function historyFrames(reader: Reader, visibility: Visibility, page: HistoryPage): Promise<FoundFrame[]> {
  return framesIn(await historyRuns(reader, visibility, page)).slice(0, page.count);
}

/** What the drivers of these frames are called. Nothing is looked up for frames without. */
export function namesIn(
  { database, visibility }: Pick<RouteCall, "database" | "visibility">,
  runs: readonly FoundRun[],
): Promise<DriverNames> {
  const driven = runs.filter((run) => !(run instanceof FrameRun) || run.block.hasDrivers);
  return driverNames(
    database,
    visibility.accountId,
    framesIn(driven).map(({ driverId }) => driverId),
  );
}
