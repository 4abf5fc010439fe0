import { afterEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { partBefore, servedSince } from "../../src/cli/demo/demo-parts.ts";
import { DemoMaker } from "../../src/cli/demo-maker.ts";
import { type DemoState, readDemoState } from "../../src/cli/serving/demo-state.ts";
import { dayMs } from "../../src/domain/time/time.ts";
import { historyInMaking } from "../../src/portal/demo-history.ts";
import { createWorld } from "../../src/simulator/world.ts";
import { until } from "../support/patience.ts";
import { startOdograph } from "../support/program.ts";

const directories: string[] = [];

afterEach(async () => {
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true, force: true });
});

async function emptyDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "odograph-"));
  directories.push(directory);
  return join(directory, "demo");
}

function demoIn(directory: string, ...more: string[]) {
  return ["demo", "--data", directory, "--port", "0", "--ingest-port", "0", ...more];
}

test("a demo serves what is there of its history, and a day of it is made at once", () => {
  const now = Date.parse("2026-10-28T10:00:00Z");
  const day = (days: number) => now - days * dayMs;
  const yesterday = Date.parse("2026-10-26T23:00:00Z");
  expect(servedSince({ from: day(14) }, now)).toBe(yesterday);
  for (const days of [1, 1.5]) expect(servedSince({ from: day(days) }, now)).toBe(day(days));
  // From the newest to the oldest, without a gap.
  const parts = [];
  for (let until = yesterday; until > day(3); until = parts.at(-1)?.from ?? 0) parts.push(partBefore(until, day(3)));
  const midnight = Date.parse("2026-10-26T00:00:00Z");
  expect(parts).toEqual([
    { from: midnight, until: yesterday },
    { from: day(3), until: midnight },
  ]);
  const state = { days: 3, from: day(3), historyFrom: yesterday, isComplete: false } as DemoState;
  expect(historyInMaking(state)).toEqual({ days: 3, days_made: 1 });
  expect(historyInMaking({ ...state, historyFrom: midnight })).toEqual({ days: 3, days_made: 2 });
  expect(historyInMaking({ ...state, historyFrom: null })).toBeNull();
  expect(historyInMaking({ ...state, historyFrom: day(3), isComplete: true })).toBeNull();
});

test("what is made before a demo is served has a position of each vehicle, also of one that fell silent", async () => {
  const now = Date.parse("2026-10-28T10:00:00Z");
  const options = { seed: 1, vehicles: 40, from: now - 6 * dayMs };
  const begin = servedSince(options, now);
  const { imeis, messages } = createWorld(options);
  const heard = new Set(Array.from(messages(begin, now), ({ frames }) => frames[0]?.imei));
  expect(heard.size).toBe(39);
  const maker = new DemoMaker(options);
  try {
    const made = new Set<string>();
    for await (const { frames } of maker.frames(begin, now)) for (const { imei } of frames) made.add(imei);
    expect([...made].sort()).toEqual([...imeis].sort());
  } finally {
    maker.stop();
  }
});

test("a demo of 1.4.0 starts again, whole or interrupted", async () => {
  const directory = await emptyDirectory();
  await (await startOdograph(demoIn(directory, "--vehicles", "3", "--days", "1"))).stop();
  for (const isComplete of [true, false]) {
    const { historyFrom: _, ...state } = (await readDemoState(directory)) as DemoState;
    await Bun.write(join(directory, "demo.json"), JSON.stringify({ ...state, isComplete }));
    const program = await startOdograph(demoIn(directory));
    await until(async () => (await readDemoState(directory))?.isComplete === true);
    expect(await program.stop()).toMatchObject({ code: 0, stdout: expect.stringContaining("3 vehicles are driving") });
  }
});
