import { parseReported } from "../../domain/reported.ts";
import { withTag } from "../../domain/visibility.ts";
import type { FoundRun } from "../../store/frames/found-frames.ts";
import { type FrameKey, type LatestPositionRow, latestPositions } from "../../store/frames/positions.ts";
import { pointGeometry } from "../formats/geojson.ts";
import { openTrack } from "../formats/gpx.ts";
import { tag, validOnly } from "../input/filters.ts";
import { nearbyOf, nearParameter, radius, radiusProblems } from "../input/near.ts";
import { deviceId, imeiParameter } from "../input/parameters.ts";
import { historyRuns, namesIn } from "../lists/history-frames.ts";
import { idList } from "../lists/id-list.ts";
import { writtenPage } from "../lists/list-page.ts";
import { nearestRows } from "../lists/nearest.ts";
import { filterValue } from "../lists/paging.ts";
import { windowedRoute } from "../lists/windowed-list.ts";
import { writeFrames } from "../records/frames-json.ts";
import { latestColumns, latestPosition, writeLatestPositions } from "../records/latest-position.ts";
import { position } from "../records/position.ts";
import type { Route } from "../route.ts";

/** Live positions that are read in one turn to find the nearest, which takes some milliseconds. */
const rowsPerTurn = 500;

/** The list that is polled: as long as nothing visible has changed, it costs comparing one number. */
export const listLatestPositions: Route = idList<LatestPositionRow>({
  path: "/positions/latest",
  operationId: "listLatestPositions",
  tag: "Positions",
  summary: "List live positions",
  description:
    "The newest valid position of each device, in ascending device id. Poll it every 10 seconds with the `ETag` of the " +
    "answer before as `If-None-Match`: while nothing has changed the answer is 304, without a body and free of the day's " +
    "quota. With `near`, one page of the nearest devices; it takes longer the more devices the key can see.",
  scope: "positions:read",
  record: latestPosition,
  example: "/positions/latest?imei=356307042441013",
  parameters: [tag, deviceId, imeiParameter, nearParameter, radius],
  problems: radiusProblems,
  conditional: true,
  formats: {
    // Without `near` a table is as it was before there was one.
    schemaOf: (input) => (input?.names(nearParameter) ? latestColumns.near : latestColumns.plain),
    geojson: { idField: "device_id", geometryOf: pointGeometry },
  },
  query({ database, visibility }, page, count) {
    const { after, limit } = page;
    const device = page.device?.device ?? null;
    const narrowed = withTag(visibility, filterValue(page, tag));
    const nearby = nearbyOf(filterValue(page, nearParameter), filterValue(page, radius));
    if (nearby === null) return latestPositions(database, narrowed, { device, after, count });
    const read = async (start: string | null) => {
      const rows = await latestPositions(database, narrowed, { device, after: start, count: rowsPerTurn });
      return { rows, next: rows.length < rowsPerTurn ? null : (rows.at(-1)?.device_id ?? null) };
    };
    return nearestRows(nearby, limit, read, (row) => parseReported(row.fields_json));
  },
  idOf: (row) => row.device_id,
  cached: {
    pages: "latestPages",
    revisionOf: ({ devices, livePositions }, page) =>
      // A device that gets or loses a tag is a change of the devices. Both only grow.
      filterValue(page, tag) === null ? livePositions : devices + livePositions,
  },
  write: writeLatestPositions,
});

const historyList = {
  path: "/positions/history",
  operationId: "listPositionHistory",
  tag: "Positions",
  summary: "List stored positions",
  description:
    "The stored frames of one device, in ascending time, for backfill and reports; do not poll it on a timer. A device is " +
    "required: `device_id`, or `imei` instead.",
  scope: "positions:read",
  example: "/positions/history?imei=356307042441013&from=2026-03-17T07:00:00Z&to=2026-03-17T09:00:00Z",
  parameters: [validOnly],
  needsDevice: true,
  // A frame has no id of its own.
  formats: { keys: () => ["recorded_at"], geojson: { idField: null, geometryOf: pointGeometry }, gpx: openTrack },
} as const;

export const listPositionHistory: Route = windowedRoute<readonly FoundRun[], FrameKey>({
  ...historyList,
  record: position,
  query(reader, visibility, page, requested) {
    const wanted = { device: given(requested.device), validOnly: filterValue(requested, validOnly) === true };
    return historyRuns(reader, visibility, { ...page, ...wanted });
  },
  async present(call, runs, { device, limit }, cursorAfter) {
    const names = await namesIn(call, runs);
    return writtenPage(call, (json) => {
      const last = writeFrames(json, given(device), runs, limit, names);
      return last && cursorAfter(last);
    });
  },
});

/** A list that requires a device is never read without one. */
function given<Device>(device: Device | null): Device {
  if (device === null) throw new Error("history needs a device");
  return device;
}
