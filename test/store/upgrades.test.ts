import { expect, test } from "bun:test";
import { countWaiting } from "../../src/store/waiting-devices.ts";
import { type DerivedTables, derivedTables, differencesOf } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
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
      const now = (await answersOf(await store.open(), keys)).map(asShownBy100);
      expect(differences(before, now)).toEqual([]);
    });

    test(`${version}: takes in the frames that follow, and is derived again as if all had just come`, async () => {
      const store = await engine.empty();
      const { laterFrames } = await placeFixture(version, engine.name, store);
      const loaded = await runOdograph(["load", "-"], { env: store.env, input: laterFrames });
      expect(loaded.code, loaded.stderr).toBe(0);
      const { logged, kill } = await startServer({ env: store.env });
      await logged('"kind":"rules_upgrade_started"');
      // It goes on where it was killed.
      await kill();
      const again = await runOdograph(["rederive", "--json"], { env: store.env });
      expect(again.code, again.stderr).toBe(0);
      const database = await store.open();
      expect(await countWaiting(database)).toBe(0);
      const upgraded = await derivedTables(database);
      const { trips, alerts, geofence_events: crossings } = upgraded;
      const times = [...trips, ...alerts, ...crossings].flatMap((row) => [row.received_at, row.updated_at]);
      expect(times.length).toBeGreaterThan(100);
      expect(times.filter((time) => time === null)).toEqual([]);
      await sendAllAgain(database);
      expect(differencesOf(withoutClock(await derivedTables(database)), withoutClock(upgraded))).toEqual([]);
    });

    test(`${version}: is derived again by a server, which says so in its log and metrics`, async () => {
      const store = await engine.empty();
      await placeFixture(version, engine.name, store);
      const server = await startServer({ env: store.env });
      const metrics = async () => (await fetch(`${server.ingestUrl}/metrics`)).text();
      await server.logged('"kind":"rules_upgrade_finished"');
      expect(await metrics()).toContain("odograph_devices_waiting 0\n");
      expect(Number(/^odograph_frames_derived_again_total (\d+)$/m.exec(await metrics())?.[1])).toBeGreaterThan(1000);
      await server.stop();
      const database = await store.open();
      const upgraded = await derivedTables(database);
      await sendAllAgain(database);
      expect(differencesOf(withoutClock(await derivedTables(database)), withoutClock(upgraded))).toEqual([]);
    });

    test(`${version}: lets in who had a password or a token`, async () => {
      const store = await engine.empty();
      const { signIn, token } = await placeFixture(version, engine.name, store);
      const { url, ingestUrl, stop } = await startServer({ env: store.env });
      const headers = { "X-Odograph-Portal": "1", Origin: url, "Content-Type": "application/json" };
      const session = { method: "POST", headers, body: JSON.stringify(signIn) };
      expect((await fetch(`${url}/portal/api/session`, session)).status).toBe(200);
      const frames = { method: "POST", headers: { Authorization: `Bearer ${token}` }, body: "[]" };
      expect(await (await fetch(`${ingestUrl}/frames`, frames)).json()).toEqual({
        accepted: 0,
        duplicate: 0,
        refused: [],
      });
      await stop();
    });
  }
});

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
    .flatMap((answer, index) => contradictions(answer, now[index], `${answer.key} ${answer.path}`))
    .slice(0, maxShown);
}

/** What the clock raised does not follow from frames. */
function withoutClock(tables: DerivedTables): DerivedTables {
  return { ...tables, alerts: tables.alerts.filter(({ alert_type }) => alert_type !== "device_offline") };
}
