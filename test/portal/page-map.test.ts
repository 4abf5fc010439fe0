import { describe, expect, test } from "bun:test";
import type { Device, Geofence, LatestPosition } from "../../src/portal/both-sides/contract/data.ts";
import { motionOf, type ReportedPosition, type ShownMotion } from "../../src/portal/page/common/vehicles/motion.ts";
import { fenceFeatures, fenceNamePoints } from "../../src/portal/page/map/layers/fence-shapes.ts";
import {
  countByMotion,
  matching,
  toVehicles,
  unreported,
  type VehicleState,
} from "../../src/portal/page/map/layers/vehicle.ts";
import { isNothing, markChanges, toMarks } from "../../src/portal/page/map/layers/vehicle-marks.ts";

const now = Date.UTC(2026, 10, 15, 12);
const { compare } = new Intl.Collator("en", { numeric: true });
const minuteMs = 60_000;

function reported(agoMs: number, fields: Partial<ReportedPosition> = {}): ReportedPosition {
  const recorded_at = new Date(now - agoMs).toISOString();
  return { recorded_at, speed_kmh: 0, ignition: false, trip_id: null, ...fields };
}

describe("what a vehicle is doing", () => {
  const cases: [what: string, position: ReportedPosition, motion: ShownMotion][] = [
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
  const vehicles = toVehicles([named("Van 10", "HH 1", "356"), named("Van 9", null, "357")], now, compare);
  const found = (search: string, motion: ShownMotion | null = null) =>
    matching(vehicles, { search, motion, ids: null }).map(({ id }) => id);
  expect(found("")).toEqual(["Van 9", "Van 10"]);
  expect(found(" van 1")).toEqual(["Van 10"]);
  expect(found("hh")).toEqual(["Van 10"]);
  expect(found("357")).toEqual(["Van 9"]);
  expect(found("", "moving")).toEqual([]);
  const ofTag = matching(vehicles, { search: "van", motion: "stopped", ids: new Set(["Van 9"]) });
  expect(ofTag.map(({ id }) => id)).toEqual(["Van 9"]);
  expect(countByMotion(vehicles)).toEqual({ moving: 0, idling: 0, stopped: 2, offline: 0 });
});

test("vehicles without a position are counted and found, and are in no other state", () => {
  const device = (name: string) => ({ device_id: name, name, plate: null, imei: "358" }) as Device;
  const seen = { ...reported(0), device_id: "Van 1", name: "Van 1", plate: null, imei: "356" } as LatestPosition;
  const vehicles = toVehicles([seen], now, compare);
  const devices = [device("Van 1"), device("Van 2"), device("Car 3")];
  const found = (search: string, motion: VehicleState | null = null, ids: ReadonlySet<string> | null = null) =>
    unreported(devices, vehicles, { search, motion, ids }).map(({ name }) => name);
  expect(found("")).toEqual(["Van 2", "Car 3"]);
  expect(found("van")).toEqual(["Van 2"]);
  expect(found("358", "unreported")).toEqual(["Van 2", "Car 3"]);
  expect(found("", "stopped")).toEqual([]);
  expect(found("", null, new Set(["Car 3", "Van 1"]))).toEqual(["Car 3"]);
  expect(matching(vehicles, { search: "", motion: "unreported", ids: null })).toEqual([]);
});

describe("what the map gets of vehicles", () => {
  const place = (id: string, longitude: number, fields: Partial<LatestPosition> = {}) =>
    ({
      ...reported(0, { speed_kmh: 50 }),
      device_id: id,
      name: id,
      imei: id,
      plate: null,
      ...fields,
      longitude,
      latitude: 53,
    }) as LatestPosition;
  const marks = (...positions: LatestPosition[]) => toMarks(toVehicles(positions, now, compare));

  test("is nothing where nothing changed, though all of it was sent again", () => {
    const before = marks(place("a", 10), place("b", 11));
    expect(isNothing(markChanges(before, marks(place("b", 11), place("a", 10))))).toBe(true);
  });

  test("is what came, what went, and of the others only what differs", () => {
    const before = marks(place("goes", 10), place("moves", 11), place("turns", 12), place("stays", 13));
    const after = marks(
      place("comes", 9),
      place("moves", 11.5),
      place("turns", 12, { heading_deg: 90 }),
      place("stays", 13),
    );
    const { add, remove, update } = markChanges(before, after);
    expect(remove).toEqual(["goes"]);
    expect(add.map(({ id, geometry }) => [id, geometry.coordinates])).toEqual([["comes", [9, 53]]]);
    expect(update).toEqual([
      { id: "moves", newGeometry: { type: "Point", coordinates: [11.5, 53] }, addOrUpdateProperties: [] },
      { id: "turns", addOrUpdateProperties: [{ key: "turn", value: 90 }] },
    ]);
  });

  test("leaves out what has no place", () => {
    expect([...toMarks(toVehicles([{ ...place("a", 10), latitude: null }], now, compare))]).toEqual([]);
  });
});

test("vehicles keep their order from poll to poll, and take a new one when one is renamed", () => {
  const named = (id: string, name: string) => ({ ...reported(0), device_id: id, name }) as LatestPosition;
  const names = (vehicles: ReturnType<typeof toVehicles>) => vehicles.map(({ position }) => position.name);
  const first = toVehicles([named("x", "Van 10"), named("y", "Van 9")], now, compare);
  const moved = toVehicles([named("x", "Van 10"), { ...named("y", "Van 9"), speed_kmh: 60 }], now, compare, first);
  expect([names(moved), moved[0]?.motion]).toEqual([["Van 9", "Van 10"], "moving"]);
  expect(names(toVehicles([named("x", "Van 1"), named("y", "Van 9")], now, compare, moved))).toEqual([
    "Van 1",
    "Van 9",
  ]);
  expect(names(toVehicles([named("x", "Van 10"), named("z", "Van 9")], now, compare, moved))).toEqual([
    "Van 9",
    "Van 10",
  ]);
});

test("a circle is drawn as wide as it is, and a corridor twice as wide with each step of the zoom", () => {
  const unused = { description: null, bbox: [], created_at: "", updated_at: "" };
  const fence = { ...unused, geofence_id: "f", name: "Depot", radius_m: null, width_m: null, color: null };
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
  const [ring, line] = fenceFeatures([circle, corridor]);
  const corners = ring?.geometry.type === "Polygon" ? (ring.geometry.coordinates[0] ?? []) : [];
  expect(corners[0]).toEqual(corners.at(-1) ?? []);
  const north = Math.max(...corners.map(([, latitude = 0]) => latitude)) - 60;
  const east = Math.max(...corners.map(([longitude = 0]) => longitude)) - 10;
  expect(north * 111_195).toBeCloseTo(1000, 0);
  expect(east).toBeCloseTo(2 * north, 6);
  expect(ring?.properties?.color).toBeNull();
  const names = fenceNamePoints([circle, corridor]).map(({ geometry }) => geometry.coordinates);
  expect(names).toEqual([
    [10, 60 + north],
    [11, 0],
  ]);
  expect(line?.properties?.pixelsAtZoom0).toBeCloseTo(1, 9);
});
