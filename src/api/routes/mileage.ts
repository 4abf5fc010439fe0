import { storedZone } from "../../domain/time/time-zone.ts";
import { withTag } from "../../domain/visibility.ts";
import { fewWithTag } from "../../store/account-walk.ts";
import { type MileageRow, mileageDays } from "../../store/facts/mileage.ts";
import { accountZones } from "../../store/fleet/accounts.ts";
import { listFormats } from "../formats/list-formats.ts";
import { narrowedDevice } from "../input/device-input.ts";
import { tag } from "../input/filters.ts";
import type { Input } from "../input/parameter.ts";
import { deviceId, imeiParameter, reportFrom, reportTo } from "../input/parameters.ts";
import { groupBy, period } from "../input/sum-filters.ts";
import { longListBody, partedBody } from "../lists/long-list.ts";
import { mileagePeriodParts } from "../lists/mileage-periods.ts";
import { daysOfWindow, reportWindow } from "../lists/report-window.ts";
import { readWindow, windowHeaders, windowProblems } from "../lists/window.ts";
import { wholeListOf } from "../records/body.ts";
import { mileageDay } from "../records/mileage.ts";
import { mileagePeriod } from "../records/mileage-period.ts";
import type { Route, RouteCall } from "../route.ts";
import { nextTurn } from "../turns.ts";

/** A year of a large fleet is millions of rows: read and sent in parts of a few milliseconds each. */
const rowsPerPart = 500;

/** A report by periods is streamed if it takes more parts. Most fleets need one or two. */
const partsAtOnce = 8;

const formats = listFormats({
  schema: mileageDay.schema,
  otherSchema: mileagePeriod.schema,
  schemaOf: (input) => (input && isByPeriod(input) ? mileagePeriod : mileageDay).schema,
  keys: (input) => (input === null || input.get(groupBy) === "tag" ? ["date", "tag"] : ["date"]),
});

export const reportMileage: Route = {
  path: "/reports/mileage",
  operationId: "reportMileage",
  tag: "Reports",
  summary: "Report mileage",
  description:
    "One pre-computed row per device and day of the account's time zone, by device and then day. A day is in the report if it " +
    "overlaps the window, which may span 366 days. In this report a date without a time is midnight of that zone. This list " +
    "has no pages. Sums by week, month, tag, driver or fleet are at `/reports/mileage/sums`.",
  scope: "reports:read",
  parameters: [tag, deviceId, imeiParameter, reportFrom, reportTo, period, groupBy, ...formats.parameters],
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
    const days = daysOfWindow(zones, window);
    const visibility = withTag(call.visibility, call.input.get(tag));
    const range = { device: device?.device ?? null, days };
    // One device has a year of rows at most.
    if (device === null) await nextTurn();
    if (isByPeriod(call.input)) {
      const sums = {
        ...range,
        period: call.input.get(period) ?? "day",
        group: call.input.get(groupBy) ?? "device",
        driverId: null,
        fromDevice: null,
        maxRows: Number.POSITIVE_INFINITY,
      } as const;
      const parts = mileagePeriodParts({ ...call, visibility }, sums);
      const answer = await partedBody(call, { parts, json: mileagePeriod.json, partsAtOnce });
      return { ...answer, headers: { ...windowHeaders(window), Link: successor(call) } };
    }
    const revision = async () => (await call.counters()).devices;
    const answer = await longListBody<MileageRow>(call, {
      read: (after, count) =>
        call.read(async (reader) => {
          const among = device === null ? await fewWithTag(reader, visibility, revision) : undefined;
          return mileageDays(reader, visibility, { ...range, among }, { after, count });
        }),
      rowsPerPart,
      // More than one part is streamed.
      maxBodyLength: 0,
      json: mileageDay.json,
      pages: null,
    });
    return { ...answer, headers: windowHeaders(window) };
  },
};

function isByPeriod(input: Input): boolean {
  return input.get(period) !== null || input.get(groupBy) !== null;
}

/** The same sums where the description has their rows. `group_by` alone means days here. */
function successor({ query, input }: RouteCall): string {
  const words = new URLSearchParams(query);
  words.set(period.name, input.get(period) ?? "day");
  words.set(groupBy.name, input.get(groupBy) ?? "device");
  return `<mileage/sums?${words}>; rel="successor-version"`;
}
