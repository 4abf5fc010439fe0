import type { Frame } from "../../../src/domain/frame.ts";
import { compareFrames, placeKey } from "../../../src/domain/frame.ts";
import type { CanonicalFrame } from "../../../src/simulator/messages.ts";
import { createWorld } from "../../../src/simulator/world.ts";
import type { Bench, Case } from "../bench.ts";
import { percent, type SummaryRow } from "../table.ts";

const from = Date.UTC(2026, 9, 26);
const until = from + 3 * 86_400_000;
const vehicles = 40;

/** A tracker of the simulator sends at most every minute, and a trip is found from the frames at its ends. */
const toleranceMs = 180_000;

/** Of 1333 trips: what must not get worse. The fleet is always the same, whatever the seed. */
const wanted = { found: 1324, others: 9 };

/** What a server would store of it: each frame once, in their order, without those whose time is wrong. */
function storedOf(bench: Bench, sent: readonly CanonicalFrame[]): Frame[] {
  const stored = new Map<string, Frame>();
  for (const one of sent) {
    const { frame, timeProblem } = bench.rules.arrivalOf({
      imei: one.imei,
      recordedAt: Date.parse(one.recorded_at),
      receivedAt: Date.parse(one.received_at),
      latitude: one.latitude ?? null,
      longitude: one.longitude ?? null,
      fix: one.fix ?? null,
      altitude_m: one.altitude_m ?? null,
      speed_kmh: one.speed_kmh ?? null,
      heading_deg: one.heading_deg ?? null,
      accuracy_m: one.accuracy_m ?? null,
      satellites: one.satellites ?? null,
      hdop: one.hdop ?? null,
      ignition: one.ignition ?? null,
      odometer_km: null,
      battery_percent: null,
      external_voltage_v: null,
      event: one.event ?? null,
      source: null,
      sensors: [],
    });
    if (timeProblem === null && !stored.has(placeKey(frame))) stored.set(placeKey(frame), frame);
  }
  return [...stored.values()].sort(compareFrames);
}

export const simulator: Case = {
  name: "simulator",
  run: (bench) => {
    const world = createWorld({ seed: 1, vehicles, from });
    const sent = new Map<string, CanonicalFrame[]>();
    for (const { frames } of world.messages(from, until)) {
      for (const frame of frames) {
        const own = sent.get(frame.imei);
        if (own === undefined) sent.set(frame.imei, [frame]);
        else own.push(frame);
      }
    }
    let [all, found, others, km, trueKm] = [0, 0, 0, 0, 0];
    for (const truth of world.truth(from, until).vehicles) {
      const derived = bench.derive(storedOf(bench, sent.get(truth.imei) ?? []));
      const unmatched = new Set(derived.trips);
      for (const trip of truth.trips) {
        const match = [...unmatched].find(({ startedAt, endedAt }) => {
          const isStart = Math.abs(startedAt - trip.startedAt) <= toleranceMs;
          return isStart && Math.abs((endedAt ?? until) - trip.endedAt) <= toleranceMs;
        });
        all++;
        if (match === undefined) continue;
        unmatched.delete(match);
        found++;
      }
      others += unmatched.size;
      km += derived.km;
      trueKm += Object.values(truth.kmByDay).reduce((sum, day) => sum + day, 0);
    }
    const now = `${found} of ${all} trips, ${others} others, ${km.toFixed(0)} km (${percent(km / trueKm - 1, 2)})`;
    const goal = `≥ ${wanted.found} found, ≤ ${wanted.others} others, ±1 %`;
    const isMet = found >= wanted.found && others <= wanted.others && Math.abs(km / trueKm - 1) <= 0.01;
    const row = {
      what: `${vehicles} vehicles, 3 days, without odometers`,
      measured: now,
      truth: `${all} trips, ${trueKm.toFixed(0)} km on own wheels`,
      goal,
      isMet,
    };
    const summary: SummaryRow = { what: "the simulator's fleet", now, goal, isMet };
    return { rows: [row], summary: [summary] };
  },
};
