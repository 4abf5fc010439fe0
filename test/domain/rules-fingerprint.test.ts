import { expect, test } from "bun:test";
import { AccountFences } from "../../src/derive/fence-index.ts";
import { alertTypes } from "../../src/domain/alert-types.ts";
import type { DeviceContext } from "../../src/domain/device-context.ts";
import { type Fact, factKey } from "../../src/domain/facts.ts";
import type { AlertRule, Json } from "../../src/domain/fleet.ts";
import { emptyFold, foldFrame, type TailFrame } from "../../src/domain/fold.ts";
import type { Frame } from "../../src/domain/frame.ts";
import { rulesVersion } from "../../src/domain/rules.ts";
import { openFacts } from "../../src/domain/stages.ts";
import { storedZone } from "../../src/domain/time/time-zone.ts";
import { randomDrive } from "../support/random-drive.ts";
import fingerprint from "./rules-fingerprint.json" with { type: "json" };
import { framesOfLadders } from "./support/ladders.ts";
import { framesWithHabits, type Habits } from "./support/odd-trackers.ts";
import { circleOf } from "./support/shapes.ts";

const usual: Habits = { stepS: 10, speed: "sent", ignition: true, errorM: 5, odometer: "exact", sleepsS: 300 };
const habits: Readonly<Record<string, Habits>> = {
  usual,
  "every second": { ...usual, stepS: 1, strays: 150 },
  "every 30 s, no ignition": { ...usual, stepS: 30, ignition: false, odometer: "none" },
  "every two minutes": { ...usual, stepS: 120, odometer: "whole", sleepsS: 1800 },
  "every ten minutes": { ...usual, stepS: 600, speed: "none", odometer: "none", sleepsS: 21_600 },
  "no speed": { ...usual, speed: "none", odometer: "none" },
  "places only, noisy": { ...usual, speed: "none", ignition: false, errorM: 25, odometer: "none" },
  "no speed, every second": { ...usual, stepS: 1, speed: "none", ignition: false, odometer: "none" },
  "speed always 0": { ...usual, speed: "zero" },
  "noisy speed": { ...usual, speed: "noisy", stepS: 5 },
  "city noise": { ...usual, errorM: 100 },
  "heavy city noise, no ignition": { ...usual, errorM: 200, ignition: false },
  "frozen in tunnels": { ...usual, freezes: true },
  "frozen in tunnels, every second": { ...usual, stepS: 1, freezes: true },
  "two trackers": { ...usual, isShared: true },
  "odometer too high": { ...usual, odometer: "high" },
  "odometer of whole kilometres": { ...usual, odometer: "whole" },
  "strays by a kilometre": { ...usual, strays: 1000 },
  "strays by 300 m": { ...usual, stepS: 1, strays: 300 },
};

const parameters: AlertRule["parameters"] = { limit_kmh: 86, above_c: 9, below_c: 2, nominal_kpa: 780 };

/** Nights and a weekend. */
const times: Json = {
  within: [
    { days: ["mon", "tue", "wed", "thu", "fri"], from: "20:00", until: "06:00" },
    { days: ["sat", "sun"], from: "09:15", until: "09:00" },
  ],
  dates_off: ["2026-03-03"],
};

function contextOf(frames: readonly Frame[], fuelTankCapacityL: number | null, isTimed: boolean): DeviceContext {
  const places = frames.filter(({ latitude }) => latitude !== null);
  const fences = [0.05, 0.2, 0.35, 0.6, 0.9].map((share, index) => {
    const { longitude, latitude } = places[Math.floor(places.length * share)] as Frame;
    const shape = circleOf([longitude ?? 0, latitude ?? 0], 80 + 150 * index);
    return { fenceId: `fence ${index}`, name: "", validFrom: 0, shape, devices: new Set([1]) };
  });
  const geofenceIds = fences.map(({ fenceId }) => fenceId);
  const rules = alertTypes.map((alertType) => ({
    alertType,
    enabled: true,
    severity: null,
    parameters: isTimed ? { ...parameters, times } : parameters,
    geofenceIds: alertType.startsWith("geofence") ? geofenceIds : [],
  }));
  return {
    fuelTankCapacityL,
    zone: storedZone("Europe/Berlin"),
    alertRules: [{ validFrom: 0, content: rules }],
    fences: new AccountFences(fences).of(1),
  };
}

