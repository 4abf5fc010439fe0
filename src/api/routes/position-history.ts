import { type FrameKey, history } from "../../store/positions.ts";
import { validOnly } from "../input/filters.ts";
import { windowedRoute } from "../lists/windowed-list.ts";
import { listBodyOf } from "../records/body.ts";
import { writeFrames } from "../records/packed-frames.ts";
import { examplePositionRecord, positionSchema } from "../records/position.ts";
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
  name: "Position",
  record: positionSchema,
  example: {
    request: "/positions/history?imei=356307042441013&from=2026-03-17T07:00:00Z&to=2026-03-17T09:00:00Z",
    response: { data: [examplePositionRecord], next_cursor: null },
  },
  filters: [{ parameter: validOnly, otherwise: true }],
  needsDevice: true,
  query: (reader, visibility, page, { filters, device }) =>
    history(reader, visibility, { ...page, device: given(device), validOnly: filters[validOnly.name] === true }),
  present: (frames, pageSize, cursorAfter, { device }) =>
    listBodyOf((json) => {
      const last = writeFrames(json, given(device), frames, pageSize);
      return last && cursorAfter(last);
    }),
});

/** A list that needs a device is not asked for without one. */
function given<Device>(device: Device | null): Device {
  if (device === null) throw new Error("history was asked for without a device");
  return device;
}
