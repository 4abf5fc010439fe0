import { expect, test } from "bun:test";
import { severities } from "../../src/domain/alert-types.ts";
import { rulesVersion } from "../../src/domain/rules.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import type { Database } from "../../src/store/database.ts";
import { foldedDevices, markDirty } from "../../src/store/facts/folds.ts";
import { growFleetRevision } from "../../src/store/fleet/fleet-context.ts";
import { sql } from "../../src/store/sql.ts";
import {
  acknowledgeEach,
  countAcknowledgements,
  moveStoredAlerts,
  qualifierOf,
  type StoredAlert,
  storedAlerts,
} from "../support/acknowledged-alerts.ts";
import { everyRecord, keyOf, startApi } from "../support/api.ts";
import { type EngineUnderTest, onEachEngine } from "../support/engines.ts";
import { type FleetRecord, hourMs, load, loadedAt, smallFleet } from "../support/fleet.ts";
import { batched } from "../support/ingest-arrival.ts";
import { moved } from "../support/ingest-drive.ts";
import { alertSettings, fences, freshFleet, home, newYear, vanImei } from "../support/ingest-fleet.ts";
import { accountNumber, newWriter, nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { noReport, randomNumbers, shuffled } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";
import { upgradeAll } from "../support/rules-upgrade.ts";

const seed = announcedSeed("acknowledgements of moved alerts");
const minuteMs = 60_000;
const frames = shuttle(rounds(40, 200), randomNumbers(seed));
/** After all frames; each acknowledgement is a millisecond later than the one before. */
const acknowledgedFrom = Date.UTC(2026, 6, 1);
const fromStart = new Date(newYear - hourMs).toISOString();

const shown = (alerts: readonly StoredAlert[]) => alerts.filter(({ withdrawn }) => !withdrawn);
const idsOf = (alerts: readonly StoredAlert[]) => alerts.map(({ id }) => id);
const rank = (severity: StoredAlert["severity"]) => severities.indexOf(severity);

/** The van to and fro across its fences, now too fast and now not: alerts with every leg. */
function shuttle(legs: number, random: () => number): IncomingFrame[] {
  const all: IncomingFrame[] = [];
  const everyS = 20;
  let [at, east, isOutward] = [newYear, 0, true];
  for (let leg = 0; leg < legs; leg++) {
    const kmh = 50 + Math.floor(random() * 60);
    for (const target = isOutward ? 3_500 : 0; isOutward ? east < target : east > target; at += everyS * 1000) {
      east += (isOutward ? 1 : -1) * (kmh / 3.6) * everyS;
      const event = random() < 0.02 ? "sos" : null;
      // Both are too warm now and then, at the same time or not.
      const sensors = [warmth("cargo", leg % 4 < 2), warmth("tank_1", leg % 3 === 0)];
      const place = moved(home, random() * 20, east);
      all.push({
        ...noReport,
        imei: vanImei,
        recordedAt: at,
        receivedAt: at + 1000,
        ...place,
        speed_kmh: kmh,
        event,
        sensors,
      });
    }
    isOutward = !isOutward;
  }
  return all;
}

function warmth(sensor: string, isTooWarm: boolean) {
  return { kind: "temperature", sensor, temperature_c: isTooWarm ? 12 : 0, humidity_percent: null } as const;
}

/** Alerts, all of which are acknowledged: a hundred and more. */
async function acknowledgedFleet(engine: EngineUnderTest) {
  const store = await freshFleet(engine);
  await take(store.database, [frames]);
  const alerts = await storedAlerts(store.database);
  expect(alerts.length).toBeGreaterThan(100);
  return { ...store, alerts };
}

/** Loads edits that hold from the start, and has everything derived again. */
async function edit(database: Database, records: readonly FleetRecord[], hours: number): Promise<void> {
  await load(
    database,
    records.map((record) => ({ ...record, valid_from: fromStart })),
    loadedAt + hours * hourMs,
  );
  const account = await accountNumber(database);
  const devices = (await foldedDevices(database, account)).map(({ device }) => device);
  await database.transaction(async (tx) => {
    await growFleetRevision(tx, [account]);
    await markDirty(tx, account, devices, 0);
  });
  await newWriter(database).schedule.deriveLeft();
}

/** Nothing is stored for alerts that are gone, and the mark beside each alert is right. */
async function expectTidy(database: Database, alerts: readonly StoredAlert[]): Promise<void> {
  const acknowledged = alerts.filter(({ acknowledged_at }) => acknowledged_at !== null);
  expect(await countAcknowledgements(database)).toBe(acknowledged.length);
  expect(idsOf(alerts.filter(({ acknowledged }) => acknowledged))).toEqual(idsOf(acknowledged));
}

onEachEngine("an acknowledgement", (engine) => {
  test("goes over to the alert that newer rules find at another moment, none lost, and followers get both", async () => {
    const { database, alerts } = await acknowledgedFleet(engine);
    const random = randomNumbers(seed);
    // All of one rule the same way: what comes after what does not change.
    const shifts = new Map<string, number>();
    const shiftOf = (alert: StoredAlert) => {
      return shifts.getOrInsertComputed(ruleOf(alert), () => Math.round((random() * 2 - 1) * 9.9 * minuteMs));
    };
    const count = await moveStoredAlerts(database, shiftOf);
    expect(count).toBeGreaterThan(100);
    await acknowledgeEach(database, idsOf(await storedAlerts(database)), acknowledgedFrom);
    const before = await storedAlerts(database);
    await database.transaction((tx) => tx.run(sql`update device_folds set rules = ${rulesVersion - 1}`));
    const api = await startApi(database);
    const key = await keyOf(database, smallFleet.olga.email);
    const start = (await api.get("/changes", key)).body.resume_after;
    await upgradeAll(database);
    const after = await storedAlerts(database);
    expect(idsOf(after)).toEqual(idsOf(alerts));
    const lost = after.filter(({ acknowledged_by }) => acknowledged_by !== smallFleet.olga.id);
    console.log(`newer rules: ${count} moved, ${lost.length} lost`);
    expect(lost).toEqual([]);
    expect(new Set(after.map(({ acknowledged_at }) => acknowledged_at)).size).toBe(alerts.length);
    const origins = new Map(before.map((alert) => [alert.acknowledged_at, ruleOf(alert)]));
    expect(after.filter((alert) => origins.get(alert.acknowledged_at) !== ruleOf(alert))).toEqual([]);
    await expectTidy(database, after);
    const changes = await everyRecord(api, key, `/changes?types=alert&limit=100&after=${start}`);
    await api.close();
    const [known, now] = [new Set(idsOf(before)), new Set(idsOf(after))];
    const put = (changes ?? []).flatMap(({ record }) => (record === null ? [] : [record]));
    const [came, went] = [idsOf(after).filter((id) => !known.has(id)), idsOf(before).filter((id) => !now.has(id))];
    expect(came.length).toBeGreaterThan(100);
    for (const id of came) expect(put.findLast(({ alert_id }) => alert_id === id)?.acknowledged).toBe(true);
    const removed = new Set((changes ?? []).filter(({ record }) => record === null).map(({ id }) => id));
    expect(went.filter((id) => !removed.has(id))).toEqual([]);
  });

  test("of alerts that an edit withdraws waits for those that another brings back at other moments", async () => {
    const { database, alerts } = await acknowledgedFleet(engine);
    await acknowledgeEach(database, idsOf(alerts), acknowledgedFrom);
    await edit(database, [{ ...alertSettings, rules: [] }], 1);
    const between = await storedAlerts(database);
    const waiting = between.filter(({ withdrawn }) => withdrawn);
    expect(waiting.length).toBeGreaterThan(20);
    // Every crossing of the town is seconds earlier or later.
    await edit(database, [{ ...fences.town, radius_m: 2_030 }, alertSettings], 2);
    const after = await storedAlerts(database);
    const known = new Set(idsOf(between));
    const came = after.filter(({ id }) => !known.has(id));
    const left = after.filter(({ withdrawn }) => withdrawn);
    console.log(`two edits: ${waiting.length} withdrawn, ${came.length} came at other moments, ${left.length} left`);
    expect(came.length).toBeGreaterThan(0);
    for (const open of shown(after).filter(({ acknowledged_at }) => acknowledged_at === null)) {
      expect(left.filter((one) => isPlaceOf(one, open))).toEqual([]);
    }
    expect(shown(after).filter(({ acknowledged_at }) => acknowledged_at !== null).length).toBeGreaterThan(
      shown(between).length,
    );
    await expectTidy(database, after);
    expect(await rederiveAll(database)).toMatchObject(nothingChanged);
  });

  test.each([1, 2, 3, 4].slice(0, rounds(1, 4)))(
    "is not lost, whatever late frames do to its alert (%d)",
    async (round) => {
      const { database } = await freshFleet(engine);
      const random = randomNumbers(seed + round);
      const story = new Story();
      let writer = newWriter(database);
      const late = new Set(frames.filter(() => random() < 0.3));
      const inTime = frames.filter((frame) => !late.has(frame));
      const batches = [...batched(inTime, random, 200), ...batched(shuffled([...late], random), random, 10)];
      for (const batch of batches) {
        // Now and then the server has just been restarted.
        if (random() < 0.2) writer = newWriter(database);
        await take(database, [batch], writer);
        const open = story.took(await storedAlerts(database));
        const chosen = idsOf(open).filter(() => random() < 0.7);
        await acknowledgeEach(database, chosen, acknowledgedFrom + 1_000 * story.steps);
        story.acknowledged(await storedAlerts(database));
      }
      const alerts = await storedAlerts(database);
      console.log(`late frames: ${story.gone} acknowledged alerts went, ${story.carried} of them to others, 0 lost`);
      expect(story.carried).toBeGreaterThan(20);
      await expectTidy(database, alerts);
      expect(await rederiveAll(database)).toMatchObject(nothingChanged);
      expect(await storedAlerts(database)).toEqual(alerts);
    },
  );
});

function ruleOf(alert: StoredAlert): string {
  return `${alert.device} ${alert.alert_type} ${qualifierOf(alert)}`;
}

/** Whether what people know of an alert that went belongs to another that came, by the words of the documentation. */
function isPlaceOf(went: StoredAlert, came: StoredAlert): boolean {
  const end = ({ ended_at }: StoredAlert) => ended_at ?? Number.MAX_SAFE_INTEGER;
  const isNear = Math.abs(went.occurred_at - came.occurred_at) <= 10 * minuteMs;
  const overlaps = went.occurred_at <= end(came) && came.occurred_at <= end(went);
  return (isNear || overlaps) && rank(came.severity) <= rank(went.severity) && ruleOf(went) === ruleOf(came);
}

/** Holds each step against the one before. */
class Story {
  #before: readonly StoredAlert[] = [];
  /** The severity that was acknowledged, by the moment of that. */
  readonly #covered = new Map<number, number>();
  /** The alert of each acknowledgement. */
  readonly #holders = new Map<number, string>();
  steps = 0;
  gone = 0;
  carried = 0;

  /** Some frames were taken in. Returns the alerts that nobody has acknowledged. */
  took(alerts: readonly StoredAlert[]): StoredAlert[] {
    this.steps++;
    const [before, now] = [shown(this.#before), shown(alerts)];
    const [idsBefore, idsNow] = [new Set(idsOf(before)), new Set(idsOf(now))];
    const went = before.filter(({ id, acknowledged_at }) => acknowledged_at !== null && !idsNow.has(id));
    const came = now.filter(({ id }) => !idsBefore.has(id));
    const holders = new Map(alerts.map((alert) => [alert.acknowledged_at, alert]));
    for (const alert of went) {
      this.gone++;
      const holder = holders.get(alert.acknowledged_at);
      expect(holder).toBeDefined();
      if (holder?.withdrawn) {
        // Only if there was no place for it.
        const covered = this.#covered.get(alert.acknowledged_at ?? 0) ?? rank(alert.severity);
        const places = came.filter(
          (one) => one.acknowledged_at === null && rank(one.severity) <= covered && isPlaceOf(alert, one),
        );
        expect(places, `lost ${JSON.stringify(alert)}`).toEqual([]);
      } else this.carried++;
    }
    const moments = alerts.flatMap(({ acknowledged_at }) => acknowledged_at ?? []);
    expect(new Set(moments).size).toBe(moments.length);
    expect(moments.length).toBe(this.#covered.size);
    this.acknowledged(alerts, came);
    return now.filter(({ acknowledged_at }) => acknowledged_at === null);
  }

  acknowledged(alerts: readonly StoredAlert[], came: readonly StoredAlert[] = []): void {
    for (const { id, severity, acknowledged_at } of alerts) {
      if (acknowledged_at === null) continue;
      const covered = this.#covered.get(acknowledged_at) ?? rank(severity);
      // One that comes back under its own id is the one that was acknowledged, whatever became of it.
      const isMoved = came.some((one) => one.id === id) && this.#holders.get(acknowledged_at) !== id;
      if (isMoved) expect(rank(severity)).toBeLessThanOrEqual(covered);
      this.#holders.set(acknowledged_at, id);
      this.#covered.set(acknowledged_at, covered);
    }
    this.#before = alerts;
  }
}
