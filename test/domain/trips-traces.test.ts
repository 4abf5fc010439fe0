import { expect, test } from "bun:test";
import type { TripFact } from "../../src/domain/facts.ts";
import { readTrace } from "../support/shared-traces.ts";
import { run } from "./support/quality-frames.ts";
import { readDrives } from "./support/quality-traces.ts";
import { follow } from "./support/trips-drive.ts";

interface Drive {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** When the ignition was on, as the car itself recorded it. */
function readTruth(): Drive[] {
  const drives = new Map<string, Drive>();
  for (const { drive: name = "", time_utc: time = "" } of readTrace("drives.csv") ?? []) {
    const at = Date.parse(time);
    drives.set(name, { name, from: drives.get(name)?.from ?? at, to: at });
  }
  return [...drives.values()];
}

/** The trips of the car, its frames judged first. A tracker that wakes up once more next day ends the last one. */
function tripsOf(ignition: boolean | null): readonly TripFact[] | null {
  const frames = readDrives()?.map((frame) => ({ ...frame, ignition }));
  const last = frames?.at(-1);
  if (frames === undefined || last === undefined) return null;
  const wake = {
    ...last,
    recordedAt: last.recordedAt + 86_400_000,
    receivedAt: last.receivedAt + 86_400_000,
    speed_kmh: 0,
  };
  return follow(run([...frames, wake]).all).trips;
}

/** A trip may start on the way to the first frame of its drive. */
const within = ({ from, to }: Drive, trip: TripFact) =>
  trip.startedAt >= from - 60_000 && (trip.endedAt ?? trip.startedAt) <= to;

function table(drives: readonly Drive[], trips: readonly TripFact[]): string {
  const lines = drives.flatMap((drive) =>
    trips
      .filter((trip) => within(drive, trip))
      .map((trip) => {
        const seconds = [trip.startedAt - drive.from, trip.durationMs, trip.idleMs].map((ms) => ms / 1000);
        const km = (trip.distanceMm / 1e6).toFixed(2);
        return [drive.name, ...seconds, km, trip.maxSpeedKmh?.toFixed(0), trip.endReason].join("\t");
      }),
  );
  return ["drive\tafter s\ttook s\tidle s\tkm\tkm/h\tended by", ...lines].join("\n");
}

test("a car whose tracker sends only while the ignition is on has one trip for each drive", () => {
  const trips = tripsOf(true);
  if (trips === null) return;
  const truth = readTruth();
  console.log(`ignition on:\n${table(truth, trips)}`);
  expect(truth).toHaveLength(14);
  const unlike = truth.filter((drive) => trips.filter((trip) => within(drive, trip)).length !== 1);
  expect(unlike.map(({ name }) => `drive ${name} is not one trip`)).toEqual([]);
  expect(trips).toHaveLength(14);
});

test("where the ignition is unknown, only a stop of three minutes and more parts a drive", () => {
  const trips = tripsOf(null);
  if (trips === null) return;
  const truth = readTruth();
  console.log(`ignition unknown:\n${table(truth, trips)}`);
  const parts = truth.map((drive) => [drive.name, trips.filter((trip) => within(drive, trip)).length] as const);
  // In these two it stood for six and for five minutes, with the engine running.
  expect(parts.filter(([, count]) => count !== 1)).toEqual([
    ["15.0", 2],
    ["33.0", 2],
  ]);
  expect(trips).toHaveLength(16);
});
