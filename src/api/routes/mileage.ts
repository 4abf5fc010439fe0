import { daysOf } from "../../domain/window.ts";
import { type MileageRow, mileage } from "../../store/mileage.ts";
import { narrowedDevice } from "../input/device-input.ts";
import { deviceId, from, imei, to } from "../input/parameters.ts";
import { longListBody } from "../lists/long-list.ts";
import { readWindow, windowHeaders, windowProblems } from "../lists/paging.ts";
import { wholeListOf } from "../records/envelope.ts";
import { mileageDay } from "../records/mileage.ts";
import type { Route } from "../route.ts";
import { nextTurn } from "../turns.ts";

const maxReportDays = 366;

/** A year of a large fleet is millions of rows: read and sent in parts of a few milliseconds each. */
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
  response: wholeListOf(mileageDay.schema, "Mileage"),
  example: {
    request: "/reports/mileage?from=2026-03-17T00:00:00Z&to=2026-03-18T00:00:00Z",
    response: { data: [mileageDay.example], next_cursor: null },
  },
  conditional: false,
  windowed: true,
  problems: (call) => windowProblems(call, maxReportDays),
  async answer(call) {
    const window = readWindow(call, maxReportDays, call.now);
    const device = await narrowedDevice(call);
    const range = { device: device?.device ?? null, ...daysOf(window) };
    // One device has a year of rows at most.
    if (device === null) await nextTurn();
    const body = await longListBody<MileageRow>(call, {
      read: (after, count) => mileage(call.database, call.visibility, range, { after, count }),
      rowsPerPart,
      // More than one part is streamed.
      maxBodyLength: 0,
      limit: Number.POSITIVE_INFINITY,
      json: mileageDay.json,
      cursorAfter: () => null,
    });
    return { body, headers: windowHeaders(window) };
  },
};
