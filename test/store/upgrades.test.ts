import { Database as Sqlite } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openForServer } from "../../src/cli/store/open-store.ts";
import { watchSilence } from "../../src/derive/upkeep/silent-trips.ts";
import { dayMs } from "../../src/domain/time/time.ts";
import type { Observation } from "../../src/observe/observation.ts";
import type { Database } from "../../src/store/database.ts";
import { fileName } from "../../src/store/sqlite/open.ts";
import { holdServerLock } from "../../src/store/sqlite/server-lock.ts";
import { type DerivedTables, derivedTables, differencesOf } from "../support/derived-tables.ts";
import { type EmptyStore, onEachEngine } from "../support/engines.ts";
import { waitingCount } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { startServer } from "../support/ingest-server.ts";
import { runOdograph, usualProgram } from "../support/program.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { answersOf, contradictions, type RecordedAnswer } from "../support/recorded-answers.ts";
import { rounds } from "../support/rounds.ts";
import { sendAllAgain } from "../support/sent-again.ts";
import { convertedVersions, fixtureVersions, placeFixture } from "../support/store-fixture.ts";

const seed = announcedSeed("killing a conversion");
/** Of a conversion before it is killed. It makes 27 to 70, so it is killed in the midst at least once. */
const [minReports, maxReports] = [rounds(13, 1), rounds(25, 12)];
const openedInSteps = fileURLToPath(new URL("../support/opened-in-steps.ts", import.meta.url));

onEachEngine("a store that a released version wrote", (engine) => {
  for (const version of fixtureVersions) {
    const isConverted = convertedVersions.includes(version);
    // Those of 1.3.0 and 1.4.0 were written by the rules of this program.
    const isDerivedAgain = !["1.3.0", "1.4.0"].includes(version);

    // One that is converted does so after it was killed, below.
    if (!isConverted)
      test(`${version}: is opened, and answers as that version did`, async () => {
        const store = await engine.empty();
        const { keys, before } = await placeFixture(version, engine.name, store);
        const now = (await answersOf(await store.open(), keys)).map(asShownBy(version));
        expect(differences(before, now)).toEqual([]);
      });

    test(`${version}: takes in the frames that follow, and is derived again as if all had just come`, async () => {
      const store = await engine.empty();
      const { laterFrames } = await placeFixture(version, engine.name, store);
      const loaded = await runOdograph(["load", "-"], { env: store.env, input: laterFrames });
      expect(loaded.code, loaded.stderr).toBe(0);
      const { logged, kill } = await startServer({ env: store.env });
      if (isDerivedAgain) await logged('"kind":"rules_upgrade_started"');
      // It goes on where it was killed.
      await kill();
      const again = await runOdograph(["rederive", "--json"], { env: store.env });
      expect(again.code, again.stderr).toBe(0);
      const database = await store.open();
      expect(await waitingCount(database)).toBe(0);
      const upgraded = await derivedIn(database);
      const { trips, alerts, geofence_events: crossings } = upgraded;
      const times = [...trips, ...alerts, ...crossings].flatMap((row) => [row.received_at, row.updated_at]);
      expect(times.length).toBeGreaterThan(80);
      expect(times.filter((time) => time === null)).toEqual([]);
      await sendAllAgain(database);
      expect(differencesOf(await derivedIn(database), upgraded)).toEqual([]);
    });

    if (isConverted)
      test(`${version}: is opened as well if the program is killed again and again`, async () => {
        const store = await engine.empty();
        const { keys, before } = await placeFixture(version, engine.name, store);
        const random = randomNumbers(seed);
        let kills = 0;
        // In turns one that takes small steps, between two of them, and the real one, at any moment since its start.
        while (await isKilledAt(minReports + Math.floor(random() * (maxReports - minReports + 1)), store)) {
          kills++;
          await killedAfter(random() * 400, store);
        }
        expect(kills).toBeGreaterThan(0);
        const now = (await answersOf(await store.open(), keys)).map(asShownBy(version));
        expect(differences(before, now), `seed ${seed}`).toEqual([]);
      });

    test(`${version}: a server converts it before it listens, lets in whom that version did, and derives it again`, async () => {
      const store = await engine.empty();
      const { signIn, token } = await placeFixture(version, engine.name, store);
      const { url, ingestUrl, logged, stop } = await startServer({ env: store.env });
      const headers = { "X-Odograph-Portal": "1", Origin: url, "Content-Type": "application/json" };
      const session = { method: "POST", headers, body: JSON.stringify(signIn) };
      expect((await fetch(`${url}/portal/api/session`, session)).status).toBe(200);
      const frames = { method: "POST", headers: { Authorization: `Bearer ${token}` }, body: "[]" };
      const taken = await (await fetch(`${ingestUrl}/frames`, frames)).json();
      expect(taken).toEqual({ accepted: 0, duplicate: 0, refused: [] });
      const metrics = async () => (await fetch(`${ingestUrl}/metrics`)).text();
      if (isDerivedAgain) await logged('"kind":"rules_upgrade_finished"');
      expect(await metrics()).toContain("odograph_devices_waiting 0\n");
      const derivedAgain = Number(/^odograph_frames_derived_again_total (\d+)$/m.exec(await metrics())?.[1] ?? 0);
      expect(derivedAgain > 900).toBe(isDerivedAgain);
      const { stderr } = await stop();
      if (isConverted) expectConvertedBeforeListening(kindsIn(stderr));
    });
  }
});

