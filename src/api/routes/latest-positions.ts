import { viewerKey } from "../../domain/visibility.ts";
import { type LatestPositionRow, latestPositions } from "../../store/frames/positions.ts";
import { showsNext } from "../formats/format.ts";
import { pointOf } from "../formats/geojson.ts";
import { listFormats } from "../formats/list-formats.ts";
import { cursor, deviceId, imei, limit } from "../input/parameters.ts";
import { listPage } from "../lists/list-page.ts";
import { type ListRules, nextCursor, type PageRequest, pageProblems, readPage } from "../lists/paging.ts";
import { copyOf, lentListPage } from "../records/body.ts";
import { listOf } from "../records/envelope.ts";
import { latestPosition, writeLatestPositions } from "../records/latest-position.ts";
import type { Route, RouteCall } from "../route.ts";

const path = "/positions/latest";
const formats = listFormats({
  schema: latestPosition.schema,
  geojson: { idField: "device_id", geometryOf: pointOf },
});
const rules: ListRules = { endpoint: path, filters: [], maxSpanDays: null, needsDevice: false };

/** The list that is polled: as long as nothing visible has changed, it costs comparing one number. */
export const listLatestPositions: Route = {
  path,
  operationId: "listLatestPositions",
  tag: "Positions",
  summary: "List live positions",
  description:
    "The newest valid position of each device, in ascending device id. Poll it every 10 seconds with the `ETag` of the " +
    "answer before as `If-None-Match`: while nothing has changed the answer is 304, without a body and free of the day's " +
    "quota.",
  scope: "positions:read",
  parameters: [deviceId, imei, limit, cursor, formats.parameter],
  response: listOf(latestPosition.schema, latestPosition.name),
  formats,
  example: {
    request: "/positions/latest?imei=356307042441013",
    response: { data: [latestPosition.example], next_cursor: null },
  },
  conditional: true,
  windowed: false,
  problems: (call) => pageProblems(call, rules),
  async answer(call) {
    const page = await readPage<string>(call, rules);
    const { visibility, cache, format } = call;
    // The revision is read before the rows: a write in between makes the page newer than its revision, never older.
    const { livePositions } = await cache.revisions(visibility);
    const key = `${viewerKey(visibility)} ${format} ${page.device?.id ?? ""} ${page.limit} ${page.after ?? ""}`;
    const { body, next } = await cache.latestPages.page(key, livePositions, () => makePage(call, page));
    return { body, next };
  },
};

const encoder = new TextEncoder();

async function makePage(call: RouteCall, page: PageRequest<string>) {
  const wanted = { device: page.device?.device ?? null, after: page.after, count: page.limit + 1 };
  const rows = await latestPositions(call.database, call.visibility, wanted);
  const cursorAfter = (last: LatestPositionRow) => nextCursor(call, rules, page, last.device_id);
  if (call.format !== "json") {
    const { body, next } = listPage(call, rows, page.limit, latestPosition.json, cursorAfter);
    return { bytes: encoder.encode(body), next, showsNext: showsNext(call.format) };
  }
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  const isLast = rows.length <= page.limit || last === undefined;
  const { body, next } = lentListPage((json) => {
    writeLatestPositions(json, shown);
    return isLast ? null : cursorAfter(last);
  });
  return { bytes: copyOf(body), next, showsNext: true };
}
