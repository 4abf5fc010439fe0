import { daysOf } from "../../domain/window.ts";
import { type MileageRow, mileage } from "../../store/mileage.ts";
import { narrowedDevice } from "../input/device-input.ts";
import { deviceId, from, imei, to } from "../input/parameters.ts";
import { listParts } from "../lists/list-parts.ts";
import { longAnswer } from "../lists/long-answer.ts";
import { readWindow, windowHeaders, windowProblems } from "../lists/paging.ts";
import { listBody } from "../records/body.ts";
import { wholeListOf } from "../records/envelope.ts";
import { exampleMileageRecord, mileageSchema, writeMileage } from "../records/mileage.ts";
import type { Route, RouteCall } from "../route.ts";
import { nextTurn } from "../turns.ts";

const maxReportDays = 366;

/** A year of a large fleet is millions of rows: it is read and sent in parts of some milliseconds each. */
const rowsPerPart = 500;

export const reportMileage: Route = {
  path: "/reports/mileage",
  operationId: "reportMileage",
  tag: "Reports",
  summary: "Report mileage",
  description:
    "One pre-computed row per device and UTC day, by device and then day. A day is in the report if it overlaps the window, " +
    "which may span 366 days. This list has no pages.",
  scope: "reports:read",
  parameters: [deviceId, imei, from, to],
  response: wholeListOf(mileageSchema, "Mileage"),
  example: {
    request: "/reports/mileage?from=2026-03-17T00:00:00Z&to=2026-03-18T00:00:00Z",
    response: { data: [exampleMileageRecord], next_cursor: null },
  },
  conditional: false,
  windowed: true,
  problems: (call) => windowProblems(call, maxReportDays),
  async answer(call) {
    const window = readWindow(call, maxReportDays, call.now);
    const device = await narrowedDevice(call);
    const range = { device: device?.device ?? null, ...daysOf(window) };
    const read = (after: MileageRow | null) =>
      mileage(call.database, call.visibility, range, { after, count: rowsPerPart });
    // Of one device it is a year at most.
    if (device === null) await nextTurn();
    const rows = await read(null);
    const body =
      rows.length < rowsPerPart ? listBody(rows, rows.length, writeMileage, null) : await longReport(call, read);
    return { body, headers: windowHeaders(window) };
  },
};

/** Begins with the first rows again: whoever has to wait for a place holds none meanwhile. */
function longReport(
  call: RouteCall,
  read: (after: MileageRow | null) => Promise<readonly MileageRow[]>,
): Promise<ReadableStream<Uint8Array>> {
  const part = async (after: MileageRow | null) => {
    const rows = await read(after);
    return { rows, nextCursor: rows.length < rowsPerPart ? null : undefined };
  };
  return longAnswer(call, listParts(part, writeMileage));
}
