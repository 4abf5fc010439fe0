import { type FrameRow, history } from "../../store/positions.ts";
import { validOnly } from "../filters.ts";
import { examplePositionRecord, positionSchema, writePosition } from "../records/position.ts";
import type { Route } from "../route.ts";
import { windowedList } from "../windowed-list.ts";

export const listPositionHistory: Route = windowedList<FrameRow, { at: number; digest: number }>({
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
  async query(reader, visibility, page, { filters, device }) {
    if (device === null) throw new Error("history was asked for without a device");
    return history(reader, visibility, { ...page, device, validOnly: filters[validOnly.name] === true });
  },
  keyOf: (row) => ({ at: row.recorded_at, digest: row.digest }),
  write: writePosition,
});
