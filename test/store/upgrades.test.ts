import { expect, test } from "bun:test";
import { watchSilence } from "../../src/derive/upkeep/silent-trips.ts";
import { dayMs } from "../../src/domain/time/time.ts";
import type { Database } from "../../src/store/database.ts";
import { type DerivedTables, derivedTables, differencesOf } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { waitingCount } from "../support/ingest-node.ts";
import { startServer } from "../support/ingest-server.ts";
import { runOdograph } from "../support/program.ts";
import { answersOf, contradictions, type RecordedAnswer } from "../support/recorded-answers.ts";
import { sendAllAgain } from "../support/sent-again.ts";
import { fixtureVersions, placeFixture } from "../support/store-fixture.ts";

onEachEngine("a store that a released version wrote", (engine) => {
  for (const version of fixtureVersions) {
    test(`${version}: is opened, and answers as that version did`, async () => {
      const store = await engine.empty();
      const { keys, before } = await placeFixture(version, engine.name, store);
      expect(differences(before, await answersOf(await store.open(), keys))).toEqual([]);
    });

    test(`${version}: takes in the frames that follow, and is derived again as if all had just come`, async () => {
      const store = await engine.empty();
      const { laterFrames } = await placeFixture(version, engine.name, store);
      const loaded = await runOdograph(["load", "-"], { env: store.env, input: laterFrames });
      expect(loaded.code, loaded.stderr).toBe(0);
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

    test(`${version}: a server lets in whom that version did`, async () => {
      const store = await engine.empty();
      const { signIn, token } = await placeFixture(version, engine.name, store);
      const { url, ingestUrl, stop } = await startServer({ env: store.env });
      const headers = { "X-Odograph-Portal": "1", Origin: url, "Content-Type": "application/json" };
      const session = { method: "POST", headers, body: JSON.stringify(signIn) };
      expect((await fetch(`${url}/portal/api/session`, session)).status).toBe(200);
      const frames = { method: "POST", headers: { Authorization: `Bearer ${token}` }, body: "[]" };
      const taken = await (await fetch(`${ingestUrl}/frames`, frames)).json();
      expect(taken).toEqual({ accepted: 0, duplicate: 0, refused: [] });
      await stop();
    });
  }
});

/** Enough to see what is wrong. */
const maxShown = 10;

function differences(recorded: readonly RecordedAnswer[], now: readonly RecordedAnswer[]): string[] {
  expect(now.map(({ key, path }) => `${key} ${path}`)).toEqual(recorded.map(({ key, path }) => `${key} ${path}`));
  return recorded
    .flatMap((answer, index) => contradictions(answer, now[index], `${answer.key} ${answer.path}`))
    .slice(0, maxShown);
}

/** What is derived once the clock has ended all trips that fell silent, without what else the clock raised. */
async function derivedIn(database: Database): Promise<DerivedTables> {
  await watchSilence(database, Date.now() + 400 * dayMs);
  const tables = await derivedTables(database);
  return { ...tables, alerts: tables.alerts.filter(({ alert_type }) => alert_type !== "device_offline") };
}
