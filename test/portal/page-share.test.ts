import { expect, test } from "bun:test";
import fc from "fast-check";
import type { TrackPoint } from "../../src/portal/both-sides/contract/shares.ts";
import { headersFor } from "../../src/portal/page/map/style/tile-headers.ts";
import { linesOf } from "../../src/portal/page/share/track-lines.ts";
import { sharedVehicleState } from "../../src/portal/page/share/vehicle-state.ts";
import { forAll } from "../support/for-all.ts";

const now = Date.parse("2026-06-15T12:00:00Z");
const minuteMs = 60_000;

function positionOf(ageMs: number, moving: boolean) {
  const recorded_at = new Date(now - ageMs).toISOString();
  return { position: { latitude: 52, longitude: 13, heading_deg: null, recorded_at, moving, town: null } };
}

test("a position that says little about now is not shown as if it did", () => {
  expect(sharedVehicleState({ position: null }, now)).toBeNull();
  expect(sharedVehicleState(positionOf(minuteMs, true), now)?.motion).toBe("moving");
  expect(sharedVehicleState(positionOf(16 * minuteMs, true), now)?.motion).toBe("offline");
  expect(sharedVehicleState(positionOf(16 * minuteMs, false), now)?.motion).toBe("stopped");
  expect(sharedVehicleState(positionOf(25 * 60 * minuteMs, false), now)?.motion).toBe("offline");
  // A browser's clock may be a little behind.
  expect(sharedVehicleState(positionOf(-5000, true), now)).toEqual({ motion: "moving", ageMs: 0 });
});

test("property: no line goes over a break, and each point that has a neighbour is on one", () => {
  const point = fc.record({ isBreak: fc.constantFrom(0 as const, 1 as const) });
  forAll(200, [fc.array(point, { maxLength: 30 })], (given) => {
    const points = given.map(({ isBreak }, index): TrackPoint => [now + index, index, 0, isBreak]);
    const lines = linesOf(points);
    const breaks = new Set(points.flatMap(([, at, , isBreak]) => (isBreak === 1 ? [at] : [])));
    for (const line of lines) for (const [at] of line.slice(1)) expect(breaks.has(at)).toBe(false);
    const joined = lines.reduce((sum, line) => sum + line.length - 1, 0);
    expect(joined).toBe(points.slice(1).filter(([, , , isBreak]) => isBreak === 0).length);
  });
});

test("the secret of a link goes with our own tiles, and to no other address", () => {
  const headers = { "X-Odograph-Share": "secret" };
  const page = "https://fleet.example/share#secret";
  expect(headersFor("https://fleet.example/portal/tiles/x/1/2/3", page, headers)).toEqual(headers);
  expect(headersFor("/portal/tiles/x/1/2/3", page, headers)).toEqual(headers);
  for (const url of [
    "https://tiles.example/portal/tiles/x/1/2/3",
    "https://fleet.example.evil.example/portal/tiles/x/1/2/3",
    "https://fleet.example/style.json",
    "blob:https://fleet.example/portal/tiles/1",
    "http://fleet.example/portal/tiles/x/1/2/3",
  ]) {
    expect([url, headersFor(url, page, headers)]).toEqual([url, {}]);
  }
});
