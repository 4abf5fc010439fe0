import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { home } from "../support/ingest-fleet.ts";
import { randomDrive } from "../support/random-drive.ts";
import type { Windows } from "./lists.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** When the first day of driving begins. In the past, whenever the test runs. */
const firstDay = Date.UTC(2026, 2, 2, 6);
const rolloverMs = 1024 * 7 * dayMs;

/** Everything happens within these. */
export const windows: Windows = {
  main: windowAround(firstDay),
  rolledOver: windowAround(firstDay - rolloverMs),
};

function windowAround(at: number): string {
  return `from=${new Date(at - 5 * dayMs).toISOString()}&to=${new Date(at + 25 * dayMs).toISOString()}`;
}

/** A moment of these days. */
export function someMoment(random: () => number): number {
  return firstDay + Math.floor(random() * 3 * dayMs);
}

/** A frame of a device, whatever its IMEI is when it is sent. */
export interface Sending {
  readonly deviceId: string;
  readonly frame: IncomingFrame;
}

export interface Traffic {
  readonly seed: number;
  readonly framesPerDay: number;
  readonly days: number;
}

/** The frames of a device: some days of drives from home. No two show the same. */
export function framesOf(deviceId: string, number: number, { seed, framesPerDay, days }: Traffic): Sending[] {
  const frames = Array.from({ length: days }, (_, day) =>
    randomDrive({
      imei: "",
      seed: seed * 1000 + number * 10 + day,
      count: framesPerDay,
      beginAt: firstDay + day * dayMs + number * 60_000,
      ...home,
    }),
  ).flat();
  return frames.map((frame, index) => {
    const isTwin = frames[index - 1]?.recordedAt === frame.recordedAt;
    // Two readings of one moment that show the same could not be distinguished.
    const sensors = isTwin ? [] : [...frame.sensors, ...tyreOf(frame, index)];
    return { deviceId, frame: { ...frame, sensors } };
  });
}

function tyreOf({ sensors }: IncomingFrame, index: number): IncomingFrame["sensors"] {
  if (sensors.length === 0 || index % 3 > 0) return [];
  const temperature_c = 20 + (index % 80);
  return [
    { kind: "tyre", sensor: "axle_1_wheel_1", axle: 1, wheel: 1, pressure_kpa: 700 + (index % 50), temperature_c },
  ];
}

/**
 * The order in which frames are sent, in batches: live, late, twice, reversed, with clocks that were wrong. A copy of a
 * frame that was received at another time is the same frame; so is one whose tracker had lost count of its weeks.
 */
export function batchesOf(frames: readonly Sending[], random: () => number, maxBatch: number): Sending[][] {
  const places = frames
    .toSorted((one, other) => (one.frame.recordedAt ?? 0) - (other.frame.recordedAt ?? 0))
    .flatMap((sending, index) => arrivalsOf(sending, index, frames.length, random));
  const inOrder = places.toSorted((one, other) => one.at - other.at).map(({ sending }) => sending);
  const batches: Sending[][] = [];
  for (let begin = 0; begin < inOrder.length; ) {
    const end = begin + 1 + Math.floor(random() * maxBatch);
    const batch = inOrder.slice(begin, end);
    batches.push(random() < 0.1 ? batch.reverse() : batch);
    begin = end;
  }
  return batches;
}

interface Arrival {
  /** Its place among all arrivals. */
  readonly at: number;
  readonly sending: Sending;
}

function arrivalsOf(sending: Sending, index: number, count: number, random: () => number): Arrival[] {
  const live = { at: index, sending };
  const later = () => index + random() * count * 0.4;
  const fate = random();
  if (fate < 0.8) return [live];
  if (fate < 0.87) return [{ at: later(), sending }];
  if (fate < 0.9) return [live, { at: later(), sending }];
  const { frame } = sending;
  const { recordedAt, receivedAt } = frame;
  const changed = (fields: Partial<IncomingFrame>) => ({ ...sending, frame: { ...frame, ...fields } });
  // Received earlier than the first copy said, or later, which changes nothing.
  if (fate < 0.93) {
    const shiftMs = (random() - 0.6) * hourMs;
    return [live, { at: later(), sending: changed({ receivedAt: receivedAt + Math.floor(shiftMs) }) }];
  }
  // From the future, until a right clock receives it.
  if (fate < 0.96)
    return [
      { at: index, sending: changed({ receivedAt: receivedAt - dayMs }) },
      { ...live, at: later() },
    ];
  if (fate < 0.97) return [{ at: index, sending: changed({ recordedAt: null }) }];
  if (recordedAt === null) return [live];
  // Twenty years ago, until it is received by a clock by which that is a rollover.
  const rolledOver = { recordedAt: recordedAt - rolloverMs };
  if (fate < 0.98) return [{ at: index, sending: changed(rolledOver) }];
  const unrepaired = changed({ ...rolledOver, receivedAt: receivedAt - 2 * dayMs });
  return [
    { at: index, sending: unrepaired },
    { at: later(), sending: changed(rolledOver) },
  ];
}