/** All that is derived, in words that do not depend on the last digits of a machine's arithmetic. */
function derivedFrom(frames: readonly Frame[], tankL: number | null = 90, isTimed = false): string {
  const context = contextOf(frames, tankL, isTimed);
  const folded: TailFrame[] = [];
  let fold = emptyFold;
  for (const frame of frames) {
    const next = foldFrame(fold, frame, context);
    folded.push(...next.final);
    fold = next.fold;
  }
  folded.push(...fold.tail);
  const completed = folded.flatMap((frame) => frame.facts);
  const facts = new Map<string, Fact>();
  for (const fact of [...completed, ...openFacts(fold.tip, context, null)]) facts.set(factKey(fact), fact);
  const judged = folded.map(({ judged: { verdict, speedKmh } }) => {
    return [verdict.rejectReason, verdict.discontinuity, speedKmh];
  });
  return JSON.stringify([[...facts.values()], judged], coarsely);
}

const steps: Readonly<Record<string, number>> = { latitude: 1e-5, longitude: 1e-5, value: 0.1, maxSpeedKmh: 0.1 };

function coarsely(name: string, value: unknown): unknown {
  if (typeof value !== "number" || Number.isInteger(value)) {
    return typeof value === "number" && (name.endsWith("Mm") || name.endsWith("Ms")) ? Math.round(value / 1000) : value;
  }
  const step = steps[name] ?? 0.01;
  return Math.round(value / step);
}

const digestOf = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 16);

function digestsNow(): Record<string, string> {
  const odd = Object.entries(habits).map(([name, how], index) => [name, framesWithHabits(how, 4000 + index)] as const);
  const ladders = framesOfLadders();
  const random = [1, 2, 3].map((seed) => {
    const drive = randomDrive({ imei: "356307042000021", seed, count: 1500, beginAt: Date.UTC(2026, 2, 2) });
    const frames = drive.map((frame, digest) => ({ ...frame, digest, recordedAt: frame.recordedAt ?? 0 }));
    return [`random drive ${seed}`, frames] as const;
  });
  const digests = Object.fromEntries(
    [...ladders, ...odd, ...random].map(([name, frames]) => [name, digestOf(derivedFrom(frames))]),
  );
  const tanks = ladders.find(([name]) => name.endsWith("tanks"))?.[1] ?? [];
  const timed = [...odd.slice(0, 3), ...random].map(([, frames]) => derivedFrom(frames, 90, true)).join();
  return { ...digests, "rules with times": digestOf(timed), "tank unknown": digestOf(derivedFrom(tanks, null)) };
}

const whatToDo =
  "What the rules make of the same frames has changed. If that is meant, stored devices must be derived again: raise rulesVersion " +
  "(src/domain/rules.ts) with a migration, unless this version is not released yet, then run this test with " +
  "ODOGRAPH_WRITE_FINGERPRINT=1. If it is not meant, the change is wrong.";

test("rules that make other facts of the same frames have another version", async () => {
  const now = { rulesVersion, digests: digestsNow() };
  if (Bun.env.ODOGRAPH_WRITE_FINGERPRINT) {
    await Bun.write(new URL("rules-fingerprint.json", import.meta.url), `${JSON.stringify(now, null, 2)}\n`);
    return;
  }
  const changed = Object.keys({ ...now.digests, ...fingerprint.digests }).filter(
    (name) => now.digests[name] !== (fingerprint.digests as Record<string, string>)[name],
  );
  if (changed.length > 0) throw new Error(`${whatToDo}\nChanged: ${changed.join("; ")}.`);
  expect(now.rulesVersion).toBe(fingerprint.rulesVersion);
});
