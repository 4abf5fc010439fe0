import { afterEach, expect, test } from "bun:test";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { driveHistory, loadDemoFleet } from "../../src/cli/demo/demo-history.ts";
import { servedSince } from "../../src/cli/demo/demo-parts.ts";
import { type DemoState, readDemoState } from "../../src/cli/serving/demo-state.ts";
import { readCanonicalFrame } from "../../src/intake/formats/canonical.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import type { DemoHistory } from "../../src/portal/both-sides/contract/session.ts";
import { people } from "../../src/simulator/fleet/records.ts";
import { createWorld } from "../../src/simulator/world.ts";
import { openDatabase } from "../../src/store/open.ts";
import { until } from "../support/patience.ts";
import { runOdograph, spawnOdograph, startOdograph } from "../support/program.ts";

const hourMs = 3_600_000;
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

test("a demo that was killed while it made its history makes the rest, and ends up as one made in order", async () => {
  const directory = await emptyDirectory();
  const isStopped = (state: DemoState | null) => state !== null && state.historyFrom !== null && !state.isComplete;
  // A longer history, should this process have been held up until a shorter one was made.
  for (let days = 4; days <= 64 && !isStopped(await readDemoState(directory)); days *= 2) {
    const child = spawnOdograph(demoIn(directory, "--reset", "--vehicles", "8", "--days", `${days}`));
    // It is served, and some of the days before are made.
    await until(async () => child.exitCode !== null || isPartlyMade(await readDemoState(directory), days));
    child.kill("SIGKILL");
    await child.exited;
  }
  const killed = await readDemoState(directory);
  expect(isStopped(killed)).toBe(true);
  const servedAt = (await stat(join(directory, "demo.json"))).mtimeMs;
  const again = await startOdograph(demoIn(directory));
  const { url } = again;
  const signedIn = await fetch(`${url}/portal/api/session`, {
    method: "POST",
    headers: { "X-Odograph-Portal": "1", Origin: url },
    body: JSON.stringify({ email: people.owner.email, password: people.owner.password }),
  });
  const { demo_history: history } = (await signedIn.json()) as { demo_history: DemoHistory | null };
  // On a machine that is held up, all may be made by then.
  if (history !== null) expect(history.days_made).toBeLessThan(history.days);
  await until(async () => (await readDemoState(directory))?.isComplete === true);
  const headers = { Cookie: signedIn.headers.get("Set-Cookie")?.split(";")[0] ?? "" };
  const later = await fetch(`${url}/portal/api/session`, { headers });
  expect(await later.json()).toMatchObject({ demo_history: null });
  const { code, stderr } = await again.stop();
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('"level":"warn"')]);

  const { from } = killed as DemoState;
  const inOrder = await madeInOrder(killed as DemoState, servedAt);
  // What goes on at the end depends on what the vehicles have sent since.
  const [begin, end] = [from, servedAt - 6 * hourMs].map((at) => new Date(at).toISOString()) as [string, string];
  for (const list of ["trips", "stops", "alerts", "geofence-events", "mileage"]) {
    const days = [begin, end].map((at) => at.slice(0, 10)) as [string, string];
    const [first, last] = list === "mileage" ? days : [begin, end];
    const exported = async (data: string) => {
      const options = ["--data", data, "--from", first, "--to", last, "--format", "ndjson"];
      const { code, stdout } = await runOdograph(["export", list, ...options]);
      expect(code).toBe(0);
      return stdout.split("\n").slice(0, -1).filter(isOver).sort();
    };
    const expected = await exported(inOrder);
    expect(expected.length).toBeGreaterThan(4);
    expect(await exported(directory)).toEqual(expected);
  }
});

function isPartlyMade(state: DemoState | null, days: number): boolean {
  if (state === null || state.days !== days || state.historyFrom === null) return false;
  return state.historyFrom < servedSince(state, Date.now()) || state.isComplete;
}

/** Not still going on; and not found by the clock of a server, for the other store never had one. */
function isOver(line: string): boolean {
  const { ended_at: endedAt, alert_type: alertType } = JSON.parse(line) as Record<string, unknown>;
  return endedAt !== null && alertType !== "device_offline";
}

/** The same world in a store of its own, its frames in the order in which they arrived. */
async function madeInOrder(state: DemoState, until: number): Promise<string> {
  const directory = await emptyDirectory();
  const world = createWorld(state);
  const database = await openDatabase({ engine: "sqlite", directory }, { create: true });
  try {
    const terminal = { out() {}, note() {}, progress() {} };
    await loadDemoFleet(database, world, terminal);
    const messages = world.messages(state.from, until);
    const frames = Array.from(messages, (message) => message.frames).flat() as object[];
    const incoming = frames.map((frame) => readCanonicalFrame(frame, until) as IncomingFrame);
    const batches = (async function* () {
      yield { frames: incoming, arrivesAt: until };
    })();
    await driveHistory(database, world, batches, { from: state.from, until }, terminal.progress);
  } finally {
    await database.close();
  }
  return directory;
}
