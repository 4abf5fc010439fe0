import { beforeEach, expect, test } from "bun:test";
import { SignIn } from "../../src/access/sign-in.ts";
import { watchOffline } from "../../src/derive/upkeep/offline-watch.ts";
import { dropOldFrames } from "../../src/derive/upkeep/retention.ts";
import { watchSilence } from "../../src/derive/upkeep/silent-trips.ts";
import { visibilityOf } from "../../src/domain/visibility.ts";
import { acknowledgeAlerts } from "../../src/store/facts/alert-acknowledgements.ts";
import { onEachEngine } from "../support/engines.ts";
import { smallFleet, uuid } from "../support/fleet.ts";
import { moved } from "../support/ingest-drive.ts";
import { alertSettings, devices, fences, home, newYear, vanImei } from "../support/ingest-fleet.ts";
import { accountNumber, newWriter, rederiveAll, take } from "../support/ingest-node.ts";
import { noReport } from "../support/random-drive.ts";
import { withUnwritable } from "../support/unwritable.ts";
import { drives, type Following, followings, names, ofType, vanDrive } from "./following.ts";
import type { Row } from "./lists.ts";

const hourMs = 3_600_000;
const [van] = devices;

function frame(recordedAt: number, fields: object = {}) {
  return { ...noReport, imei: vanImei, recordedAt, receivedAt: recordedAt + 1000, ...home, ...fields };
}

