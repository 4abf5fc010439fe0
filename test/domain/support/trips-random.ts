import fc from "fast-check";
import type { JudgedFrame } from "../../../src/domain/verdict.ts";
import { judged, type Moment } from "./trips-drive.ts";

const pausesMs = [1, 1000, 1000, 5000, 10_000, 10_000, 29_999, 30_000, 60_000, 120_000, 180_000, 300_000, 300_001];
const slowPausesMs = [600_000, 600_001, 899_000, 900_000];
const longPausesMs = [3_600_000, 3_600_001, 30_000_000, 86_400_000, 200_000_000];

/** A stretch of frames that behave alike. */
const stretch = fc.record({
  frames: fc.integer({ min: 1, max: 20 }),
  pauseMs: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...pausesMs) },
    { weight: 3, arbitrary: fc.constantFrom(...slowPausesMs) },
    fc.constantFrom(...longPausesMs),
  ),
  kmh: fc.constantFrom(0, 0, 0, 2, 4, 6, 15, 40, 90, 149, 160),
  turnsBack: fc.constantFrom(false, false, true),
  driftMetres: fc.constantFrom(0, 0, 5, 5, 25, 45, 60, 120, 250),
  reports: fc.constantFrom("speed", "speed", "nothing", "zero"),
  on: fc.constantFrom<boolean | null>(true, true, null, null, false),
  flickers: fc.constantFrom(false, false, false, true),
  loses: fc.constantFrom(0, 0, 0, 3, 1),
  isElsewhere: fc.constantFrom(...Array.from({ length: 10 }, (_, index) => index === 9)),
});

/** A vehicle that parks, drifts, drives, is towed, loses its position, and skips hours and days. */
export const randomMoments = fc
  .tuple(
    fc.array(stretch, { minLength: 1, maxLength: 25, size: "max" }),
    fc.array(fc.nat(1000), { minLength: 97, maxLength: 97 }),
  )
  .map(([stretches, noise]): Moment[] => {
    const moments: Moment[] = [];
    let ms = 0;
    let metres = 0;
    for (const {
      frames,
      pauseMs,
      kmh,
      turnsBack,
      driftMetres,
      reports,
      on,
      flickers,
      loses,
      isElsewhere,
    } of stretches) {
      for (let index = 0; index < frames; index++) {
        ms += pauseMs;
        metres += ((turnsBack ? -kmh : kmh) / 3600) * Math.min(pauseMs, 7_200_000);
        const random = (noise[moments.length % 97] ?? 0) / 1000;
        const isLost = loses > 0 && index % (loses + 1) === loses;
        moments.push({
          second: ms / 1000,
          metres: isLost ? null : metres + driftMetres * (random - 0.5),
          kmh: reports === "nothing" ? null : reports === "zero" ? 0 : kmh * (0.5 + random),
          on: flickers && index % 3 === 1 ? !(on ?? true) : on,
          accuracyM: random > 0.9 ? 80 * random : null,
          isElsewhere: isElsewhere && index === 0 && moments.length > 0,
        });
      }
    }
    return moments;
  });

export const framesOf = (moments: readonly Moment[]): JudgedFrame[] =>
  moments.map((moment, index) => judged(moment, index));
