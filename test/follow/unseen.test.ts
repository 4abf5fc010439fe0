import { expect, test } from "bun:test";
import { activeUser } from "../../src/access/active-user.ts";
import { dropOldFrames } from "../../src/derive/upkeep/retention.ts";
import { allScopes, type Scope } from "../../src/domain/scopes.ts";
import { visibilityOf } from "../../src/domain/visibility.ts";
import { acknowledgeAlerts } from "../../src/store/facts/alert-acknowledgements.ts";
import { sql } from "../../src/store/sql.ts";
import { noting } from "../support/altered.ts";
import { startApi } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { circle, device, smallFleet, user, uuid } from "../support/fleet.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import { alertSettings, carImei, devices, fences, home, newYear, truckImei, vanImei } from "../support/ingest-fleet.ts";
import { newWriter, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomDrive, randomNumbers } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";
import { type Following, followings } from "./following.ts";

const seed = announcedSeed("what a viewer cannot see");
const [van, truck] = devices;
const hourMs = 3_600_000;
const window = "from=2025-12-30&to=2026-01-20";
const ownRules = { ...alertSettings, device_id: truck.id };

/** The truck, which Bob sees, has done all that a vehicle can do. */
const begin = (engine: Parameters<typeof followings>[0]) =>
  followings(engine, async (database) => {
    await take(database, [randomDrive({ imei: truckImei, seed: 7, count: 150, beginAt: newYear, ...home })]);
  });

type Change = (following: Following, random: () => number) => Promise<unknown>;

/** What Bob sees nothing of: of the van, the car, and of others. */
const unseenChanges: Readonly<Record<string, Change>> = {
  "the van drives": ({ database }, random) =>
    take(database, [driveOf(vanImei, newYear + random() * 48 * hourMs, random)]),
  "the car drives": ({ database }, random) =>
    take(database, [driveOf(carImei, newYear + random() * 48 * hourMs, random)]),
  "retention drops what the van did long before": async ({ database }, random) => {
    // What was dropped does not come back: each time it drives later.
    const { last } = (await database.get<{ last: number | null }>(
      sql`select max(dropped_until) as last from device_folds`,
    )) ?? { last: null };
    const beginAt = (last ?? newYear - 1_500 * hourMs) + hourMs;
    // Not every drive has a moment at which deriving may begin, so that all before it can be dropped.
    for (let dropped = 0; dropped === 0; dropped = await dropOldFrames(database, newYear - 500 * hourMs)) {
      await take(database, [
        randomDrive({ imei: vanImei, seed: Math.floor(random() * 1e6), count: 600, beginAt, ...home }),
      ]);
      await newWriter(database).schedule.deriveLeft();
    }
  },
  "another vehicle is added": ({ load }, random) => load(device(1_000 + Math.floor(random() * 1_000))),
  "the van is renamed": ({ load }, random) => load({ ...van, name: textOf(random) }),
  "the van has another tank": ({ load }, random) => load({ ...van, fuel_tank_capacity_l: 50 + random() * 9 }),
  "the van is taken from Ann, and given back": async ({ load }) => {
    await load({ ...van, user_ids: [] });
    await load(van);
  },
  "the van has other rules": ({ load }, random) =>
    load({ ...alertSettings, rules: [{ alert_type: "speeding", parameters: { limit_kmh: 30 + random() * 50 } }] }),
  "a fence of the van's": ({ load }, random) =>
    load(circle(51, { name: textOf(random), radius_m: 100 + random() * 5_000, device_ids: [van.id] })),
  "a fence that Bob sees is the car's no more, or again": ({ load }, random) =>
    load({ ...fences.town, device_ids: [van.id, truck.id, ...(random() < 0.5 ? [] : [uuid(23)])] }),
  "a fence that Bob sees is the van's no more, and again": async ({ load }) => {
    await load({ ...fences.town, device_ids: [truck.id, uuid(23)] });
    await load(fences.town);
  },
  "Ann is renamed": ({ load }, random) => load({ ...smallFleet.ann, name: textOf(random) }),
  "another user is added": ({ load }, random) => load(user(3_000 + Math.floor(random() * 1_000))),
  "the van's driver is renamed": ({ load }, random) =>
    load({ type: "driver", id: uuid(61), account_id: uuid(1), name: textOf(random), driver_ids: [`TAG-${vanImei}`] }),
  "the van's alerts are acknowledged": (following) => acknowledge(following, van.id),
  "a load changes the van, and gives the car to Ann": ({ load }, random) =>
    load(
      { ...van, name: textOf(random) },
      { ...devices[2], user_ids: random() < 0.5 ? [uuid(12)] : [] },
      { ...fences.town, device_ids: [van.id, truck.id, uuid(23)] },
    ),
};

