import { beforeEach, expect, test } from "bun:test";
import { startApi } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { smallFleet, uuid } from "../support/fleet.ts";
import { figures } from "../support/fleet-api.ts";
import { newYear, vanImei } from "../support/ingest-fleet.ts";
import { take } from "../support/ingest-node.ts";
import type { Change } from "./copy.ts";
import { drives, type Following, followings, ofType, vanDrive } from "./following.ts";
import { changeTypes } from "./lists.ts";

onEachEngine("a page of changes", (engine) => {
  const begin = followings(engine);
  let following: Following;
  beforeEach(async () => {
    following = await begin();
  });

  test("without `after` is empty, whatever there is, and says where to go on", async () => {
    await drives(following);
    const { body } = await following.ask("");
    expect(Object.keys(body)).toEqual(["data", "next_cursor", "resume_after"]);
    expect([body.data, body.next_cursor, typeof body.resume_after]).toEqual([[], null, "string"]);
    expect(await following.since(body.resume_after)).toEqual([]);
    await take(following.database, [vanDrive(newYear + 3_600_000, 1)]);
    expect((await following.since(body.resume_after)).length).toBeGreaterThan(0);
  });

  test("has records as their lists show them, with the ids of their lists", async () => {
    const after = await following.now();
    await drives(following);
    await following.load({ ...smallFleet.van, name: "Van again" });
    const changes = await following.since(after);
    await following.asListed(changes);
    const [device] = ofType(changes, "device");
    expect(device).toMatchObject({ change: "put", id: uuid(21), device_id: uuid(21), record: { name: "Van again" } });
    const [trip] = ofType(changes, "trip");
    expect(trip?.id).toBe(trip?.record?.trip_id);
    const [alert] = ofType(changes, "alert");
    expect(alert?.id).toBe(alert?.record?.alert_id);
    const [crossing] = ofType(changes, "geofence_event");
    expect(crossing?.id).toBe(crossing?.record?.event_id);
    const [mileage] = ofType(changes, "mileage");
    expect(mileage?.id).toBe(`${uuid(21)}/${mileage?.record?.date}`);
    const positions = ofType(changes, "position");
    expect(new Set(positions.map(({ id }) => id)).size).toBe(vanDrive().length);
  });

  test("ends where `limit` says, and the next one goes on, by the cursor or by the token of the page", async () => {
    const after = await following.now();
    await drives(following);
    const whole = new Set((await following.since(after, undefined, "limit=500")).map(nameOf));
    for (const [limit, isByCursor] of [
      [1, true],
      [7, true],
      [1, false],
      [7, false],
    ] as const) {
      const seen = new Set<string>();
      let query = `after=${encodeURIComponent(after)}&limit=${limit}`;
      for (let page = 0; ; page++) {
        const { body } = await following.ask(query);
        expect(body.data.length).toBeLessThanOrEqual(limit);
        for (const change of body.data) seen.add(nameOf(change));
        if (body.next_cursor === null) break;
        expect([limit, isByCursor, page < 1_000]).toEqual([limit, isByCursor, true]);
        const [name, value] = isByCursor ? ["cursor", body.next_cursor] : ["after", body.resume_after];
        query = `${name}=${encodeURIComponent(value)}&limit=${limit}`;
      }
      expect([...whole].filter((name) => !seen.has(name))).toEqual([]);
    }
  });

  test("holds the types that are asked for, and otherwise all that the key's scopes grant", async () => {
    const after = await following.now();
    await drives(following);
    await following.load({ ...smallFleet.van, name: "Van again" }, { ...smallFleet.ann, name: "Anne" });
    const types = async (query: string, key?: string) =>
      [...new Set((await following.since(after, key, query)).map(({ type }) => type))].sort();
    expect(await types("types=trip")).toEqual(["trip"]);
    expect(await types("types=trip,user,trip")).toEqual(["trip", "user"]);
    expect(await types(`types=${changeTypes.join()}`)).toEqual(await types(""));
    const few = await following.key("olga@acme.test", { scopes: ["alerts:read", "users:read"] });
    expect(await types("", few)).toEqual(["alert", "user"]);
    const fences = await following.key("olga@acme.test", { scopes: ["geofences:read"] });
    expect(await types("", fences)).toEqual(["geofence_event"]);
  });

  test("of one device is named by its id, by its IMEI, or by both", async () => {
    const after = await following.now();
    await drives(following);
    await following.load({ ...smallFleet.truck, name: "Truck again" }, { ...smallFleet.ann, name: "Anne" });
    const all = await following.since(after);
    const van = all.filter(({ device_id }) => device_id === uuid(21)).map(({ id }) => id);
    for (const query of [`device_id=${uuid(21)}`, `imei=${vanImei}`, `imei=${vanImei}&device_id=${uuid(21)}`]) {
      expect((await following.since(after, undefined, query)).map(({ id }) => id)).toEqual(van);
    }
    const truck = await following.since(after, undefined, `device_id=${uuid(22)}`);
    expect(truck.map(({ type, id }) => [type, id])).toEqual([["device", uuid(22)]]);
  });

  test("is a 304 while nothing is new, free of the day, even with nothing left of the day", async () => {
    const limited = await following.key("olga@acme.test", { perDay: 3 });
    const after = encodeURIComponent(await following.now(limited));
    const first = await following.ask(`after=${after}`, limited);
    const tag = first.headers.get("ETag") ?? "";
    expect([first.status, tag !== "", figures(first).remaining]).toEqual([200, true, 1]);
    await following.ask(`after=${after}`, limited);
    for (const sent of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const again = await following.ask(`after=${after}`, limited, { "If-None-Match": sent });
      expect([sent, again.status, again.text, figures(again).remaining]).toEqual([sent, 304, "", 0]);
    }
    await drives(following);
    const changed = await following.ask(`after=${after}`, limited, { "If-None-Match": tag });
    expect([changed.status, changed.body.error.code]).toEqual([429, "RATE_LIMITED"]);
  });

  test("is a 304 for a sub-account while what is new is out of its sight", async () => {
    const { keys } = following;
    const after = encodeURIComponent(await following.now(keys.bob));
    const first = await following.ask(`after=${after}`, keys.bob);
    const tag = { "If-None-Match": first.headers.get("ETag") ?? "" };
    await drives(following);
    await following.load({ ...smallFleet.ann, name: "Anne" });
    expect((await following.ask(`after=${after}`, keys.bob, tag)).status).toBe(304);
    await following.load({ ...smallFleet.truck, name: "Truck again" });
    const changed = await following.ask(`after=${after}`, keys.bob, tag);
    expect([changed.status, changed.body.data.length]).toEqual([200, 1]);
  });

  test("a token and a cursor work on another node and after a restart", async () => {
    const after = await following.now();
    await drives(following);
    const { body } = await following.ask(`after=${encodeURIComponent(after)}&limit=5`);
    const rest = (await following.since(after)).slice(5).map(({ id }) => id);
    await following.api.close();
    const node = await startApi(await following.open());
    for (const query of [`cursor=${body.next_cursor}`, `after=${body.resume_after}`]) {
      const answer = await node.get(`/changes?${query}&limit=500`, following.keys.olga);
      expect(answer.body.data.map(({ id }: Change) => id)).toEqual(rest);
    }
    await node.close();
  });
});

function nameOf({ type, id }: Change): string {
  return `${type} ${id}`;
}
