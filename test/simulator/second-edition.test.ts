import { expect, test } from "bun:test";
import { companions, slowClockMs } from "../../src/simulator/fleet/companions.ts";
import { createWorld, type SimulatedMessage, type World } from "../../src/simulator/world.ts";

const from = Date.UTC(2026, 9, 26);
const dayMs = 86_400_000;
const until = from + 2 * dayMs;
const options = { seed: 1, vehicles: 40, from };
const first = createWorld(options);
const second = createWorld({ ...options, edition: 2 });

function framesOf(world: World) {
  return [...world.messages(from, until)].flatMap(({ frames }) => frames);
}

const frames = framesOf(second);
const vehicles = new Set(first.imeis);
const driven = frames.filter(({ imei }) => vehicles.has(imei));

test("the vehicles drive as in the first edition, but for the cards", () => {
  const without = driven.map((frame) => ({ ...frame, driver_id: undefined }));
  expect(Bun.hash(JSON.stringify(without))).toBe(Bun.hash(JSON.stringify(framesOf(first))));
});

test("a third of the vehicles have drivers with cards, who share them and take over", () => {
  const cards = new Map<string, Set<string>>();
  const vehiclesOf = new Map<string, Set<string>>();
  for (const { imei, driver_id: card } of driven) {
    if (card === undefined) continue;
    cards.set(imei, (cards.get(imei) ?? new Set()).add(card));
    vehiclesOf.set(card, (vehiclesOf.get(card) ?? new Set()).add(imei));
  }
  expect(cards.size).toBeGreaterThanOrEqual(13);
  expect([...cards.values()].filter(({ size }) => size > 1).length).toBeGreaterThan(3);
  expect([...vehiclesOf.values()].filter(({ size }) => size > 1).length).toBeGreaterThan(0);
  const named = second.fleet.flatMap((record) => ("driver_ids" in record ? (record.driver_ids as string[]) : []));
  // One of them has not been named.
  expect([...vehiclesOf.keys()].filter((card) => !named.includes(card)).length).toBeLessThanOrEqual(1);
});

test("nobody drives two vehicles at once", () => {
  const at = new Map<string, { imei: string; until: number }>();
  for (const { imei, driver_id: card, recorded_at } of driven.toSorted((one, other) =>
    one.recorded_at < other.recorded_at ? -1 : 1,
  )) {
    if (card === undefined) continue;
    const moment = Date.parse(recorded_at);
    const before = at.get(card);
    // A frame that was saved up is as old as it says.
    if (before !== undefined && before.imei !== imei) expect(moment - before.until).toBeGreaterThan(10 * 60_000);
    at.set(card, { imei, until: moment });
  }
  expect(at.size).toBeGreaterThan(13);
});

test("a machine is carried, a clock is slow, and one vehicle has never reported", () => {
  const [carried = [], slow = [], unseen = []] = second.imeis
    .slice(-companions.length)
    .map((imei) => frames.filter((frame) => frame.imei === imei));
  expect(unseen).toEqual([]);
  expect(carried.some(({ speed_kmh = 0, ignition }) => speed_kmh > 30 && ignition === false)).toBe(true);
  expect(carried.some(({ speed_kmh = 0, ignition }) => speed_kmh > 0 && ignition === true)).toBe(false);
  // It is known to say so.
  expect(carried.some(({ ignition }) => ignition === true)).toBe(true);
  const offsets = new Set(
    slow.map(({ recorded_at, received_at }) =>
      Math.round((Date.parse(recorded_at) - Date.parse(received_at)) / 60_000),
    ),
  );
  expect([...offsets]).toEqual([slowClockMs / 60_000]);
});

test("windows of it are parts of the whole, also of one device", () => {
  const ofAll = [...second.messages(from, until)];
  const again = createWorld({ ...options, edition: 2 });
  const cut = from + 31 * 3_600_000;
  const parts: SimulatedMessage[] = [...again.messages(from, cut), ...again.messages(cut, until)];
  expect(Bun.hash(JSON.stringify(parts))).toBe(Bun.hash(JSON.stringify(ofAll)));
  for (const index of [0, 40, 41, 42]) {
    const imei = second.imeis[index];
    const own = ofAll.filter(({ frames: [frame] }) => frame?.imei === imei);
    expect(Bun.hash(JSON.stringify([...again.messagesOf(index, from, until)]))).toBe(Bun.hash(JSON.stringify(own)));
  }
});

test("a small fleet has nothing beside its vehicles", () => {
  const small = createWorld({ seed: 1, vehicles: 3, from, edition: 2 });
  expect(small.imeis.length).toBe(3);
});