/** What a key notices only with the scope for it. */
const changesByScope: Readonly<Partial<Record<Scope, Change>>> = {
  "alerts:read": (following) => acknowledge(following, truck.id),
  "devices:read": async ({ load }, random) => {
    await load({ ...truck, vehicle_make: textOf(random) });
    await load({ ...ownRules, rules: [{ alert_type: "speeding", parameters: { limit_kmh: 200 + random() } }] });
  },
  "geofences:read": ({ load }, random) => load({ ...fences.town, description: textOf(random) }),
  "users:read": ({ load }, random) => load({ ...smallFleet.bob, name: textOf(random) }),
};

function driveOf(imei: string, beginAt: number, random: () => number) {
  const kmh = 20 + Math.floor(random() * 100);
  const frames = straightDrive({ imei, from: home, beginAt: Math.floor(beginAt), minutes: 5, kmh });
  return frames.map((frame) => ({ ...frame, driver_id: `TAG-${imei}` }));
}

function textOf(random: () => number): string {
  return `N ${Math.floor(random() * 1_000_000)}`;
}

async function acknowledge({ database }: Following, deviceId: string): Promise<void> {
  const rows = await database.all<{ id: string }>(sql`
    select a.id from alerts a join devices d on d.account_id = a.account_id and d.device = a.device
    where d.id = ${deviceId} and a.acknowledged = ${false} order by a.occurred_at limit 1`);
  await database.transaction(async (tx) => {
    const found = await activeUser(tx, "olga@acme.test");
    const visibility = visibilityOf({ accountId: found.account_id, id: found.id, role: found.role });
    await acknowledgeAlerts(
      tx,
      visibility,
      rows.map(({ id }) => id),
      Date.now(),
    );
  });
}

const lists = [
  "/health",
  `/devices/${van.id}`,
  "/devices",
  "/devices?limit=1&include_names=true",
  `/devices/${truck.id}`,
  `/devices/${truck.id}/alert-settings`,
  `/devices/${truck.id}/geofences`,
  "/geofences",
  "/users",
  "/drivers",
  "/positions/latest",
  "/positions/latest?near=52.5,13.4",
  "/positions/at?time=2026-01-01T10:00:00Z&max_age_s=86400",
  "/positions/at?time=2026-01-01T10:00:00Z&max_age_s=86400&near=52.5,13.4&format=geojson",
  `/positions/history?device_id=${truck.id}&${window}&limit=5`,
  `/trips?${window}`,
  `/stops?${window}`,
  `/alerts?${window}&limit=2`,
  `/geofence-events?${window}&include_names=true`,
  `/sensors/fuel?${window}`,
  `/reports/mileage?${window}`,
  `/reports/mileage?${window}&period=week&group_by=fleet`,
];

/** All questions that a viewer can ask of the changes: before the truck drove, since, in pages, of some types, in CSV. */
async function questionsOf(following: Following, key: string, start: string): Promise<string[]> {
  const now = await following.now(key);
  const questions = ["", "limit=2", "types=trip", `device_id=${truck.id}`, "format=csv"];
  for (const after of [start, now]) {
    for (const more of ["", "&limit=3", "&limit=1", "&types=trip", `&device_id=${truck.id}`, "&limit=7&format=csv"]) {
      questions.push(`after=${encodeURIComponent(after)}${more}`);
    }
  }
  const { body } = await following.ask(`after=${encodeURIComponent(start)}&limit=4`, key);
  questions.push(`cursor=${encodeURIComponent(body.next_cursor)}`, `after=${encodeURIComponent(body.resume_after)}`);
  return questions.map((question) => `/changes?${question}`);
}

interface Answered {
  readonly path: string;
  readonly answer: string;
  readonly etag: string | null;
}

const others = /^(?:date|x-request-id|x-ratelimit-.*|retry-after)$/;

/** All bytes of an answer but those that no two answers share. */
async function answerTo({ api }: Following, path: string, key: string): Promise<Answered> {
  const { status, headers, text } = await api.get(path, key);
  const shown = [...headers].filter(([name]) => !others.test(name)).map(([name, value]) => `${name}: ${value}`);
  const body = text.replace(/"request_id":"[^"]*"/, "");
  return { path, answer: [status, ...shown, body].join("\n"), etag: headers.get("ETag") };
}

