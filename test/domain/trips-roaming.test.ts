import { describe, expect, test } from "bun:test";
import { counted, heldIn, type Roaming, roamedTo, roamingFrom } from "../../src/domain/trips/roaming.ts";
import { placeAt } from "./support/trips-legs.ts";

/** Metres north and east of the first place. */
type Offset = readonly [north: number, east: number];

const stepMs = 10_000;

/** Along these places, each of them a corner and a place that was reached, by 100 m of way. */
function along(places: readonly Offset[], ms = stepMs, from = roamingFrom(placeAt(0))) {
  let roaming = from;
  let mm = 0;
  for (const [north, east] of places) {
    const to = placeAt(north, east);
    const step = counted(roaming.isOver ? roaming : roamedTo(roaming, to, ms), to, 100_000);
    roaming = step.roaming;
    mm += step.countedMm;
  }
  return { roaming, countedM: mm / 1000 };
}

const times = (count: number, places: readonly Offset[]): Offset[] =>
  Array.from({ length: count }, () => places).flat();

/** Each leg leads to the left of the one before and back, so none leads on. */
const wavering: readonly Offset[] = [
  [80, 0],
  [80, 80],
  [0, 80],
  [0, 0],
];

const doubtOf = (...places: Offset[]): number => along(places).roaming.doubt;

describe("places of a vehicle without a speed", () => {
  test("that lead on count at once", () => {
    const { roaming, countedM } = along([
      [60, 0],
      [120, 20],
      [180, 0],
      [240, 40],
    ]);
    expect(countedM).toBe(400);
    expect(roaming).toMatchObject({ doubt: 0, heldMm: 0, isWavering: false });
  });

  test("cast no doubt up to a turn of 60°, and some beyond", () => {
    const turned = (degrees: number): Offset => {
      const radians = (degrees * Math.PI) / 180;
      return [100 + 100 * Math.cos(radians), 100 * Math.sin(radians)];
    };
    expect(doubtOf([100, 0], turned(59))).toBe(0);
    expect(doubtOf([100, 0], turned(63))).toBeGreaterThan(0);
    expect(doubtOf([100, 0], turned(90))).toBe(50);
    expect(doubtOf([100, 0], turned(160))).toBe(144);
    // It turned round, as at the end of a row.
    expect(doubtOf([100, 0], turned(163))).toBe(0);
  });

  test("that turn once hold nothing back; from a doubt of 100 on the way is held", () => {
    expect(along([wavering[0], wavering[1]] as Offset[])).toMatchObject({ countedM: 200, roaming: { doubt: 50 } });
    const held = along(wavering.slice(0, 3));
    expect(held).toMatchObject({ countedM: 200, roaming: { doubt: 100, heldMm: 100_000 } });
    expect(heldIn(held.roaming)).toBe(100_000);
  });

  test("count again once they lead on", () => {
    const { roaming, countedM } = along([...wavering.slice(0, 3), [-80, 80], [-160, 80]]);
    expect(roaming).toMatchObject({ doubt: 0, heldMm: 0 });
    expect(countedM).toBe(500);
  });

  test("that lead anywhere for long show a stand: what was held is nothing", () => {
    const before = along(times(4, wavering));
    expect(before.roaming).toMatchObject({ doubt: 750, isWavering: false });
    expect(heldIn(before.roaming)).toBe(1_400_000);
    const after = along([wavering[0] as Offset], stepMs, before.roaming);
    expect(after).toMatchObject({ countedM: 0, roaming: { doubt: 800, isWavering: true } });
    expect(heldIn(after.roaming)).toBe(0);
    expect(along(times(40, wavering))).toMatchObject({ countedM: 200, roaming: { doubt: 1400 } });
  });

  test("lead away from the middle of a stand", () => {
    const stood = along(times(10, wavering)).roaming;
    expect(along([[40, 335]], stepMs, stood).roaming.isOver).toBe(false);
    const { roaming, countedM } = along([[40, 345]], stepMs, stood);
    expect(countedM).toBeCloseTo(305, -1);
    expect(roaming).toEqual(roamingFrom(placeAt(40, 345)));
  });

  test("count in full where the vehicle leaves before it is shown to stand", () => {
    const held = along(times(2, wavering)).roaming;
    expect(held.heldMm).toBe(600_000);
    expect(along([[900, 0]], stepMs, held).countedM).toBe(700);
  });

  test("say nothing more than 40 s apart", () => {
    expect(along(times(10, wavering), 40_001).countedM).toBe(4000);
    expect(along(times(10, wavering), 40_000).countedM).toBe(200);
  });

  test("are the same beyond the antimeridian", () => {
    const from = roamingFrom({ latitude: 0, longitude: 180 });
    const { east }: Roaming = roamedTo(from, { latitude: 0, longitude: -179.999 }, stepMs);
    expect(east).toBe(111);
  });
});
