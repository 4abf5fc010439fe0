import { withTag } from "../../domain/visibility.ts";
import { pointGeometry } from "../formats/geojson.ts";
import { tag } from "../input/filters.ts";
import { nearbyOf, nearParameter, radius, radiusProblems } from "../input/near.ts";
import { wholeNumber } from "../input/parameter.ts";
import { cursor, deviceId, imeiParameter, timeParameter } from "../input/parameters.ts";
import { namesIn } from "../lists/history-frames.ts";
import { writtenPage } from "../lists/list-page.ts";
import { filterValue, maxWindowDays, pagedRoute } from "../lists/paging.ts";
import { positionsAt, positionsNear } from "../lists/positions-at.ts";
import { positionAt, writePositionsAt } from "../records/position-at.ts";
import type { Route } from "../route.ts";

export const maxAge = wholeNumber({
  name: "max_age_s",
  description: "How old a position may be at that time, in seconds. A device without one that young is absent.",
  minimum: 0,
  maximum: maxWindowDays * 86_400,
  default: 3600,
  example: 3600,
});

export const listPositionsAt: Route = pagedRoute<string>(
  {
    path: "/positions/at",
    operationId: "listPositionsAt",
    tag: "Positions",
    summary: "List positions at a time",
    description:
      "The last valid position of each device at or before a moment, in ascending device id, and how old it was then. A device " +
      "that had none younger than `max_age_s`, or whose frames of that time are no longer stored, is absent. With `near`, one " +
      "page of the nearest devices; it takes longer the more devices the key can see.",
    scope: "positions:read",
    record: positionAt,
    example: "/positions/at?time=2026-03-17T08:03:00Z&near=52.5163,13.3777&radius_m=2000",
    parameters: [timeParameter, maxAge, deviceId, imeiParameter, tag, nearParameter, radius],
    formats: { geojson: { idField: "device_id", geometryOf: pointGeometry } },
    problems: (call) => [...timeProblems(call), ...radiusProblems(call)],
  },
  async (call, request, cursorAfter) => {
    const { device, limit, after } = request;
    const atMs = filterValue(request, timeParameter) ?? call.now;
    const earliestMs = atMs - (filterValue(request, maxAge) ?? 0) * 1000;
    const nearby = nearbyOf(filterValue(request, nearParameter), filterValue(request, radius));
    const visibility = withTag(call.visibility, filterValue(request, tag));
    const page = { device: device?.device ?? null, after, atMs, earliestMs };
    const rows = await call.read((reader) =>
      nearby === null
        ? positionsAt(reader, visibility, { ...page, count: limit + 1 })
        : positionsNear(reader, visibility, { ...page, count: limit }, nearby),
    );
    const names = await namesIn(
      call,
      rows.map(({ frame }) => frame),
    );
    return writtenPage(call, (json) => {
      const shown = rows.slice(0, limit);
      writePositionsAt(json, shown, names);
      const last = shown.at(-1);
      return rows.length > limit && last !== undefined ? cursorAfter(last.device_id) : null;
    });
  },
);

function timeProblems({ input }: Parameters<typeof radiusProblems>[0]): string[] {
  return input.names(timeParameter) || input.names(cursor)
    ? []
    : [`time: expected ${timeParameter.expected}, got nothing`];
}
