import { describe, expect, test } from "bun:test";
import { countedUntil } from "../../src/domain/trips/trips.ts";
import type { JudgedFrame } from "../../src/domain/verdict.ts";
import { evening, follow, judged, secondOf } from "./support/trips-drive.ts";

const metresPerDegree = 111_195;

interface Place {
  readonly second: number;
  readonly metres: number;
  readonly east?: number;
  readonly on?: boolean | null;
}

const seen = ({ east = 0, ...moment }: Place): JudgedFrame => judged(moment, 0, 10 + east / metresPerDegree);

/** Without a speed: 3 km in 300 s, with a frame every ten seconds. */
const driving = Array.from({ length: 31 }, (_, index): Place => ({ second: 10 * index, metres: 100 * index }));

/** Around the place where it arrived, each leg to the left of the one before. */
function wavering(count: number, from = 310, on: boolean | null = null): Place[] {
  const around = [
    [3080, 0],
    [3080, -80],
    [3000, -80],
    [3000, 0],
  ] as const;
  return Array.from({ length: count }, (_, index) => {
    const [metres, east] = around[index % 4] as (typeof around)[number];
    return { second: from + 10 * index, metres, east, on };
  });
}

const after = (places: readonly Place[]) => follow(places.map(seen));

describe("a trip into a garage, without a speed", () => {
  test("is over where the positions began to waver, once they have for long", () => {
    const { open, days, known } = after([...driving, ...wavering(60)]);
    expect(open).toMatchObject({ endReason: "stationary" });
    expect(secondOf(open?.endedAt ?? 0)).toBe(310);
    expect(open?.distanceMm).toBe(days[0]?.distanceMm ?? 0);
    expect(open?.durationMs).toBe(days[0]?.drivingMs ?? 0);
    expect(countedUntil(known.trips)).toBe(evening + 310_000);
    // It goes on to say so, and is not changed by each frame.
    expect(after([...driving, ...wavering(200)]).open).toEqual(open);
  });

  test("is in progress until then", () => {
    expect(after([...driving, ...wavering(20)]).open?.endedAt).toBeNull();
    const on = driving.map((place) => ({ ...place, on: true }));
    expect(after([...on, ...wavering(60, 310, true)]).open?.endedAt).toBeNull();
    expect(secondOf(after([...on, ...wavering(100, 310, true)]).open?.endedAt ?? 0)).toBe(310);
  });

  test("ended there, too, when the tracker falls silent", () => {
    const morning = { second: 30_000, metres: 3000 };
    const { open, trips } = after([...driving, ...wavering(60), morning]);
    expect(open).toBeNull();
    expect(trips.map(({ endedAt, endReason }) => [secondOf(endedAt), endReason])).toEqual([[310, "stationary"]]);
  });

  test("goes on if the vehicle drives out", () => {
    const out = Array.from(
      { length: 20 },
      (_, index): Place => ({ second: 910 + 10 * index, metres: 3100 + 100 * index }),
    );
    const { open, days } = after([...driving, ...wavering(60), ...out]);
    expect(open?.endedAt).toBeNull();
    expect(open?.distanceMm).toBe(days[0]?.distanceMm ?? 0);
    expect((open?.distanceMm ?? 0) / 1e6).toBeCloseTo(5, 0);
  });

  test("is final after a day", () => {
    expect(after([...driving, ...wavering(8640)]).trips).toEqual([]);
    const { trips } = after([...driving, ...wavering(8700)]);
    expect(trips.map(({ endedAt, endReason }) => [secondOf(endedAt), endReason])).toEqual([[310, "stationary"]]);
  });
});
