import { describe, expect, test } from "bun:test";
import type { Geofence, LatestPosition } from "../../src/portal/page/api/records.ts";
import { fenceFeatures } from "../../src/portal/page/map/fence-shapes.ts";
import { type Motion, motionOf, type Reported } from "../../src/portal/page/map/motion.ts";
import { countByMotion, matching, toVehicles } from "../../src/portal/page/map/vehicle.ts";

const now = Date.UTC(2026, 10, 15, 12);
const minuteMs = 60_000;

function reported(agoMs: number, fields: Partial<Reported> = {}): Reported {
  const recorded_at = new Date(now - agoMs).toISOString();
  return { recorded_at, speed_kmh: 0, ignition: false, trip_id: null, ...fields };
}

describe("what a vehicle is doing", () => {
  const cases: [what: string, position: Reported, motion: Motion][] = [
    ["at 5 km/h", reported(0, { speed_kmh: 5, ignition: true }), "moving"],
    ["below 5 km/h with the engine on", reported(0, { speed_kmh: 4.9, ignition: true }), "idling"],
    ["below 5 km/h with the engine off", reported(0, { speed_kmh: 4.9 }), "stopped"],
    ["below 5 km/h with an engine nobody knows of", reported(0, { ignition: null }), "stopped"],
    ["of unknown speed on a trip", reported(0, { speed_kmh: null, ignition: null, trip_id: "t" }), "moving"],
    ["of unknown speed on no trip", reported(0, { speed_kmh: null, ignition: null }), "stopped"],
    ["silent for 15 minutes under way", reported(15 * minuteMs, { speed_kmh: 50 }), "moving"],
    ["silent for longer under way", reported(15 * minuteMs + 1, { speed_kmh: 50 }), "offline"],
    ["silent for longer while idling", reported(15 * minuteMs + 1, { ignition: true }), "offline"],
    ["parked and silent for a day", reported(24 * 60 * minuteMs), "stopped"],
    ["parked and silent for longer", reported(24 * 60 * minuteMs + 1), "offline"],
    ["ahead of the viewer's clock", reported(-minuteMs, { speed_kmh: 50 }), "moving"],
  ];
  for (const [what, position, motion] of cases) {
    test(`${what}: ${motion}`, () => expect(motionOf(position, now)).toBe(motion));
  }
});

test("vehicles are found by name, plate and IMEI, in the order in which people count", () => {
  const named = (name: string, plate: string | null, imei: string) =>
    ({ ...reported(0), device_id: name, name, plate, imei }) as LatestPosition;
  const vehicles = toVehicles([named("Van 10", "HH 1", "356"), named("Van 9", null, "357")], now);
  const found = (search: string, motion: Motion | null = null) =>
    matching(vehicles, search, motion).map(({ id }) => id);
  expect(found("")).toEqual(["Van 9", "Van 10"]);
  expect(found(" van 1")).toEqual(["Van 10"]);
  expect(found("hh")).toEqual(["Van 10"]);
  expect(found("357")).toEqual(["Van 9"]);
  expect(found("", "moving")).toEqual([]);
  expect(countByMotion(vehicles)).toEqual({ moving: 0, idling: 0, stopped: 2, offline: 0 });
});

test("a circle is drawn as wide as it is, and a corridor twice as wide with each step of the zoom", () => {
  const fence = { geofence_id: "f", name: "Depot", radius_m: null, width_m: null, color: null };
  const circle: Geofence = {
    ...fence,
    shape: "circle",
    geometry: { type: "Point", coordinates: [10, 60] },
    radius_m: 1000,
  };
  const corridor: Geofence = {
    ...fence,
    shape: "corridor",
    geometry: {
      type: "LineString",
      coordinates: [
        [10, 0],
        [11, 0],
      ],
    },
    width_m: 40_075_016.686 / 512,
  };
  const [ring, line] = fenceFeatures([circle, corridor]).features;
  const corners = ring?.geometry.type === "Polygon" ? (ring.geometry.coordinates[0] ?? []) : [];
  expect(corners[0]).toEqual(corners.at(-1) ?? []);
  const north = Math.max(...corners.map(([, latitude = 0]) => latitude)) - 60;
  const east = Math.max(...corners.map(([longitude = 0]) => longitude)) - 10;
  expect(north * 111_195).toBeCloseTo(1000, 0);
  expect(east).toBeCloseTo(2 * north, 6);
  expect(line?.properties?.pixelsAtZoom0).toBeCloseTo(1, 9);
});