class Watched {
  readonly #following: Following;
  readonly #key: string;
  readonly #before: readonly Answered[];

  private constructor(following: Following, key: string, before: readonly Answered[]) {
    this.#following = following;
    this.#key = key;
    this.#before = before;
  }

  static async begin(following: Following, key: string, paths: readonly string[]): Promise<Watched> {
    const before: Answered[] = [];
    for (const path of paths) before.push(await answerTo(following, path, key));
    return new Watched(following, key, before);
  }

  /** Holds that nothing has changed for this viewer. */
  async compare(done: readonly string[]): Promise<void> {
    const what = done.join("; ");
    for (const { path, answer, etag } of this.#before) {
      if (etag !== null) {
        const { status } = await this.#following.api.get(path, this.#key, { "If-None-Match": etag });
        expect([what, path, status]).toEqual([what, path, 304]);
      }
      expect([what, path, (await answerTo(this.#following, path, this.#key)).answer]).toEqual([what, path, answer]);
    }
  }
}

onEachEngine("what a sub-account cannot see", (engine) => {
  const following = begin(engine);

  test("changes no byte of any answer, and a 304 stays one", async () => {
    const random = randomNumbers(seed);
    const fleet = await following();
    const { bob } = fleet.keys;
    await fleet.load(ownRules);
    const start = await fleet.now(bob);
    await take(fleet.database, [driveOf(truckImei, newYear + 20 * hourMs, random)]);
    await newWriter(fleet.database).schedule.deriveLeft();
    const watched = await Watched.begin(fleet, bob, [...lists, ...(await questionsOf(fleet, bob, start))]);
    const done: string[] = [];
    const names = Object.keys(unseenChanges);
    for (let round = 0; round < rounds(20, 100); round++) {
      const name = names[round] ?? (names[Math.floor(random() * names.length)] as string);
      done.push(name);
      await unseenChanges[name]?.(fleet, random);
      await newWriter(fleet.database).schedule.deriveLeft();
      await watched.compare(done);
    }
    // And it does notice what it sees.
    await take(fleet.database, [driveOf(truckImei, newYear + 23 * hourMs, random)]);
    expect(
      await watched.compare([]).then(
        () => "the same",
        () => "others",
      ),
    ).toBe("others");
  });

  test("costs a poll nothing: neither the log nor its records are read", async () => {
    const fleet = await following();
    const { database, keys } = fleet;
    const read: string[] = [];
    const noted = noting(database, ({ text }) => {
      if (/from (?:changes|viewer_records)/.test(text)) read.push(text);
    });
    const node = await startApi(noted);
    const start = await fleet.now(keys.bob);
    await take(database, [driveOf(truckImei, newYear + 20 * hourMs, randomNumbers(seed))]);
    const page = await node.get(`/changes?after=${encodeURIComponent(start)}&limit=500`, keys.bob);
    expect([page.body.next_cursor, read.length > 0]).toEqual([null, true]);
    const poll = `/changes?after=${encodeURIComponent(page.body.resume_after)}`;
    const tag = { "If-None-Match": (await node.get(poll, keys.bob)).headers.get("ETag") ?? "" };
    read.length = 0;
    for (let times = 0; times < 5; times++) {
      await take(database, [driveOf(vanImei, newYear + times * hourMs, randomNumbers(seed + times))]);
      expect((await node.get(poll, keys.bob, tag)).status).toBe(304);
    }
    expect(read).toEqual([]);
    await node.close();
  });

  for (const [scope, change] of Object.entries(changesByScope)) {
    test(`is also what its key lacks ${scope} for`, async () => {
      const random = randomNumbers(seed + 1);
      const fleet = await following();
      await fleet.load(ownRules);
      const scopes = allScopes.filter((one) => one !== scope);
      for (const email of ["bob@acme.test", "olga@acme.test"]) {
        const key = await fleet.key(email, { scopes });
        const start = await fleet.now(key);
        await take(fleet.database, [driveOf(truckImei, newYear + (email.length + 20) * hourMs, random)]);
        await newWriter(fleet.database).schedule.deriveLeft();
        const watched = await Watched.begin(fleet, key, await questionsOf(fleet, key, start));
        for (let times = 0; times < 3; times++) {
          await change(fleet, random);
          await newWriter(fleet.database).schedule.deriveLeft();
          await watched.compare([scope, email]);
        }
      }
    });
  }
});
