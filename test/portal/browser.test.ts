import { afterAll, beforeAll, describe, expect } from "bun:test";
import { patienceMs } from "../support/patience.ts";
import { type PortalSite, startPortalSite } from "../support/portal-site.ts";
import { testAlerts } from "./browser/alerts.ts";
import { testAudit } from "./browser/audit.ts";
import { testFences } from "./browser/fences.ts";
import { testKeys, testTrackers } from "./browser/keys.ts";
import { testLooks, testTouch } from "./browser/looks.ts";
import { testLostServer } from "./browser/lost-server.ts";
import { testMap, testMapPlaces } from "./browser/map.ts";
import { testPeople } from "./browser/people.ts";
import { testPlayback } from "./browser/playback.ts";
import { testReading } from "./browser/reading.ts";
import { testGuide, testReference } from "./browser/reference.ts";
import { testReports } from "./browser/reports.ts";
import { testRules } from "./browser/rules.ts";
import { testSessions } from "./browser/sessions.ts";
import { testSetup } from "./browser/setup.ts";
import { testMapStyle, testStreets } from "./browser/streets.ts";
import { testVehicles } from "./browser/vehicles.ts";
import { testYesterday } from "./browser/yesterday.ts";

// One program, one fleet and one browser for all of them: to start these takes longer than most of the tests.
let site: PortalSite;
const given = () => site;

beforeAll(async () => {
  site = await startPortalSite();
}, patienceMs);

afterAll(async () => {
  const faults = site.faults();
  await site.close();
  expect(faults).toEqual([]);
});

describe("in a browser", () => {
  testSessions(given);
  testSetup(given);
  // Before anybody is given other vehicles.
  testReference(given);
  testGuide(given);
  testYesterday(given);
  testKeys(given);
  testPeople(given);
  testAlerts(given);
  testMap(given);
  describe("with a yard and a geocoder", () => testMapPlaces(given));
  describe("fences", () => testFences(given));
  testPlayback(given);
  testReading(given);
  testReports(given);
  describe("the rules", () => testRules(given));
  testMapStyle(given);
  describe("with streets", () => testStreets(given));
  testLostServer(given);
  testTouch(given);
  testLooks(given);
  describe("the owner's vehicles", () => testVehicles(given));
  testTrackers(given);
  testAudit(given);
});
