import { beforeEach, expect, test } from "bun:test";
import { logDeviceChange } from "../../src/store/changes/change-writes.ts";
import { sql } from "../../src/store/sql.ts";
import { assignDevices } from "../support/assign-devices.ts";
import { smallFleet, uuid } from "../support/fleet.ts";
import { devices, fences, newYear } from "../support/ingest-fleet.ts";
import { accountNumber, newWriter, take } from "../support/ingest-node.ts";
import { onOneEngine } from "../support/one-engine.ts";
import { drives, type Following, followings, ofType, vanDrive } from "./following.ts";

const [van, truck] = devices;

/** What is reported does not depend on the engine; follower.test.ts plays it on both engines. */
onOneEngine("for a sub-account", (engine) => {
  const begin = followings(engine, (database) => drives({ database }));
  let following: Following;
  let bob: string;
  let after: string;
  beforeEach(async () => {
    following = await begin();
    bob = following.keys.bob;
    after = await following.now(bob);
  });

  async function news() {
    const { changes, resumeAfter } = await following.follow(after, bob);
    await following.asListed(changes, bob);
    after = resumeAfter;
    return changes;
  }
  const reported = (changes: Awaited<ReturnType<typeof news>>) =>
    changes.map(({ type, change, id }) => `${type} ${change} ${id}`).toSorted();

  /** By the fleet file, or as the portal does. */
  const ways: Record<string, (...ids: string[]) => Promise<void>> = {
    "a fleet file": async (...ids) => {
      const seenBy = (id: string) => [uuid(12), ...(ids.includes(id) ? [uuid(13)] : [])];
      await following.load({ ...van, user_ids: seenBy(van.id) }, { ...truck, user_ids: seenBy(truck.id) });
    },
    "the portal": async (...deviceIds) => {
      const accountId = await accountNumber(following.database);
      await assignDevices(following.database, { accountId, userId: uuid(13), deviceIds }, Date.now());
    },
  };

  for (const [name, assign] of Object.entries(ways)) {
    test(`a device that comes into sight by ${name} is put, its past is not reported; one that leaves is removed`, async () => {
      await assign(uuid(21), uuid(22));
      const came = await news();
      // All fences are the truck's as well.
      const [device] = ofType(came, "device");
      expect([device?.change, device?.id, device?.record?.name]).toEqual(["put", uuid(21), "Van"]);
      expect(ofType(came, "user")).toMatchObject([{ id: uuid(13), record: { device_count: 2 } }]);
      for (const type of ["position", "trip", "alert", "geofence_event", "mileage"] as const) {
        expect(ofType(came, type)).toEqual([]);
      }
      await take(following.database, [vanDrive(newYear + 3_600_000, 2)]);
      expect(ofType(await news(), "position").length).toBe(13);

      await assign(uuid(22));
      const went = await news();
      expect(ofType(went, "device")).toMatchObject([{ change: "removed", id: uuid(21), record: null }]);
      expect(went.filter(({ type }) => !["device", "user", "geofence", "alert_settings"].includes(type))).toEqual([]);
      await take(following.database, [vanDrive(newYear + 7_200_000, 2)]);
      await following.load({ ...van, name: "Other", user_ids: [uuid(12)] });
      expect(await news()).toEqual([]);

      await assign(uuid(21));
      // It was here before: a follower that has not seen it leave must forget it first.
      expect(ofType(await news(), "device").map(({ change, id }) => `${change} ${id}`)).toEqual([
        `removed ${uuid(21)}`,
        `put ${uuid(21)}`,
        `removed ${uuid(22)}`,
      ]);
    });
  }

  test("what happened before it came into sight is not reported, removals included", async () => {
    await take(following.database, [vanDrive(newYear + 3_600_000, 10)]);
    const { account_id: accountId, device } = await numberOf(van.id);
    await following.database.transaction((tx) =>
      logDeviceChange(tx, { accountId, device }, (change) => change.remove("trip", [uuid(99)]), Date.now()),
    );
    await ways["the portal"]?.(uuid(21), uuid(22));
    const changes = await news();
    expect(changes.filter(({ type }) => !["device", "user", "geofence", "alert_settings"].includes(type))).toEqual([]);
    // A rename does not bring the past back.
    await following.load({ ...van, name: "Other", user_ids: [uuid(12), uuid(13)] });
    await take(following.database, [vanDrive(newYear + 7_200_000, 2)]);
    const later = await news();
    expect(ofType(later, "position").length).toBe(13);
    expect(ofType(later, "trip").filter(({ change }) => change === "removed")).toEqual([]);
  });

  async function numberOf(id: string): Promise<{ readonly account_id: number; readonly device: number }> {
    const row = await following.database.get<{ account_id: number; device: number }>(sql`
      select account_id, device from devices where id = ${id}`);
    return row ?? { account_id: 0, device: 0 };
  }

  test("what happened before it came into sight is not shown, nor what happens after it has left", async () => {
    await ways["the portal"]?.(uuid(21), uuid(22));
    await take(following.database, [vanDrive(newYear + 3_600_000, 2)]);
    await ways["the portal"]?.(uuid(22));
    const changes = await news();
    expect(changes.filter(({ device_id, record }) => device_id === uuid(21) && record !== null)).toEqual([]);
  });

  test("a fence comes into sight with a device, and leaves with its last one", async () => {
    await following.load({ ...fences.road, device_ids: [van.id] });
    await newWriter(following.database).schedule.deriveLeft();
    expect(reported(ofType(await news(), "geofence"))).toEqual([`geofence removed ${fences.road.id}`]);
    await following.load({ ...van, user_ids: [uuid(12), uuid(13)] });
    expect(reported(ofType(await news(), "geofence"))).toEqual([`geofence put ${fences.road.id}`]);
    await following.load({ ...van, user_ids: [uuid(12)] });
    expect(reported(ofType(await news(), "geofence"))).toEqual([`geofence removed ${fences.road.id}`]);
    // Of a fence that it does not see, nothing.
    await following.load({ ...fences.road, device_ids: [van.id], name: "Street" });
    expect(await news()).toEqual([]);
    await following.load({ ...fences.road, device_ids: [van.id, truck.id], name: "Street" });
    await newWriter(following.database).schedule.deriveLeft();
    expect(ofType(await news(), "geofence")).toMatchObject([{ change: "put", record: { name: "Street" } }]);
  });

  test("settings change with the fences that it sees of them", async () => {
    const rules = [{ alert_type: "geofence_enter", geofence_ids: [fences.road.id] }];
    await following.load({ type: "alert_settings", device_id: truck.id, rules });
    await news();
    const shown = async () => {
      const { body } = await following.api.get(`/devices/${truck.id}/alert-settings`, bob);
      return JSON.stringify(body.data);
    };
    const before = await shown();
    await following.load({ ...fences.road, device_ids: [van.id] });
    const changes = await news();
    expect(await shown()).not.toBe(before);
    expect(ofType(changes, "alert_settings").map(({ id }) => id)).toEqual([truck.id]);
  });

  test("other users are nobody's but the owner's", async () => {
    await following.load({ ...smallFleet.ann, name: "Anne" }, { ...smallFleet.bob, name: "Rob" });
    const changes = await news();
    expect(reported(changes)).toEqual([`user put ${uuid(13)}`]);
    expect(changes[0]?.record?.name).toBe("Rob");
  });
});
