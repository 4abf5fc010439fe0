import { expect, test } from "bun:test";
import { eachMarked } from "../../src/derive/marked.ts";
import { foreground } from "../../src/derive/pace.ts";
import { watchOffline } from "../../src/derive/upkeep/offline-watch.ts";
import { watchSilence } from "../../src/derive/upkeep/silent-trips.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { dueAtOnce, markAccounts, markAllAccounts } from "../../src/store/upkeep/account-marks.ts";
import { noting } from "../support/altered.ts";
import { derivedTables } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { device, load, loadedAt, smallFleet, uuid } from "../support/fleet.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import { freshFleet, home, vanImei } from "../support/ingest-fleet.ts";
import { accountNumber, dirtyCount, newWriter, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";

const seed = announcedSeed("marked accounts");
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const began = loadedAt + 24 * hourMs;

function driveAt(imei: string, beginAt: number) {
  return straightDrive({ imei, from: home, beginAt, minutes: 5, kmh: 40 });
}

/** What the clock did. */
async function byTheClock(database: Database) {
  const { alerts, trips } = await derivedTables(database);
  const offline = alerts.filter(({ alert_type }) => alert_type === "device_offline");
  return {
    offline: offline.map(({ device, occurred_at, ended_at }) => [device, occurred_at, ended_at]),
    trips: trips.map(({ device, started_at, ended_at }) => [device, started_at, ended_at]),
  };
}

type Step = (database: Database, now: number) => Promise<unknown>;

/** Something that happens in a fleet, the same in every store. */
function anyStep(random: () => number): Step {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  // Mostly one of them: others that are looked at would hide a mark that is missing.
  const number = pick([21, 21, 21, 22]);
  const imei = device(number).imei;
  const [heldMs, after_s] = [pick([0, 0, 3 * hourMs]), pick([60, 1_800, 7_200, 100_000])];
  const times = pick([
    null,
    { within: [{ days: ["mon", "wed", "sat"], from: "20:00", until: "06:00" }] },
    { within: [{ days: ["sun"], from: "09:00", until: "09:30" }], dates_off: ["2026-03-05"] },
    { dates_off: ["2026-03-09", "2026-03-14"] },
  ]);
  const parameters = times === null ? { after_s } : { after_s, times };
  const rules = [{ alert_type: "device_offline", enabled: random() < 0.7, parameters }];
  const time_zone = pick(["UTC", "America/Bogota", "Asia/Kolkata"]);
  const status = pick(["active", "active", "inactive"]);
  const vehicle = number === 21 ? smallFleet.van : smallFleet.truck;
  return pick<Step>([
    (database, now) => take(database, [driveAt(imei, now - heldMs - 5 * minuteMs)]),
    (database, now) => take(database, [driveAt(imei, now - heldMs - 5 * minuteMs)]),
    (database, now) => load(database, [{ type: "alert_settings", device_id: uuid(number), rules }], now),
    (database, now) => load(database, [{ ...vehicle, status }], now),
    (database, now) => load(database, [{ ...smallFleet.acme, time_zone }], now),
  ]);
}

onEachEngine("accounts that are marked", (engine) => {
  test("have all the work that a walk through all accounts would find", async () => {
    const random = randomNumbers(seed);
    const [{ database: marked }, { database: walked }] = [await freshFleet(engine), await freshFleet(engine)];
    let now = began;
    for (let step = 0; step < rounds(30, 200); step++) {
      if (random() < 0.6) {
        const happens = anyStep(random);
        for (const database of [marked, walked]) await happens(database, now);
      }
      now += Math.floor(random() ** 3 * 30 * hourMs);
      await markAllAccounts(walked, now, foreground);
      for (const database of [marked, walked]) {
        await newWriter(database).schedule.deriveLeft();
        await watchSilence(database, now);
        await watchOffline(database, now);
      }
      expect({ step, ...(await byTheClock(marked)) }).toEqual({ step, ...(await byTheClock(walked)) });
    }
  }, 120_000);

  test("cost a look, however many others there are", async () => {
    const { database } = await freshFleet(engine);
    await take(database, [driveAt(vanImei, began)]);
    const statements = async () => {
      let count = 0;
      const counted = noting(database, () => void count++);
      await newWriter(counted).schedule.deriveLeft();
      await watchSilence(counted, began + 10 * minuteMs);
      await watchOffline(counted, began + 10 * minuteMs);
      return count;
    };
    await statements();
    const alone = await statements();
    const others = Array.from({ length: 200 }, (_, index) => ({
      type: "account",
      id: uuid(5_000 + index),
      name: `Fleet ${index}`,
    }));
    await load(database, others, began);
    await statements();
    expect(await statements()).toBe(alone);
  });

  test("are derived again after an edit, and have no mark then", async () => {
    const { database } = await freshFleet(engine);
    await take(database, [driveAt(vanImei, began)]);
    await load(database, [{ ...smallFleet.acme, time_zone: "America/Bogota" }], began + hourMs);
    expect(await dirtyCount(database)).toBeGreaterThan(0);
    await newWriter(database).schedule.deriveLeft();
    expect(await dirtyCount(database)).toBe(0);
    expect(await database.all(sql`select mark from account_marks where work = 'derive'`)).toEqual([]);
  });

  test("are watched by a rule as soon as it is set", async () => {
    const { database } = await freshFleet(engine);
    const frames = driveAt(vanImei, began);
    const lastSeen = frames.at(-1)?.receivedAt ?? 0;
    await take(database, [frames]);
    expect(await watchOffline(database, lastSeen + 10 * minuteMs)).toBe(0);
    const rules = [{ alert_type: "device_offline", parameters: { after_s: 3_600 } }];
    await load(database, [{ type: "alert_settings", device_id: smallFleet.van.id, rules }], lastSeen + 20 * minuteMs);
    expect(await watchOffline(database, lastSeen + hourMs - 1)).toBe(0);
    expect(await watchOffline(database, lastSeen + hourMs)).toBe(1);
  });

  test("are due when the times of a rule begin", async () => {
    const { database } = await freshFleet(engine);
    // Noon of a Monday; the zone is five hours behind.
    const frames = driveAt(vanImei, began + 12 * hourMs);
    const lastSeen = frames.at(-1)?.receivedAt ?? 0;
    const beginsAt = began + 3 * 24 * hourMs + hourMs;
    const times = { within: [{ days: ["wed"], from: "20:00", until: "06:00" }] };
    const rules = [{ alert_type: "device_offline", parameters: { after_s: 3_600, times } }];
    const settings = [
      { ...smallFleet.acme, time_zone: "America/Bogota" },
      { type: "alert_settings", device_id: smallFleet.van.id, rules },
    ];
    await load(database, settings, began);
    await take(database, [frames]);
    expect(await watchOffline(database, lastSeen + 2 * hourMs)).toBe(0);
    const accountId = await accountNumber(database);
    const marks = sql`select due_at from account_marks where work = 'offline' and account_id = ${accountId}`;
    expect(await database.all(marks)).toEqual([{ due_at: beginsAt }]);
    expect(await watchOffline(database, beginsAt - 1)).toBe(0);
    expect(await watchOffline(database, beginsAt)).toBe(1);
    expect((await byTheClock(database)).offline).toMatchObject([[expect.anything(), beginsAt, null]]);
  });

  test("keep a mark that is made while the work is done", async () => {
    const { database } = await freshFleet(engine);
    const accountId = await accountNumber(database);
    const mark = () =>
      database.transaction((tx) => markAccounts(tx, [{ work: "derive", accountId, dueAt: dueAtOnce }]));
    await mark();
    const rounds: number[] = [];
    await eachMarked(database, { work: "derive", now: began, pace: foreground }, async (account) => {
      rounds.push(account);
      if (rounds.length === 1) await mark();
      return null;
    });
    expect(rounds).toEqual([accountId, accountId]);
    expect(await database.all(sql`select mark from account_marks where work = 'derive'`)).toEqual([]);
  });

  test("are tried again if the work fails, and the others get their turn", async () => {
    const { database } = await freshFleet(engine);
    const [acme, rival] = [await accountNumber(database), await accountNumber(database, smallFleet.rival.id)];
    await markAllAccounts(database, began, foreground);
    const seen: number[] = [];
    const work = (now: number, failing: number | null) =>
      eachMarked(database, { work: "silence", now, pace: foreground }, async (accountId) => {
        seen.push(accountId);
        if (accountId === failing) throw new Error("planted");
        return null;
      });
    await expect(work(began, acme)).rejects.toThrow("planted");
    expect(seen.toSorted()).toEqual([acme, rival].toSorted());
    await work(began + minuteMs, null);
    expect(seen.slice(2)).toEqual([acme]);
  });

  test("do not wait for one whose work takes long", async () => {
    const { database } = await freshFleet(engine);
    const [acme, rival] = [await accountNumber(database), await accountNumber(database, smallFleet.rival.id)];
    const mark = (accountId: number) =>
      database.transaction((tx) => markAccounts(tx, [{ work: "derive", accountId, dueAt: dueAtOnce }]));
    await mark(acme);
    const other = Promise.withResolvers<void>();
    const seen: number[] = [];
    await eachMarked(database, { work: "derive", now: began, pace: foreground, atOnce: 2 }, async (accountId) => {
      seen.push(accountId);
      if (accountId === rival) other.resolve();
      else {
        await mark(rival);
        await other.promise;
      }
      return null;
    });
    expect(seen).toEqual([acme, rival]);
  });
});
