import { createRouter } from "../http/router.ts";
import { apiPath, type PortalRoute } from "./route.ts";
import {
  acknowledge,
  acknowledgeDay,
  acknowledgeMany,
  countPortalAlerts,
  seeAlerts,
  showAcknowledgement,
} from "./routes/alerts.ts";
import { readData } from "./routes/data.ts";
import {
  endDemoAccount,
  enterDemoAccount,
  leaveDemoAccount,
  showDemoAccount,
  wantDemoAccount,
} from "./routes/demo-account.ts";
import { downloadList } from "./routes/download.ts";
import { changePortalAccount, showPortalAccount } from "./routes/fleet/account.ts";
import { downloadAuditLog, listAuditedPeople, listAuditLog } from "./routes/fleet/audit.ts";
import { changeFleetDevices } from "./routes/fleet/change-devices.ts";
import { addFleetDevice, changeFleetDevice, listFleetDevices, listUnknownDevices } from "./routes/fleet/devices.ts";
import { addDriver, changeDriver, eraseFleetDriver, listDrivers } from "./routes/fleet/drivers.ts";
import { addExpectedTracker, listExpectedTrackers, removeExpectedTracker } from "./routes/fleet/expected-trackers.ts";
import {
  addGeofence,
  changeGeofence,
  listFleetGeofences,
  removePortalGeofence,
  restorePortalGeofence,
  showGeofence,
} from "./routes/fleet/geofences.ts";
import { importFleetDevices } from "./routes/fleet/import-devices.ts";
import {
  eraseRemoved,
  eraseRemovedFleetUser,
  listRemovedDevices,
  listRemovedUsers,
  removeFleetDevice,
  removeFleetUser,
  restoreRemovedDevice,
} from "./routes/fleet/removed.ts";
import { changeFleetRules, listFleetRules, replaceOwnRules, showFleetRules } from "./routes/fleet/rules.ts";
import {
  beginStreetUpload,
  cancelStreetUpload,
  finishStreetUpload,
  removeStreets,
  showStreets,
  writeStreetPiece,
} from "./routes/fleet/streets.ts";
import { createPortalToken, listPortalTokens, revokePortalToken } from "./routes/fleet/tokens.ts";
import { showTrackerAddress, watchTrackerMessages } from "./routes/fleet/tracker-messages.ts";
import {
  changePerson,
  changeVisibleDevices,
  createPersonLink,
  endPersonSessions,
  invitePerson,
  listPeople,
} from "./routes/fleet/users.ts";
import { showDriverSums, showFleetDays } from "./routes/fleet-days.ts";
import { listKeptMails, showKeptMail } from "./routes/kept-mails.ts";
import { createPortalKey, listPortalKeys, revokePortalKey, rotatePortalKey } from "./routes/keys.ts";
import {
  requestConfirmation,
  requestPasswordLink,
  showLink,
  useConfirmationLink,
  usePasswordLink,
} from "./routes/links.ts";
import { showLivePositions } from "./routes/live-positions.ts";
import { addNotification, changeNotification, listNotifications, removeNotification } from "./routes/notifications.ts";
import { beginOpenId, finishOpenId } from "./routes/openid.ts";
import { showPlaces } from "./routes/place.ts";
import {
  addPlannedReport,
  changePlannedReport,
  listPlannedReports,
  receivePlannedReport,
  removePlannedReport,
  runPlannedReport,
} from "./routes/planned-reports.ts";
import { chooseAccountPreferences, choosePreferences } from "./routes/preferences.ts";
import { changePassword, endSessionRoute, showSession, showSignIn, startSessionRoute } from "./routes/session.ts";
import { endOtherSessions, endOwnSession, listSessions } from "./routes/sessions.ts";
import { runSetup, showSetup } from "./routes/setup.ts";
import { showShare, showShareTrack } from "./routes/share.ts";
import { createShare, listShares, revokePortalShare } from "./routes/shares.ts";
import { sendTestMail } from "./routes/test-mail.ts";
import { storeTrack } from "./routes/track.ts";
import { listTrackerFaults } from "./routes/tracker-faults.ts";
import { showUsage } from "./routes/usage.ts";
import { listPortalUsers } from "./routes/users.ts";

/** In the order in which a 405 names them. */
const methods: readonly PortalRoute["method"][] = ["GET", "POST", "PUT", "DELETE"];

/** Everything under /portal/api, a line for each file. */
export const portalRoutes: readonly PortalRoute[] = [
  [showSession, showSignIn, startSessionRoute, endSessionRoute, changePassword],
  [listSessions, endOwnSession, endOtherSessions],
  [beginOpenId, finishOpenId],
  [showSetup, runSetup],
  [showLink, usePasswordLink, useConfirmationLink, requestPasswordLink, requestConfirmation],
  [choosePreferences, chooseAccountPreferences],
  [listPortalKeys, createPortalKey, rotatePortalKey, revokePortalKey],
  [listShares, createShare, revokePortalShare],
  [showShare, showShareTrack],
  [showUsage],
  [listPortalUsers],
  [readData, showLivePositions],
  [showFleetDays, showDriverSums],
  [showPlaces],
  [downloadList],
  [acknowledge, acknowledgeMany, acknowledgeDay, showAcknowledgement],
  [countPortalAlerts, seeAlerts],
  [listTrackerFaults],
  [listNotifications, addNotification, changeNotification, removeNotification],
  [sendTestMail],
  [listPlannedReports, addPlannedReport, changePlannedReport, removePlannedReport],
  [runPlannedReport, receivePlannedReport],
  [listFleetDevices, addFleetDevice, changeFleetDevice],
  [changeFleetDevices],
  [importFleetDevices],
  [listUnknownDevices],
  [listExpectedTrackers, addExpectedTracker, removeExpectedTracker],
  [showTrackerAddress, watchTrackerMessages],
  [listFleetGeofences, showGeofence, addGeofence, changeGeofence, removePortalGeofence, restorePortalGeofence],
  [listFleetRules, showFleetRules, changeFleetRules, replaceOwnRules],
  [
    removeFleetDevice,
    listRemovedDevices,
    restoreRemovedDevice,
    eraseRemoved,
    removeFleetUser,
    listRemovedUsers,
    eraseRemovedFleetUser,
  ],
  [listDrivers, addDriver, changeDriver, eraseFleetDriver],
  [showStreets, beginStreetUpload, writeStreetPiece, finishStreetUpload, cancelStreetUpload, removeStreets],
  [listPortalTokens, createPortalToken, revokePortalToken],
  [listPeople, invitePerson, changePerson, changeVisibleDevices],
  [createPersonLink, endPersonSessions],
  [showPortalAccount, changePortalAccount],
  [listAuditLog, listAuditedPeople, downloadAuditLog],
  [storeTrack],
  [listKeptMails, showKeptMail],
  [showDemoAccount, wantDemoAccount, endDemoAccount, enterDemoAccount, leaveDemoAccount],
]
  .flat()
  .sort((one, other) => methods.indexOf(one.method) - methods.indexOf(other.method));

export const findPortalRoute = createRouter(
  portalRoutes.map((route) => ({
    methods: route.method === "GET" ? ["GET", "HEAD"] : [route.method],
    path: apiPath + route.path,
    route,
  })),
);
