import { describe } from "bun:test";
import { describeInBrowser } from "../support/browser-test.ts";
import { testAlerts } from "./browser/alerts.ts";
import { testFences } from "./browser/fences.ts";
import { testLateServer } from "./browser/late-server.ts";
import { testTouch } from "./browser/looks.ts";
import { testLostServer } from "./browser/lost-server.ts";
import { testMap, testMapPlaces } from "./browser/map.ts";
import { testPlayback } from "./browser/playback.ts";
import { testReading } from "./browser/reading.ts";
import { testGuide, testReference } from "./browser/reference.ts";
import { testReports } from "./browser/reports.ts";
import { testMapStyle, testStreets } from "./browser/streets.ts";
import { testYesterday } from "./browser/yesterday.ts";

describeInBrowser((given) => {
  // Before anybody is given other vehicles.
  testReference(given);
  testGuide(given);
  testYesterday(given);
  testAlerts(given);
  testMap(given);
  describe("with a yard and a geocoder", () => testMapPlaces(given));
  describe("fences", () => testFences(given));
  testPlayback(given);
  testReading(given);
  testReports(given);
  testMapStyle(given);
  describe("with streets", () => testStreets(given));
  testLostServer(given);
  testLateServer(given);
  testTouch(given);
});
