import { withTag } from "../../domain/visibility.ts";
import { accountZones } from "../../store/fleet/accounts.ts";
import { withDriverNames } from "../../store/fleet/drivers.ts";
import { drivenBy } from "../input/driver-filter.ts";
import { tag } from "../input/filters.ts";
import { deviceId, imeiParameter, reportFrom, reportTo } from "../input/parameters.ts";
import { sumGroup, sumPeriod } from "../input/sum-filters.ts";
import { listPage } from "../lists/list-page.ts";
import { compareMembers, mileagePeriodParts } from "../lists/mileage-periods.ts";
import { filterValue, pagedRoute } from "../lists/paging.ts";
import { daysOfWindow, reportWindow } from "../lists/report-window.ts";
import { windowHeaders } from "../lists/window.ts";
import { type MileageSumsRow, summedMileage } from "../records/mileage-sums.ts";
import type { Route } from "../route.ts";
import { nextTurn } from "../turns.ts";

/** Whose sums a row is, and from which day on. */
interface SumsKey {
  readonly member: string | null;
  readonly day: number;
}

/** Which field says whose sums a row is. The start of its period is its first field, which is always shown. */
const memberFields = { device: [], tag: ["tag"], driver: ["driver_id"], fleet: [] } as const;

/** Sums of a whole fleet's year take some seconds on PostgreSQL. No statement takes that long. */
const deadlineMs = 30_000;

export const reportMileageSums: Route = {
  ...pagedRoute<SumsKey>(
    {
      path: "/reports/mileage/sums",
      operationId: "reportMileageSums",
      tag: "Reports",
      summary: "Report sums of mileage",
      description:
        "Sums of the days of `/reports/mileage`, one row for each period and device, tag, driver or fleet, by these and then by " +
        "time. A day counts if it overlaps the window, which may span 366 days; periods are cut to it. In this report a date " +
        "without a time is midnight of the account's time zone.",
      scope: "reports:read",
      record: summedMileage,
      example: "/reports/mileage/sums?from=2026-03-17&to=2026-03-18",
      parameters: [sumPeriod, sumGroup, drivenBy, tag, deviceId, imeiParameter, reportFrom, reportTo],
      window: reportWindow,
      formats: {
        keys: (input) => (input === null ? ["tag", "driver_id"] : memberFields[input.get(sumGroup) ?? "device"]),
      },
    },
    async (call, page, cursorAfter) => {
      const { database, visibility } = call;
      const window = page.window ?? { fromMs: 0, toMs: 0, clamped: false };
      const group = filterValue(page, sumGroup) ?? "device";
      const { after, limit } = page;
      // One device has a year of days at most.
      if (page.device === null) await nextTurn();
      const parts = mileagePeriodParts(
        { ...call, visibility: withTag(visibility, filterValue(page, tag)) },
        {
          device: page.device?.device ?? null,
          days: daysOfWindow(await accountZones(database, visibility.accountId), window),
          period: filterValue(page, sumPeriod) ?? "total",
          group,
          driverId: filterValue(page, drivenBy),
          // The page before may end within a device.
          fromDevice: group === "device" ? (after?.member ?? null) : null,
          maxRows: limit + 1,
        },
      );
      const keyOf = (row: MileageSumsRow): SumsKey => ({
        member: { device: row.device?.id ?? null, tag: row.tag, driver: row.driver_id, fleet: null }[group],
        day: row.from_day,
      });
      const found: MileageSumsRow[] = [];
      for await (const { rows } of parts) {
        found.push(...rows.filter((row) => after === null || isLater(keyOf(row), after)));
        if (found.length > limit) break;
      }
      const named = await withDriverNames(database, visibility.accountId, found.slice(0, limit + 1));
      const made = await listPage(call, named, limit, summedMileage.json, (last) => cursorAfter(keyOf(last)));
      return { ...made, headers: windowHeaders(window) };
    },
  ),
  deadlineMs,
};

function isLater(one: SumsKey, other: SumsKey): boolean {
  const order = compareMembers(one.member, other.member);
  return order > 0 || (order === 0 && one.day > other.day);
}
