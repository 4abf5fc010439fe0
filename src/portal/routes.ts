import { createRouter } from "../http/router.ts";
import { apiPath, type PortalRoute } from "./route.ts";
import * as alertCounts from "./routes/alert-counts.ts";
import * as alerts from "./routes/alerts.ts";
import * as data from "./routes/data.ts";
import * as download from "./routes/download.ts";
import * as account from "./routes/fleet/account.ts";
import * as audit from "./routes/fleet/audit.ts";
import * as changeDevices from "./routes/fleet/change-devices.ts";
import * as devices from "./routes/fleet/devices.ts";
import * as geofences from "./routes/fleet/geofences.ts";
import * as importDevices from "./routes/fleet/import-devices.ts";
import * as removed from "./routes/fleet/removed.ts";
import * as rules from "./routes/fleet/rules.ts";
import * as tokens from "./routes/fleet/tokens.ts";
import * as unknownDevices from "./routes/fleet/unknown-devices.ts";
import * as userAccess from "./routes/fleet/user-access.ts";
import * as people from "./routes/fleet/users.ts";
import * as fleetDays from "./routes/fleet-days.ts";
import * as keys from "./routes/keys.ts";
import * as links from "./routes/links.ts";
import * as openId from "./routes/openid.ts";
import * as place from "./routes/place.ts";
import * as preferences from "./routes/preferences.ts";
import * as session from "./routes/session.ts";
import * as sessions from "./routes/sessions.ts";
import * as setup from "./routes/setup.ts";
import * as trackerFaults from "./routes/tracker-faults.ts";
import * as usage from "./routes/usage.ts";
import * as users from "./routes/users.ts";

const ofPeople = [session, sessions, openId, setup, links, preferences, keys, usage, users];
const ofData = [data, fleetDays, place, download, alerts, alertCounts, trackerFaults];
const ofVehicles = [devices, changeDevices, importDevices, unknownDevices, geofences, rules, removed, tokens];
const ofAccount = [people, userAccess, account, audit];

/** In the order in which a 405 names them. */
const methods: readonly PortalRoute["method"][] = ["GET", "POST", "PUT", "DELETE"];

/** Everything under /portal/api: all routes that these files export. */
export const portalRoutes: readonly PortalRoute[] = [ofPeople, ofData, ofVehicles, ofAccount]
  .flat()
  .flatMap((file): unknown[] => Object.values(file))
  .filter(isRoute)
  .sort((one, other) => methods.indexOf(one.method) - methods.indexOf(other.method));

/** Some also export functions for each other. */
function isRoute(exported: unknown): exported is PortalRoute {
  return typeof exported === "object" && exported !== null && "answer" in exported;
}

export const findPortalRoute = createRouter(
  portalRoutes.map((route) => ({
    methods: route.method === "GET" ? ["GET", "HEAD"] : [route.method],
    path: apiPath + route.path,
    route,
  })),
);
