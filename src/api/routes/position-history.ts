import { packed } from "../../domain/packed-frame.ts";
import type { Visibility } from "../../domain/visibility.ts";
import { dayMs } from "../../domain/window.ts";
import { isEmbedded, type Reader } from "../../store/database.ts";
import { endOfFrames, type FrameKey, type HistoryPage, history } from "../../store/positions.ts";
import { validOnly } from "../input/filters.ts";
import { windowedRoute } from "../lists/windowed-list.ts";
import { listBodyOf } from "../records/body.ts";
import { writeFrames } from "../records/packed-frames.ts";
import { examplePositionRecord, positionSchema } from "../records/position.ts";
import type { Route } from "../route.ts";
import { nextTurn } from "../turns.ts";

export const listPositionHistory: Route = windowedRoute<string, FrameKey>({
  path: "/positions/history",
  operationId: "listPositionHistory",
  tag: "Positions",
  summary: "List stored positions",
  description:
    "The stored frames of one device, in ascending time, for backfill and reports; do not poll it on a timer. A device is " +
    "required: `device_id`, or `imei` instead.",
  scope: "positions:read",
  name: "Position",
  record: positionSchema,
  example: {
    request: "/positions/history?imei=356307042441013&from=2026-03-17T07:00:00Z&to=2026-03-17T09:00:00Z",
    response: { data: [examplePositionRecord], next_cursor: null },
  },
  filters: [{ parameter: validOnly, otherwise: true }],
  needsDevice: true,
  query: (reader, visibility, page, { filters, device }) =>
    frames(reader, visibility, { ...page, device: given(device), validOnly: filters[validOnly.name] === true }),
  present: (frames, pageSize, cursorAfter, { device }) =>
    listBodyOf((json) => {
      const last = writeFrames(json, given(device), frames, pageSize);
      return last && cursorAfter(last);
    }),
});

/**
 * The frames of a page. In an embedded store all that were rejected are read as well: if the first day does not fill the
 * page, the rest is read in parts.
 */
async function frames(reader: Reader, visibility: Visibility, page: HistoryPage): Promise<string> {
  const start = page.after?.at ?? page.fromMs;
  const isShort = page.toMs - start <= dayMs;
  if (isShort || !page.validOnly || !isEmbedded(reader)) return history(reader, visibility, page);
  let found = await history(reader, visibility, { ...page, toMs: start + dayMs });
  for (let fromMs = start + dayMs; ; ) {
    const count = page.count - countOf(found);
    if (count <= 0) return found;
    await nextTurn();
    const end = await endOfFrames(reader, visibility, { ...page, fromMs });
    const toMs = end === null ? page.toMs : end + 1;
    found += await history(reader, visibility, { ...page, fromMs, toMs, count, after: null });
    if (end === null) return found;
    fromMs = toMs;
  }
}

/** Each ends with what no frame holds. */
function countOf(frames: string): number {
  let count = 0;
  for (let at = frames.indexOf(packed.end); at >= 0; at = frames.indexOf(packed.end, at + 1)) count++;
  return count;
}

/** A list that needs a device is not asked for without one. */
function given<Device>(device: Device | null): Device {
  if (device === null) throw new Error("history was asked for without a device");
  return device;
}
