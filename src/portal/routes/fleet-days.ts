import { driverSums } from "../fleet-days/driver-sums.ts";
import { fleetDays } from "../fleet-days/fleet-days.ts";
import { portalRoute } from "../route.ts";

/** What the fleet did in some days, as the user sees it. */
export const showFleetDays = portalRoute("GET /fleet-days", "signed in", async ({ parts, session, query, now }) => ({
  body: await fleetDays(parts.database, session.visibility, query, now),
}));

/** Who drove how much of it. */
export const showDriverSums = portalRoute("GET /driver-sums", "signed in", async ({ parts, session, query }) => ({
  body: await driverSums(parts.database, session.visibility, query),
}));