onEachEngine("what becomes known, is corrected or withdrawn", (engine) => {
  const begin = followings(engine);
  let following: Following;
  let after: string;
  beforeEach(async () => {
    following = await begin();
    after = await following.now();
  });

  /** What has changed since this was last asked, held against the lists. */
  async function news() {
    const { changes, resumeAfter } = await following.follow(after);
    await following.asListed(changes);
    after = resumeAfter;
    return changes;
  }

  const derived = () => newWriter(following.database).schedule.deriveLeft();

  /** What a file changes after a drive. */
  async function newsOf(record: Parameters<typeof following.load>[0]) {
    await drives(following);
    await news();
    await following.load(record);
    await derived();
    return news();
  }

  test("what ends by the clock is in the lists and in the changes at once, or in neither", async () => {
    const { database, api, keys } = following;
    await drives(following);
    await news();
    const window = "from=2026-01-01&to=2026-01-05";
    const listed = async () => {
      const trips = (await api.get(`/trips?${window}`, keys.ann)).body.data as Row[];
      const alerts = (await api.get(`/alerts?alert_type=device_offline&${window}`, keys.ann)).body.data as Row[];
      return [...trips, ...alerts].map(({ status, alert_type }) => status ?? alert_type);
    };
    const passes = {
      completed: () => watchSilence(database, newYear + 5 * hourMs),
      device_offline: () => watchOffline(database, newYear + 30 * hourMs),
    };
    for (const [shown, pass] of Object.entries(passes)) {
      await withUnwritable(database, ["changes"], "53100", async () => {
        expect(await Promise.allSettled([pass()])).toMatchObject([{ status: "rejected" }]);
        expect(await listed()).not.toContain(shown);
      });
      const place = await following.now(keys.ann);
      // What the list has shown is among the changes of any later poll.
      const look = async () => {
        const isListed = (await listed()).includes(shown);
        const records = (await following.since(place, keys.ann, "types=trip,alert")).map(({ record }) => record);
        const isReported = records.some((record) => record?.status === shown || record?.alert_type === shown);
        if (isListed) expect([shown, isReported]).toEqual([shown, true]);
        return isListed;
      };
      const passed = pass();
      for (let looks = 0; looks < 8; looks++) await look();
      expect(await passed).toBe(1);
      expect([shown, await look()]).toEqual([shown, true]);
    }
  });

  // Who gets which change is the business of changes, not the store's; follower.test.ts plays it on both engines.
  if (engine.name === "postgres") return;

  test("a drive: positions, a trip, crossings, alerts and mileage, but no device", async () => {
    await drives(following);
    expect(names(await news())).toEqual(["alert put", "geofence_event put", "mileage put", "position put", "trip put"]);
  });

  test("a frame that was sent twice, and a file that was loaded twice, change nothing", async () => {
    await drives(following);
    await news();
    await drives(following);
    await following.load(van, fences.town, smallFleet.ann, alertSettings);
    await derived();
    await rederiveAll(following.database);
    expect(await following.since(after)).toEqual([]);
  });

  test("a first frame is by itself no change of its device, nor is a later one", async () => {
    await take(following.database, [[frame(newYear)]]);
    expect(names(await following.since(after, undefined, "types=device,user,geofence,alert_settings"))).toEqual([]);
    expect(names(await news())).not.toContain("device put");
  });

  test("late frames that join two trips: one is put, one is removed", async () => {
    const drive = vanDrive(newYear, 240);
    const isMissing = ({ recordedAt }: { recordedAt: number | null }) =>
      (recordedAt ?? 0) > newYear + 0.5 * hourMs && (recordedAt ?? 0) < newYear + 3 * hourMs;
    await take(following.database, [drive.filter((sent) => !isMissing(sent))]);
    const trips = ofType(await news(), "trip").map(({ id }) => id);
    expect(new Set(trips).size).toBe(2);
    await take(following.database, [drive.filter(isMissing)]);
    const changes = ofType(await news(), "trip");
    const removed = changes.filter(({ change }) => change === "removed");
    expect(removed).toMatchObject([{ device_id: uuid(21), record: null }]);
    expect(trips).toContain(removed[0]?.id as string);
    expect(changes.at(-1)?.change === "put" || changes.some(({ change }) => change === "put")).toBe(true);
  });

  test("a verdict that falls later: the position comes again, with the id it had", async () => {
    const far = moved(home, 20_000, 0);
    const steady = [0, 1, 2].map((minutes) => frame(newYear + minutes * 60_000));
    await take(following.database, [[...steady, frame(newYear + 3 * 60_000, far)]]);
    const first = ofType(await news(), "position").find(({ record }) => record?.latitude === far.latitude);
    expect([first?.record?.valid, first?.record?.reject_reason]).toEqual([false, "implausible_jump"]);
    // It stays there, so that is where it is.
    await take(following.database, [[4, 5, 6, 7, 8].map((minutes) => frame(newYear + minutes * 60_000, far))]);
    const again = ofType(await news(), "position").find(({ id }) => id === first?.id);
    expect([again?.record?.valid, again?.record?.reject_reason]).toEqual([true, null]);
  });

  test("an earlier time of receipt: the position comes again, with the id it had", async () => {
    await take(following.database, [[frame(newYear, { receivedAt: newYear + hourMs })]]);
    const [first] = ofType(await news(), "position");
    await take(following.database, [[frame(newYear)]]);
    const [again] = ofType(await news(), "position");
    expect([again?.id, again?.record?.received_at]).toEqual([first?.id as string, "2026-01-01T09:00:01.000Z"]);
  });

  test("a clock that had lost count of its weeks: what was stored twenty years ago is removed", async () => {
    const sent = frame(newYear - 1024 * 7 * 24 * hourMs, {
      sensors: [{ kind: "temperature", sensor: "cargo", temperature_c: 4, humidity_percent: null }],
    });
    await take(following.database, [[{ ...sent, receivedAt: newYear - 48 * hourMs }]]);
    const old = await following.since(after);
    after = await following.now();
    await take(following.database, [[{ ...sent, receivedAt: newYear + 1000 }]]);
    const changes = await news();
    const gone = changes.filter(({ change }) => change === "removed").map(({ type, id }) => `${type} ${id}`);
    expect(gone.toSorted()).toEqual(old.map(({ type, id }) => `${type} ${id}`).toSorted());
    expect(ofType(changes, "position").find(({ change }) => change === "put")?.record?.recorded_at).toBe(
      "2026-01-01T09:00:00.000Z",
    );
  });

  test("an acknowledgement, once", async () => {
    await drives(following);
    const [alert] = ofType(await news(), "alert");
    const accountId = await accountNumber(following.database);
    const acknowledge = () =>
      following.database.transaction((tx) =>
        acknowledgeAlerts(
          tx,
          visibilityOf({ accountId, id: uuid(11), role: "owner" }),
          [alert?.id as string],
          Date.now(),
        ),
      );
    await acknowledge();
    const changes = await news();
    expect(changes.map(({ type, id, record }) => [type, id, record?.acknowledged])).toEqual([
      ["alert", alert?.id, true],
    ]);
    await acknowledge();
    expect(await following.since(after)).toEqual([]);
  });

  test("a renamed vehicle: its own record, its mileage, and its live position's name nowhere else", async () => {
    const changes = await newsOf({ ...van, name: "Other", plate: "N EW 1" });
    expect(names(changes)).toEqual(["device put", "mileage put"]);
    expect(ofType(changes, "mileage")[0]?.record).toMatchObject({ name: "Other", plate: "N EW 1" });
  });

  test("another IMEI: everything that shows it", async () => {
    await drives(following);
    const before = new Set((await news()).map(({ type, id }) => `${type} ${id}`));
    const imei = "350000000000017";
    await following.load({ ...van, imei });
    const changes = await news();
    const reported = new Set(changes.map(({ type, id }) => `${type} ${id}`));
    expect([...before].filter((name) => !reported.has(name))).toEqual([]);
    expect(new Set(changes.flatMap(({ record }) => record?.imei ?? []))).toEqual(new Set([imei]));
    expect(names(changes)).toContain("alert_settings put");
  });

  test("another tank: the readings of fuel", async () => {
    const sensors = [{ kind: "fuel", sensor: "tank_1", level_percent: 50, volume_l: null }];
    await take(following.database, [[frame(newYear, { sensors })]]);
    const [before] = ofType(await news(), "reading");
    await following.load({ ...van, fuel_tank_capacity_l: 200 });
    await derived();
    const changes = await news();
    expect(names(changes)).toContain("device put");
    const list = await following.api.get("/sensors/fuel?from=2026-01-01&to=2026-01-02", following.keys.olga);
    const [now] = list.body.data;
    // Where the lists show another volume, it must have come.
    const reported = ofType(changes, "reading").find(({ id }) => id === before?.id)?.record ?? before?.record;
    expect(reported).toEqual(now);
  });

  test("a moved fence: itself, and the crossings and alerts that this changes", async () => {
    const changes = await newsOf({ ...fences.town, radius_m: 4000, valid_from: "2025-12-01T00:00:00Z" });
    expect(ofType(changes, "geofence")).toMatchObject([{ change: "put", id: fences.town.id, device_id: null }]);
    expect(names(changes)).toContain("geofence_event put");
    expect(names(changes)).toContain("geofence_event removed");
  });

  test("a renamed fence: itself and its crossings", async () => {
    const changes = await newsOf({ ...fences.town, name: "City" });
    expect(ofType(changes, "geofence")[0]?.record?.name).toBe("City");
    const town = ofType(changes, "geofence_event").filter(({ record }) => record?.geofence_id === fences.town.id);
    expect(new Set(town.map(({ record }) => record?.geofence_name))).toEqual(new Set(["City"]));
  });

  test("alert settings, under the id of their device", async () => {
    await following.load({ ...alertSettings, rules: [{ alert_type: "speeding", parameters: { limit_kmh: 30 } }] });
    await derived();
    const changes = await news();
    expect(changes.map(({ type, change, id, device_id }) => [type, change, id, device_id])).toEqual([
      ["alert_settings", "put", uuid(21), uuid(21)],
    ]);
  });

  test("users: added, renamed, disabled, given a device, signed in", async () => {
    const { ann } = smallFleet;
    const userNews = async () => ofType(await news(), "user").map(({ id, record }) => [id, record]);
    await following.load({ ...ann, id: uuid(19), name: "New", email: "new@acme.test" });
    expect(await userNews()).toMatchObject([[uuid(19), { name: "New" }]]);
    await following.load({ ...ann, name: "Anne" });
    expect(await userNews()).toMatchObject([[uuid(12), { name: "Anne" }]]);
    await following.load({ ...ann, name: "Anne", password: "correct horse" });
    await news();
    const request = {
      email: "ann@acme.test",
      password: "correct horse",
      address: "",
      oldToken: null,
      language: null,
      browserProofs: null,
      browser: null,
      signal: new AbortController().signal,
    };
    await new SignIn(following.database).signIn(request, Date.now());
    const [[id, record] = []] = await userNews();
    expect([id, (record as { last_login_at: string | null }).last_login_at === null]).toEqual([uuid(12), false]);
    await following.load({ ...van, user_ids: [uuid(12), uuid(13)] });
    expect(await userNews()).toMatchObject([[uuid(13), { device_count: 2 }]]);
    await following.load({ ...ann, name: "Anne", status: "disabled" });
    expect(await userNews()).toMatchObject([[uuid(12), { status: "disabled" }]]);
  });

  test("another time zone: the days of mileage", async () => {
    await drives(following, Date.UTC(2026, 0, 1, 23, 30));
    await drives(following, Date.UTC(2026, 0, 2, 12));
    const before = ofType(await news(), "mileage").map(({ id }) => id);
    const { acme } = smallFleet;
    await following.load({ ...acme, limits: { per_second: 100_000, per_day: 1_000_000 }, time_zone: "Europe/Berlin" });
    await derived();
    const changes = ofType(await news(), "mileage");
    expect(before).toContain(`${uuid(21)}/2026-01-01`);
    expect(changes.find(({ change }) => change === "removed")?.id).toBe(`${uuid(21)}/2026-01-01`);
    expect(changes.find(({ change }) => change === "put")?.record?.time_zone).toBe("Europe/Berlin");
  });

  test("a device that was offline and is back", async () => {
    await drives(following);
    await watchOffline(following.database, newYear + 30 * hourMs);
    const [offline] = ofType(await news(), "alert").filter(({ record }) => record?.alert_type === "device_offline");
    await take(following.database, [[frame(newYear + 31 * hourMs)]]);
    const ended = ofType(await news(), "alert").find(({ id }) => id === offline?.id);
    expect([offline?.record?.ended_at, typeof ended?.record?.ended_at]).toEqual([null, "string"]);
  });

  test("what retention drops is no change", async () => {
    await drives(following);
    await news();
    const tag = { "If-None-Match": (await following.ask(`after=${after}`)).headers.get("ETag") ?? "" };
    expect(
      await dropOldFrames(following.database, newYear + 24 * hourMs, new AbortController().signal),
    ).toBeGreaterThan(0);
    expect(await following.since(after)).toEqual([]);
    expect((await following.ask(`after=${after}`, undefined, tag)).status).toBe(304);
  });
});
