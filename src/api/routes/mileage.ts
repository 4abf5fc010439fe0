import { storedZone } from "../../domain/time/time-zone.ts";
import { daysOf, type Window } from "../../domain/time/window.ts";
import { withTag } from "../../domain/visibility.ts";
import { type MileageRow, mileage, type ZoneDayRange } from "../../store/facts/mileage.ts";
import { accountZones } from "../../store/fleet/accounts.ts";
import { listFormats } from "../formats/list-formats.ts";
import { narrowedDevice } from "../input/device-input.ts";
import { tag } from "../input/filters.ts";
import { deviceId, imei, reportFrom, reportTo } from "../input/parameters.ts";
import { longListBody } from "../lists/long-list.ts";
import { readWindow, windowHeaders, windowProblems } from "../lists/window.ts";
import { wholeListOf } from "../records/body.ts";
import { mileageDay } from "../records/mileage.ts";
import type { Route } from "../route.ts";
import { nextTurn } from "../turns.ts";

const reportWindow = { from: reportFrom, to: reportTo, maxDays: 366 };

/** A year of a large fleet is millions of rows: read and sent in parts of a few milliseconds each. */
const rowsPerPart = 500;

const formats = listFormats({ schema: mileageDay.schema });

export const reportMileage: Route = {
  path: "/reports/mileage",
  operationId: "reportMileage",
  tag: "Reports",
  summary: "Report mileage",
  description:
    "One pre-computed row per device and day of the account's time zone, by device and then day. A day is in the report if it " +
    "overlaps the window, which may span 366 days. In this report a date without a time is midnight of that zone. This list " +
    "has no pages.",
  scope: "reports:read",
  parameters: [tag, deviceId, imei, reportFrom, reportTo, ...formats.parameters],
  response: wholeListOf(mileageDay.schema, "Mileage"),
  formats,
  example: {
    request: "/reports/mileage?from=2026-03-17&to=2026-03-18",
    response: { data: [mileageDay.example], next_cursor: null },
  },
  windowed: true,
  problems: (call) => windowProblems(call, reportWindow),
  async answer(call) {
    const zones = await accountZones(call.database, call.visibility.accountId);
    const window = readWindow(call, reportWindow, storedZone(zones.present));
    const device = await narrowedDevice(call);
    const inZone = (timeZone: string) => daysIn(timeZone, window);
    const days = [inZone(zones.present), ...zones.earlier.map(inZone)] as const;
    const visibility = withTag(call.visibility, call.input.get(tag));
    const range = { device: device?.device ?? null, days };
    // One device has a year of rows at most.
    if (device === null) await nextTurn();
    const answer = await longListBody<MileageRow>(call, {
      read: (after, count) => call.read((reader) => mileage(reader, visibility, range, { after, count })),
      rowsPerPart,
      // More than one part is streamed.
      maxBodyLength: 0,
      json: mileageDay.json,
      pages: null,
    });
    return { ...answer, headers: windowHeaders(window) };
  },
};

function daysIn(timeZone: string, window: Window): ZoneDayRange {
  return { timeZone, ...daysOf(window, storedZone(timeZone)) };
}
