import { describe } from "bun:test";
import { describeInBrowser } from "../support/browser-test.ts";
import { testAudit } from "./browser/audit.ts";
import { testKeys, testTrackers } from "./browser/keys.ts";
import { testLooks } from "./browser/looks.ts";
import { testNotifications } from "./browser/notifications.ts";
import { testPeople } from "./browser/people.ts";
import { testPlannedReports } from "./browser/planned-reports.ts";
import { testRules } from "./browser/rules.ts";
import { testSessions } from "./browser/sessions.ts";
import { testSetup } from "./browser/setup.ts";
import { testShares } from "./browser/shares.ts";
import { testVehicles } from "./browser/vehicles.ts";

describeInBrowser((given) => {
  testSessions(given);
  testSetup(given);
  testKeys(given);
  describe("share links", () => testShares(given));
  testPeople(given);
  testNotifications(given);
  testPlannedReports(given);
  describe("the rules", () => testRules(given));
  testLooks(given);
  describe("the owner's vehicles", () => testVehicles(given));
  testTrackers(given);
  testAudit(given);
});