onEachEngine("a server that is asked to stop while it converts a store", (engine) => {
  test("stops after the step, and the next program goes on", async () => {
    const store = await engine.empty();
    const { keys, before } = await placeFixture("1.0.0", engine.name, store);
    const seen: string[] = [];
    const observe = ({ kind }: Observation) => {
      seen.push(kind);
      if (kind === "store_conversion_progress") process.emit("SIGTERM", "SIGTERM");
    };
    expect(await openForServer(store.target, { observe })).toBeNull();
    expect(seen.at(-1)).toBe("store_conversion_interrupted");
    const { code, stderr } = await runOdograph(["keys", "list"], { env: store.env });
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^converting frames, readings, checkpoints that an earlier version stored; if interrupted, /,
    );
    const now = (await answersOf(await store.open(), keys)).map(asShownBy100);
    expect(differences(before, now)).toEqual([]);
  });
});

test("a store that an earlier version serves is left to it", async () => {
  const directory = await mkdtemp(join(tmpdir(), "odograph-"));
  try {
    const env = { ODOGRAPH_DATA: directory };
    await placeFixture("1.0.0", "sqlite", { target: { engine: "sqlite", directory } });
    const schema = () => {
      using file = new Sqlite(join(directory, fileName));
      return file.query("select name, sql from sqlite_schema order by name").all();
    };
    const release = holdServerLock(directory);
    const before = schema();
    for (const command of [
      ["keys", "list"],
      ["serve", "--port", "0", "--ingest-port", "0"],
    ]) {
      const { code, stderr } = await runOdograph(command, { env });
      expect(code).toBe(1);
      expect(stderr).toBe(
        `odograph: an earlier odograph serves ${directory}: stop it before this version upgrades the store\n`,
      );
    }
    expect(schema()).toEqual(before);
    release();
    expect((await runOdograph(["keys", "list"], { env })).code).toBe(0);
  } finally {
    await rm(directory, { recursive: true });
  }
});

function kindsIn(log: string): string[] {
  return Array.from(log.matchAll(/"kind":"(\w+)"/g), ([, kind = ""]) => kind);
}

function expectConvertedBeforeListening(kinds: readonly string[]): void {
  const first = ["schema_migrated", "store_conversion_started", "server_not_listening", "store_conversion_progress"];
  expect(kinds.slice(0, 4)).toEqual(first);
  // Work in the background, such as newer rules, may begin before it listens.
  const others = kinds.filter((kind) => /^(store_conversion|server)_(?!progress)/.test(kind));
  expect(others.slice(2, 4)).toEqual(["store_conversion_finished", "server_listening"]);
}

async function isKilledAt(report: number, { target }: EmptyStore): Promise<boolean> {
  const words = [openedInSteps, JSON.stringify(target), "100", String(report)];
  const program = Bun.spawn([process.execPath, ...words], { stdout: "ignore", stderr: "inherit" });
  const code = await program.exited;
  if (code !== 0 && program.signalCode !== "SIGKILL") throw new Error(`ended with ${code}`);
  return code !== 0;
}

async function killedAfter(ms: number, { env }: EmptyStore): Promise<void> {
  const options = { env: { PATH: process.env.PATH ?? "", ...env }, stdout: "ignore", stderr: "ignore" } as const;
  const program = Bun.spawn([...usualProgram, "keys", "list"], options);
  await Bun.sleep(ms);
  program.kill("SIGKILL");
  await program.exited;
}

/** Written by a program that derived as this one does, and showed the same. */
function asShownBy(version: string): (answer: RecordedAnswer) => RecordedAnswer {
  return ["schema-15", "1.2.0", "1.3.0", "1.4.0"].includes(version) ? (answer) => answer : asShownBy100;
}

/** 1.0.0 showed only the alert rules that were set, and no volume of a tank whose sensor reports its level. */
function asShownBy100(answer: RecordedAnswer): RecordedAnswer {
  const { path, status, data } = answer;
  if (status !== 200) return answer;
  if (path.endsWith("/alert-settings")) {
    const settings = data as { readonly rules: readonly { readonly source: string }[] };
    return { ...answer, data: { ...settings, rules: settings.rules.filter(({ source }) => source === "set") } };
  }
  if (!path.startsWith("/sensors/fuel")) return answer;
  return { ...answer, data: (data as object[]).map((reading) => ({ ...reading, volume_l: null })) };
}

/** Enough to see what is wrong. */
const maxShown = 10;

function differences(recorded: readonly RecordedAnswer[], now: readonly RecordedAnswer[]): string[] {
  expect(now.map(({ key, path }) => `${key} ${path}`)).toEqual(recorded.map(({ key, path }) => `${key} ${path}`));
  return recorded
    .flatMap((answer, index) =>
      contradictions(answer, withoutNewTypes(now[index], answer), `${answer.key} ${answer.path}`),
    )
    .slice(0, maxShown);
}

interface Settings {
  readonly rules: readonly { readonly alert_type: string; readonly source: string }[];
}

/** A type of alert that has come since is in the settings of every vehicle, by its default. */
function withoutNewTypes(now: RecordedAnswer | undefined, then: RecordedAnswer): RecordedAnswer | undefined {
  if (now?.status !== 200 || then.status !== 200 || !now.path.endsWith("/alert-settings")) return now;
  const settings = now.data as Settings;
  const known = new Set((then.data as Settings).rules.map(({ alert_type }) => alert_type));
  const rules = settings.rules.filter(({ alert_type, source }) => source === "set" || known.has(alert_type));
  return { ...now, data: { ...settings, rules } };
}

/** What is derived once the clock has ended all trips that fell silent, without what else the clock raised. */
async function derivedIn(database: Database): Promise<DerivedTables> {
  await watchSilence(database, Date.now() + 400 * dayMs);
  const tables = await derivedTables(database);
  return { ...tables, alerts: tables.alerts.filter(({ alert_type }) => alert_type !== "device_offline") };
}
