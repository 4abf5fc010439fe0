import { expect, test } from "bun:test";
import { sql } from "../../src/store/sql.ts";
import { uuid } from "../support/fleet.ts";
import { onOneEngine } from "../support/one-engine.ts";
import { drives, startFollowing } from "./following.ts";
import { changeTypes } from "./lists.ts";

onOneEngine("a request for changes that is wrong", (engine) => {
  const given = engine.shared(
    async (store) => {
      const following = await startFollowing(store);
      const after = await following.now();
      await drives(following);
      const { body } = await following.ask(`after=${encodeURIComponent(after)}&limit=2`);
      return { ...following, after, cursor: body.next_cursor as string };
    },
    ({ api }) => api.close(),
  );

  /** Holds that the request is refused with a message that has these words. */
  async function refused(query: string, status: number, words: readonly string[], key?: string): Promise<void> {
    const response = await given().ask(query, key);
    expect([query, response.status]).toEqual([query, status]);
    for (const word of words) expect(response.body.error.message).toContain(word);
  }

  test("an `after` that is forged, truncated or not one at all is 400 and named", async () => {
    const { after } = given();
    const forged = Array.from(after, (letter, index) =>
      [...after].map((other, place) => (place === index ? (letter === "A" ? "B" : "A") : other)).join(""),
    ).filter((text) => text !== after);
    for (const text of forged) await refused(`after=${encodeURIComponent(text)}`, 400, ["after"]);
    for (let length = 1; length < after.length; length++)
      await refused(`after=${after.slice(0, length)}`, 400, ["after"]);
    for (const text of ["0", "-1", "99999999", "null", "a".repeat(5000), "%00", "é", `${after}${after}`]) {
      await refused(`after=${text}`, 400, ["after"]);
    }
    await refused("after=", 400, ["after"]);
    await refused(`after=${after}&after=${after}`, 400, ["after"]);
  });

  test("an `after` of another viewer is 400 and named; one of another key of the same user is good", async () => {
    const { after, keys, key } = given();
    for (const other of [keys.ann, keys.bob, keys.rita]) await refused(`after=${after}`, 400, ["after"], other);
    const annsOwn = (await given().ask("", keys.ann)).body.resume_after;
    await refused(`after=${annsOwn}`, 400, ["after"]);
    const another = await key("olga@acme.test");
    expect((await given().ask(`after=${after}`, another)).status).toBe(200);
  });

  test("an `after` of the future is 400 and named: the store went back without telling", async () => {
    const { database, keys, api } = await startFollowing(await engine.fresh());
    await drives({ database });
    const { body } = await api.get("/changes", keys.olga);
    await database.transaction((tx) => tx.run(sql`update viewer_revisions set changes = changes - 1`));
    const response = await api.get(`/changes?after=${encodeURIComponent(body.resume_after)}`, keys.olga);
    expect([response.status, response.body.error?.message]).toEqual([400, expect.stringContaining("after")]);
    await api.close();
  });

  test("an unknown type is 400, and the message lists the known ones", async () => {
    for (const types of ["trips", "trip,nothing", "Trip", "trip,", ",", " "]) {
      await refused(`types=${encodeURIComponent(types)}`, 400, ["types", ...changeTypes]);
    }
    await refused("types=", 400, ["types"]);
    await refused("types=trip&types=alert", 400, ["types"]);
  });

  test("types whose scopes the key lacks are 403 and all named; the others are not granted without them", async () => {
    const few = await given().key("olga@acme.test", { scopes: ["trips:read", "devices:read"] });
    const response = await given().ask("types=trip,geofence,alert,mileage,geofence_event", few);
    expect([response.status, response.body.error.code]).toEqual([403, "INSUFFICIENT_SCOPE"]);
    const missing = ["alerts:read", "geofences:read", "reports:read"];
    expect(response.body.error.required_scopes.toSorted()).toEqual(missing);
    for (const word of [...missing, "alert", "geofence", "geofence_event", "mileage"])
      expect(response.body.error.message).toContain(word);
    expect((await given().ask("types=user", few)).body.error).toMatchObject({
      required_scopes: ["users:read"],
      message: expect.stringContaining("lacks the scope users:read for the type user"),
    });
    expect(response.body.error.granted_scopes.toSorted()).toEqual(["devices:read", "trips:read"]);
    expect((await given().ask("types=trip,device,alert_settings", few)).status).toBe(200);
  });

  test("a cursor of another list or viewer, a forged one, and one that is contradicted are 400 and named", async () => {
    const { cursor, after, keys, api } = given();
    const trips = await api.get(
      `/positions/history?device_id=${uuid(21)}&from=2026-01-01&to=2026-01-02&limit=1`,
      keys.olga,
    );
    expect(trips.body.next_cursor).not.toBeNull();
    await refused(`cursor=${encodeURIComponent(trips.body.next_cursor)}`, 400, ["cursor"]);
    await refused(`cursor=${encodeURIComponent(cursor)}`, 400, ["cursor"], keys.ann);
    await refused(`cursor=${encodeURIComponent(cursor)}x`, 400, ["cursor"]);
    await refused(`cursor=${encodeURIComponent(cursor)}&types=user`, 400, ["cursor"]);
    await refused(`cursor=${encodeURIComponent(cursor)}&device_id=${uuid(22)}`, 400, ["cursor"]);
    const other = await api.get(`/trips?cursor=${encodeURIComponent(cursor)}`, keys.olga);
    expect([other.status, other.body.error.message]).toEqual([400, expect.stringContaining("cursor")]);
    // Neither is the other.
    await refused(`cursor=${encodeURIComponent(after)}`, 400, ["cursor"]);
    await refused(`after=${encodeURIComponent(cursor)}`, 400, ["after"]);
    // Beside what it was made of, it is good.
    const { status } = await given().ask(
      `cursor=${encodeURIComponent(cursor)}&after=${encodeURIComponent(after)}&limit=9`,
    );
    expect(status).toBe(200);
  });
});
