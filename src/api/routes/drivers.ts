import {
  allDrivers,
  compareDrivers,
  type Driver,
  driversSeen,
  type SeenDriver,
} from "../../store/fleet/seen-drivers.ts";
import { listPage } from "../lists/list-page.ts";
import { pagedRoute } from "../lists/paging.ts";
import { firstRows } from "../lists/parts.ts";
import { driver } from "../records/driver.ts";
import type { Route } from "../route.ts";

/** All trips of each are looked at, in an index: some milliseconds for this many. */
const driversPerPart = 50;

export const driverList: Route = pagedRoute<Driver>(
  {
    path: "/drivers",
    operationId: "listDrivers",
    tag: "Devices",
    summary: "List drivers",
    description:
      "The people whom the account named as drivers, by name, and then the tags and cards that nobody has named: for a key of the " +
      "owner all, for a key of a sub-account those who were seen in vehicles in sight.",
    scope: "devices:read",
    record: driver,
    example: "/drivers",
    formats: { keys: () => ["driver_ids"] },
  },
  async (call, page, cursorAfter) => {
    const { database, visibility } = call;
    const all = await allDrivers(database, visibility);
    const { after } = page;
    const begin = after === null ? 0 : all.findIndex((one) => compareDrivers(one, after) > 0);
    const wanted = begin < 0 ? [] : all.slice(begin);
    const rows = await firstRows(page.limit + 1, async (place: number | null) => {
      const start = place ?? 0;
      const next = start + driversPerPart;
      const seen = await driversSeen(database, visibility, wanted.slice(start, next));
      return { rows: seen, next: next < wanted.length ? next : null };
    });
    return listPage<SeenDriver>(call, rows, page.limit, driver.json, ({ id, name, driver_ids }) =>
      cursorAfter({ id, name, driver_ids: driver_ids.slice(0, 1) }),
    );
  },
);
