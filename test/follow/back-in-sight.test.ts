import { beforeEach, expect, test } from "bun:test";
import { restoreDevice } from "../../src/fleet/edit/remove-device.ts";
import { assignDevices } from "../support/assign-devices.ts";
import { command, eraseDevice, keepAndHide } from "../support/erasing.ts";
import { uuid } from "../support/fleet.ts";
import { devices, fences, newYear } from "../support/ingest-fleet.ts";
import { accountNumber, take } from "../support/ingest-node.ts";
import { onOneEngine } from "../support/one-engine.ts";
import type { Change } from "./copy.ts";
import { drives, type Following, followings, ofType, vanDrive } from "./following.ts";

const [van, truck] = devices;
const annId = uuid(12);
const hourMs = 3_600_000;

/** What is reported does not depend on the engine; follower.test.ts plays it on both engines. */
onOneEngine("a device that leaves a sub-account's sight and returns between two polls", (engine) => {
  const begin = followings(engine, (database) => drives({ database }));
  let following: Following;
  let ann: string;
  let after: string;
  beforeEach(async () => {
    following = await begin();
    ann = following.keys.ann;
    after = await following.now(ann);
  });

  async function sees(...deviceIds: string[]): Promise<void> {
    const accountId = await accountNumber(following.database);
    await assignDevices(following.database, { accountId, userId: annId, deviceIds }, Date.now());
  }

  /** The van drives before it leaves and while it is away. */
  async function leavesAndReturns(): Promise<void> {
    await take(following.database, [vanDrive(newYear + 2 * hourMs, 2)]);
    await sees(truck.id);
    await take(following.database, [vanDrive(newYear + 4 * hourMs, 2)]);
    await sees(van.id, truck.id);
  }

  function rename(name: string): Promise<void> {
    return following.load({ ...van, name, user_ids: [annId] }, { ...truck, user_ids: [annId] });
  }

  const ofVan = (changes: readonly Change[]) =>
    changes.filter(({ device_id }) => device_id === van.id).map(({ type, change }) => `${type} ${change}`);
  const news = (query = "") => following.since(after, ann, query);
  const devicesOf = (changes: readonly Change[]) => ofVan(ofType(changes, "device"));
  const returned = ["device removed", "device put"];

  test("is removed, then put, and its settings come again after it", async () => {
    await leavesAndReturns();
    const changes = await news();
    await following.asListed(changes, ann);
    expect(ofVan(changes).slice(-3)).toEqual([...returned, "alert_settings put"]);
    expect(ofVan(await news("types=device"))).toEqual(returned);
    expect(ofVan(await news(`device_id=${van.id}`)).slice(-3)).toEqual([...returned, "alert_settings put"]);
    // What it does from then on is reported as usual, and the return only once.
    const { resumeAfter } = await following.follow(after, ann);
    await take(following.database, [vanDrive(newYear + 6 * hourMs, 2)]);
    await rename("Other");
    const later = await following.since(resumeAfter, ann);
    expect(devicesOf(later)).toEqual(["device put"]);
    expect(ofType(later, "trip").length).toBeGreaterThan(0);
  });

  test("is put alone if it was never seen before, and for the owner", async () => {
    const bob = await following.now(following.keys.bob);
    const olga = await following.now();
    await following.load({ ...van, user_ids: [annId, uuid(13)] });
    expect(devicesOf(await following.since(bob, following.keys.bob))).toEqual(["device put"]);
    await leavesAndReturns();
    expect(devicesOf(await following.since(olga))).not.toContain("device removed");
  });

  test("comes in pages of one change, by cursor or by token, in the same order", async () => {
    await leavesAndReturns();
    const whole = ofVan(await news());
    expect(ofVan(await news("limit=1"))).toEqual(whole);
    const byToken: Change[] = [];
    for (let place = after; ; ) {
      const { body } = await following.ask(`limit=1&after=${encodeURIComponent(place)}`, ann);
      byToken.push(...body.data);
      if (body.next_cursor === null) break;
      place = body.resume_after;
    }
    expect(ofVan(byToken)).toEqual(whole);
  });

  test("is reported if it changes once more while the pages are read", async () => {
    for (const goOn of ["cursor", "token"] as const) {
      await leavesAndReturns();
      const { body } = await following.ask(`limit=1&after=${encodeURIComponent(after)}`, ann);
      expect([body.data.length, body.next_cursor === null]).toEqual([1, false]);
      await rename(`Van by ${goOn}`);
      const place = goOn === "token" ? `after=${encodeURIComponent(body.resume_after)}` : `cursor=${body.next_cursor}`;
      const changes = [...body.data];
      let page = (await following.ask(place, ann)).body;
      for (; page.next_cursor !== null; page = (await following.ask(`cursor=${page.next_cursor}`, ann)).body)
        changes.push(...page.data);
      changes.push(...page.data);
      const rest = await following.follow(page.resume_after, ann);
      expect([goOn, devicesOf([...changes, ...rest.changes])]).toEqual([goOn, returned]);
      // And it is over with that.
      await rename(`Van after ${goOn}`);
      const last = await following.follow(rest.resumeAfter, ann);
      expect(devicesOf(last.changes)).toEqual(["device put"]);
      after = last.resumeAfter;
    }
  });

  test("is removed again for a follower that has seen it leave, which is harmless", async () => {
    await sees(truck.id);
    const left = await following.follow(after, ann);
    expect(devicesOf(left.changes)).toEqual(["device removed"]);
    await sees(van.id, truck.id);
    expect(devicesOf(await following.since(left.resumeAfter, ann))).toEqual(returned);
    // One that begins now has it from the list.
    expect(devicesOf(await following.since(await following.now(ann), ann))).toEqual([]);
  });

  /** Between two polls, with another drive and another name afterwards. */
  async function erasedAndLoaded(): Promise<void> {
    await take(following.database, [vanDrive(newYear + 2 * hourMs, 2)]);
    await eraseDevice(following.database, { accountId: await accountNumber(following.database), id: van.id });
    await rename("Anew");
    await take(following.database, [vanDrive(newYear + 4 * hourMs, 2)]);
  }

  test("the owner is notified, too, that a device was erased before it was loaded again", async () => {
    const { olga } = following.keys;
    const begun = await following.now();
    await erasedAndLoaded();
    const { changes, resumeAfter } = await following.follow(begun);
    await following.asListed(changes);
    expect(ofVan(changes).filter((reported) => reported.startsWith("device"))).toEqual(returned);
    expect(ofVan(changes).slice(0, 4)).toEqual(["alert_settings put", ...returned, "alert_settings put"]);
    expect(ofType(changes, "trip").length).toBeGreaterThan(0);
    expect(ofVan(await following.since(begun, olga, "limit=1"))).toEqual(ofVan(changes));
    // It changes while the pages are read: the next round says so.
    const { body } = await following.ask(`limit=1&after=${encodeURIComponent(begun)}`);
    await rename("Other");
    const rest = await following.follow(body.resume_after);
    expect(devicesOf([...body.data, ...rest.changes])).toEqual(returned);
    // And only once.
    await rename("Third");
    expect(devicesOf(await following.since(resumeAfter))).toEqual(["device put"]);
    expect(devicesOf(await following.since(rest.resumeAfter))).toEqual(["device put"]);
  });

  test("the owner gets all again that a device did which was only removed and put back", async () => {
    const begun = await following.now();
    const wanted = { accountId: await accountNumber(following.database), id: van.id };
    for (const putBack of [
      () => restoreDevice(following.database, { ...wanted, by: command }, Date.now()),
      () => rename("Put back"),
    ]) {
      await keepAndHide(following.database, wanted);
      await putBack();
      await rename("Other");
      const changes = await following.since(begun);
      expect(devicesOf(changes)).toEqual(["device put"]);
      const { body } = await following.api.get(
        `/trips?device_id=${van.id}&from=2026-01-01&to=2026-01-02`,
        following.keys.olga,
      );
      const trips = (body.data as { trip_id: string }[]).map(({ trip_id }) => trip_id);
      expect(trips.length).toBeGreaterThan(0);
      expect(
        ofType(changes, "trip")
          .map(({ id }) => id)
          .toSorted(),
      ).toEqual(trips.toSorted());
    }
  });

  test("without `device` among the types: what it did before it left is reported", async () => {
    await leavesAndReturns();
    const trips = ofType(await news("types=trip"), "trip");
    await following.asListed(trips, ann);
    const began = new Date(newYear + 2 * hourMs).toISOString().slice(0, 13);
    expect(trips.some(({ record }) => record?.started_at.startsWith(began))).toBe(true);
    // A follower of devices is not notified: it reads all of it again.
    expect(ofType(await news("types=device,trip"), "trip")).toEqual([]);
  });

  test("a fence that leaves with it and returns is put as it is now", async () => {
    await following.load({ ...fences.road, device_ids: [van.id] });
    after = (await following.follow(after, ann)).resumeAfter;
    await sees(truck.id);
    await following.load({ ...fences.road, device_ids: [van.id], name: "Street" });
    await sees(van.id, truck.id);
    const changes = await news();
    await following.asListed(changes, ann);
    expect(ofType(changes, "geofence").filter(({ id }) => id === fences.road.id)).toMatchObject([
      { change: "put", record: { name: "Street" } },
    ]);
  });
});
