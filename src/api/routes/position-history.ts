import { frameLayout } from "../../domain/frame-text.ts";
import { dayMs } from "../../domain/time.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../../store/database.ts";
import { endOfFrames, type FrameKey, type HistoryPage, history, isSearched } from "../../store/positions.ts";
import { pointOf } from "../formats/geojson.ts";
import { openTrack } from "../formats/gpx.ts";
import { validOnly } from "../input/filters.ts";
import { listDocument } from "../lists/list-page.ts";
import { byTime, inParts } from "../lists/parts.ts";
import { windowedRoute } from "../lists/windowed-list.ts";
import { lentListPage, writtenText } from "../records/body.ts";
import { writeFrames } from "../records/frames-json.ts";
import type { JsonWriter } from "../records/json-writer.ts";
import { position } from "../records/position.ts";
import type { Route } from "../route.ts";

export const listPositionHistory: Route = windowedRoute<string, FrameKey>({
  path: "/positions/history",
  operationId: "listPositionHistory",
  tag: "Positions",
  summary: "List stored positions",
  description:
    "The stored frames of one device, in ascending time, for backfill and reports; do not poll it on a timer. A device is " +
    "required: `device_id`, or `imei` instead.",
  scope: "positions:read",
  record: position,
  example: {
    request: "/positions/history?imei=356307042441013&from=2026-03-17T07:00:00Z&to=2026-03-17T09:00:00Z",
    response: { data: [position.example], next_cursor: null },
  },
  filters: [{ parameter: validOnly, otherwise: true }],
  needsDevice: true,
  // A frame has no id of its own.
  formats: { geojson: { idField: null, geometryOf: pointOf }, gpx: openTrack },
  query: (reader, visibility, page, { filters, device }) =>
    frames(reader, visibility, { ...page, device: given(device), validOnly: filters[validOnly.name] === true }),
  present(call, frames, pageSize, cursorAfter, { device }) {
    const write = (json: JsonWriter): string | null => {
      const last = writeFrames(json, given(device), frames, pageSize);
      return last && cursorAfter(last);
    };
    if (call.format === "json") return lentListPage(write);
    let next: string | null = null;
    const records = writtenText((json) => {
      next = write(json);
    });
    return listDocument(call, records, next);
  },
});

/** The frames of a page, in the store's own form. */
async function frames(reader: Reader, visibility: Visibility, page: HistoryPage): Promise<string> {
  const read = (part: HistoryPage) => history(reader, visibility, part);
  if (!isSearched(reader, page)) return read(page);
  // The first day mostly fills the page, so its end need not be looked up.
  const start = page.after?.at ?? page.fromMs;
  const endOfPart = async (rest: HistoryPage) =>
    rest === page ? start + dayMs - 1 : endOfFrames(reader, visibility, rest);
  let found = "";
  for await (const { rows } of inParts(byTime(page, endOfPart, read))) {
    found += rows;
    if (countOf(found) >= page.count) break;
  }
  return found;
}

/** Each ends with a character that no frame contains. */
function countOf(frames: string): number {
  let count = 0;
  for (let at = frames.indexOf(frameLayout.end); at >= 0; at = frames.indexOf(frameLayout.end, at + 1)) count++;
  return count;
}

/** A list that requires a device is never read without one. */
function given<Device>(device: Device | null): Device {
  if (device === null) throw new Error("history needs a device");
  return device;
}
