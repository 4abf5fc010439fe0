import { viewerKey } from "../../domain/visibility.ts";
import { latestPositions } from "../../store/positions.ts";
import { cursor, deviceId, imei, limit } from "../input/parameters.ts";
import { listPage } from "../lists/list-page.ts";
import { type ListRules, nextCursor, type PageRequest, pageProblems, readPage } from "../lists/paging.ts";
import { keep } from "../records/body.ts";
import { listOf } from "../records/envelope.ts";
import { exampleLatestPositionRecord, latestPositionSchema, writeLatestPosition } from "../records/latest-position.ts";
import type { Answer, Route, RouteCall } from "../route.ts";

const path = "/positions/latest";
const rules: ListRules = { endpoint: path, filters: [], maxSpanDays: null, needsDevice: false };

/** The one that is polled: as long as nothing changed that the viewer sees, it costs one number. */
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
  parameters: [deviceId, imei, limit, cursor],
  response: listOf(latestPositionSchema, "LatestPosition"),
  example: {
    request: "/positions/latest?imei=356307042441013",
    response: { data: [exampleLatestPositionRecord], next_cursor: null },
  },
  conditional: true,
  windowed: false,
  problems: (call) => pageProblems(call, rules),
  answer,
};

async function answer(call: RouteCall): Promise<Answer> {
  const page = await readPage<string>(call, rules);
  const { visibility, kept } = call;
  // The revision is read before the rows: what is written in between makes the page newer than it says, never older.
  const { livePositions } = await kept.revisions(visibility);
  const key = `${viewerKey(visibility)} ${page.device?.id ?? ""} ${page.limit} ${page.after ?? ""}`;
  return { body: await kept.latestPages.page(key, livePositions, () => makePage(call, page)) };
}

async function makePage(call: RouteCall, page: PageRequest<string>): Promise<Uint8Array<ArrayBuffer>> {
  const wanted = { device: page.device?.device ?? null, after: page.after, count: page.limit + 1 };
  const rows = await latestPositions(call.database, call.visibility, wanted);
  const next = (last: (typeof rows)[number]) => nextCursor(call, rules, page, last.device_id);
  return keep(listPage(rows, page.limit, writeLatestPosition, next));
}
