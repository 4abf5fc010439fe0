import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createWorld, type SimulatedMessage, type World } from "../../src/simulator/world.ts";
import { announcedSeed } from "../support/ingest-seed.ts";

const from = Date.UTC(2026, 9, 26);
const dayMs = 86_400_000;

function hash(value: unknown): string {
  return new Bun.CryptoHasher("sha256").update(JSON.stringify(value)).digest("hex");
}

function messages(world: World, begin: number, end: number): SimulatedMessage[] {
  return [...world.messages(begin, end)];
}

const propertySeed = announcedSeed("windows of the demo fleet");

describe("the same seed", () => {
  test("gives the same fleet, the same day and the same truth", () => {
    const [one, other] = [1, 1].map((seed) => createWorld({ seed, vehicles: 12, from }));
    if (one === undefined || other === undefined) throw new Error("no worlds");
    // The other one has made other days before: nothing depends on that.
    messages(other, from + 5 * dayMs, from + 5.2 * dayMs);
    expect(hash(one.fleet)).toBe(hash(other.fleet));
    expect(hash(messages(one, from + dayMs, from + 2 * dayMs))).toBe(
      hash(messages(other, from + dayMs, from + 2 * dayMs)),
    );
    expect(hash(one.truth(from + dayMs, from + 2 * dayMs))).toBe(hash(other.truth(from + dayMs, from + 2 * dayMs)));
    expect(one.accountId).toBe(other.accountId);
  });

  test("gives the same vehicles in a larger fleet", () => {
    const small = messages(createWorld({ seed: 3, vehicles: 10, from }), from, from + dayMs);
    const imeis = new Set(small.map(({ frames }) => frames[0]?.imei));
    expect(imeis.size).toBe(10);
    const large = messages(createWorld({ seed: 3, vehicles: 14, from }), from, from + dayMs);
    expect(hash(large.filter(({ frames }) => imeis.has(frames[0]?.imei ?? "")))).toBe(hash(small));
  });

  test("gives another world than another seed", () => {
    const [one, other] = [1, 2].map((seed) => createWorld({ seed, vehicles: 12, from }));
    expect(hash(one?.fleet)).not.toBe(hash(other?.fleet));
    const places = (world: World | undefined) =>
      [...(world?.messages(from, from + dayMs) ?? [])].flatMap(({ frames }) => frames.map(({ latitude }) => latitude));
    expect(hash(places(one))).not.toBe(hash(places(other)));
  });
});

describe("windows", () => {
  const world = createWorld({ seed: 7, vehicles: 14, from });
  const whole = messages(world, from, from + 2 * dayMs);

  test("can be cut at any moment: the parts are the whole", () => {
    const moment = fc.integer({ min: 0, max: 2 * dayMs });
    // Also exactly where a message arrives, and just after.
    const arrival = fc
      .tuple(fc.integer({ min: 0, max: whole.length - 1 }), fc.integer({ min: 0, max: 1 }))
      .map(([index, after]) => (whole[index]?.arrivesAt ?? from) - from + after);
    const cut = fc.oneof(moment, arrival);
    const property = fc.property(fc.array(cut, { minLength: 1, maxLength: 3 }), (cuts) => {
      const edges = [0, ...cuts.toSorted((one, other) => one - other), 2 * dayMs];
      const parts = edges.slice(1).flatMap((end, index) => messages(world, from + (edges[index] ?? 0), from + end));
      expect(parts).toHaveLength(whole.length);
      expect(hash(parts)).toBe(hash(whole));
    });
    fc.assert(property, { seed: propertySeed, numRuns: 6 });
  });

  test("hold what arrives in them, in order", () => {
    const begin = from + 0.3 * dayMs;
    const end = from + 0.4 * dayMs;
    const part = messages(world, begin, end);
    expect(part.length).toBeGreaterThan(100);
    expect(part.every(({ arrivesAt }) => arrivesAt >= begin && arrivesAt < end)).toBe(true);
    expect(part.every(({ arrivesAt }, index) => arrivesAt >= (part[index - 1]?.arrivesAt ?? 0))).toBe(true);
  });

  test("of a few seconds, long after, are as those of a whole day", () => {
    const begin = from + 200.35 * dayMs;
    const live = Array.from({ length: 120 }, (_, index) =>
      messages(world, begin + index * 5_000, begin + (index + 1) * 5_000),
    );
    const fresh = createWorld({ seed: 7, vehicles: 14, from });
    expect(hash(live.flat())).toBe(hash(messages(fresh, begin, begin + 600_000)));
    expect(live.flat().length).toBeGreaterThan(20);
  });

  test("that are empty, or before the world began, hold nothing", () => {
    expect(messages(world, from + 5, from + 5)).toEqual([]);
    expect(messages(world, from - 3 * dayMs, from)).toEqual([]);
  });
});

test("a vehicle's messages by themselves are those that it has among all", () => {
  const world = createWorld({ seed: 6, vehicles: 6, from });
  const [begin, end] = [from + 1.3 * dayMs, from + 2.6 * dayMs];
  const all = messages(world, begin, end);
  for (const [index, imei] of world.imeis.entries()) {
    const own = all.filter(({ frames }) => frames[0]?.imei === imei);
    expect([...world.messagesOf(index, begin, end)]).toEqual(own);
  }
  expect([...world.messagesOf(world.imeis.length, begin, end)]).toEqual([]);
});

test("the fleet has two sub-accounts with vehicles of their own, and fences of all three shapes", () => {
  const { fleet, ownerEmail, accountId } = createWorld({ seed: 1, vehicles: 40, from });
  const ofType = (type: string) =>
    (fleet as readonly Record<string, unknown>[]).filter((record) => record.type === type);
  expect(ofType("account").map(({ id }) => id)).toEqual([accountId]);
  expect(ofType("device")).toHaveLength(40);
  expect(new Set(ofType("geofence").map(({ shape }) => shape))).toEqual(new Set(["circle", "polygon", "corridor"]));
  expect(ofType("user").map(({ role }) => role)).toEqual(["owner", "sub_account", "sub_account"]);
  expect(ofType("user")[0]?.email).toBe(ownerEmail);
  for (const { id } of ofType("user").slice(1)) {
    const own = ofType("device").filter(({ user_ids }) => (user_ids as unknown[]).includes(id));
    expect(own.length).toBeGreaterThan(1);
    expect(own.length).toBeLessThan(40);
  }
  const ids = ["id", "imei", "plate"].flatMap((field) => ofType("device").map((device) => device[field]));
  expect(new Set(ids).size).toBe(ids.length);
});
