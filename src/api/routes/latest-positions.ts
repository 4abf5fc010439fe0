import { type LatestPositionRow, latestPositions } from "../../store/frames/positions.ts";
import { pointOf } from "../formats/geojson.ts";
import { deviceId, imei } from "../input/parameters.ts";
import { idList } from "../lists/id-list.ts";
import { latestPosition, writeLatestPositions } from "../records/latest-position.ts";
import type { Route } from "../route.ts";

/** The list that is polled: as long as nothing visible has changed, it costs comparing one number. */
export const listLatestPositions: Route = idList<LatestPositionRow>({
  path: "/positions/latest",
  operationId: "listLatestPositions",
  tag: "Positions",
  summary: "List live positions",
  description:
    "The newest valid position of each device, in ascending device id. Poll it every 10 seconds with the `ETag` of the " +
    "answer before as `If-None-Match`: while nothing has changed the answer is 304, without a body and free of the day's " +
    "quota.",
  scope: "positions:read",
  record: latestPosition,
  example: "/positions/latest?imei=356307042441013",
  parameters: [deviceId, imei],
  conditional: true,
  formats: { geojson: { idField: "device_id", geometryOf: pointOf } },
  query: ({ database, visibility }, { device, after }, count) =>
    latestPositions(database, visibility, { device: device?.device ?? null, after, count }),
  idOf: (row) => row.device_id,
  cached: { pages: "latestPages", revisionOf: ({ livePositions }) => livePositions },
  write: writeLatestPositions,
});
