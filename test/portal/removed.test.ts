import { expect, test } from "bun:test";
import { foreground } from "../../src/derive/pace.ts";
import { eraseMarked } from "../../src/derive/upkeep/erase-marked.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { foundInTables } from "../support/erasing.ts";
import { device, load } from "../support/fleet.ts";
import { sharedPortal } from "../support/portal.ts";

onEachEngine("what the owner removes", (engine) => {
  const given = sharedPortal(engine);

  test("says beforehand what it concerns and what would be lost, and stores nothing", async () => {
    const { signIn, users, devices } = given();
    const olga = await signIn(users.olga.email);
    const path = `/fleet/devices/${devices.truck.id}/remove?preview=true`;
    const { status, body } = await olga.post(path, { revision: 1, history: "erase" });
    expect(status).toBe(200);
    expect(body.data.effect).toMatchObject({ assignments_ended: 2, sub_accounts: 2 });
    expect(Object.keys(body.data.stored).sort()).toEqual(["alerts", "frames", "from", "readings", "to", "trips"]);
    expect(body.data.stored.frames).toBeGreaterThan(0);
    expect((await olga.get(`/data/devices/${devices.truck.id}`)).status).toBe(200);
    expect((await olga.get("/fleet/removed-devices")).body.data).toEqual([]);
    expect((await olga.post(path, { revision: 1, history: "burn" })).status).toBe(400);
  });

  test("is kept and hidden, and put back", async () => {
    const { signIn, users, devices, store } = given();
    const [olga, ben] = [await signIn(users.olga.email), await signIn(users.ben.email)];
    const { id, imei, name } = devices.car;
    const stale = await olga.post(`/fleet/devices/${id}/remove`, { revision: 7, history: "keep" });
    expect([stale.status, stale.body.error.revision, stale.body.error.current.name]).toEqual([409, 1, name]);
    expect((await olga.post(`/fleet/devices/${id}/remove`, { revision: 1, history: "keep" })).status).toBe(200);
    for (const browser of [olga, ben]) expect((await browser.get(`/data/devices/${id}`)).status).toBe(404);
    const free = { taken: null, is_taken_elsewhere: false };
    const listed = { device_id: id, name, plate: devices.car.plate, imei, removed_at: expect.any(String) };
    expect((await olga.get("/fleet/removed-devices")).body.data).toEqual([{ ...listed, ...free }]);
    // The vehicle that has its IMEI now may be of this account or of another, whose vehicles the owner cannot change.
    const { database } = store;
    const accounts = await database.all<{ id: string; isElsewhere: boolean | number }>(sql`
      select a.id, not exists (
        select 1 from users u where u.account_id = a.account_id and u.id = ${users.olga.id}) as "isElsewhere"
      from accounts a`);
    expect(accounts.map(({ isElsewhere }) => Boolean(isElsewhere))).toEqual(expect.arrayContaining([true, false]));
    for (const [index, { id: account_id, ...account }] of accounts.entries()) {
      const isElsewhere = Boolean(account.isElsewhere);
      const holder = device(900 + index, { account_id, imei });
      await load(database, [holder]);
      const taken = { taken: { field: "imei", value: imei }, is_taken_elsewhere: isElsewhere };
      expect((await olga.get("/fleet/removed-devices")).body.data).toEqual([{ ...listed, ...taken }]);
      const refused = await olga.post(`/fleet/removed-devices/${id}/restore`);
      const message = isElsewhere ? "another vehicle on this server has the IMEI" : "another vehicle has the IMEI";
      expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining(message)]);
      await load(database, [{ ...holder, imei: `35630704244500${index}` }]);
    }
    expect((await olga.post(`/fleet/removed-devices/${id}/restore`)).status).toBe(200);
    expect((await olga.get(`/data/devices/${id}`)).status).toBe(200);
    expect((await olga.get("/fleet/removed-devices")).body.data).toEqual([]);
    expect((await olga.post(`/fleet/removed-devices/${id}/restore`)).status).toBe(404);
  });

  test("cannot be put back while another has what its tracker calls itself, which the list says", async () => {
    const { signIn, users, devices, accounts, store } = given();
    const [olga, { id, imei }] = [await signIn(users.olga.email), devices.trailer];
    const fields = { tracker_id: "04209876543", tracker_protocol: "h02" };
    expect((await olga.change("PUT", `/fleet/devices/${id}`, { revision: 1, fields })).status).toBe(200);
    await olga.post(`/fleet/devices/${id}/remove`, { revision: 2, history: "keep" });
    const holder = device(950, { account_id: accounts.polar.id, imei: "356307042445950", tracker_id: "4209876543" });
    await load(store.database, [holder]);
    const listed = async () =>
      (await olga.get("/fleet/removed-devices")).body.data.find((each: { imei: string }) => each.imei === imei);
    expect(await listed()).toMatchObject({
      taken: { field: "tracker_id", value: "04209876543" },
      is_taken_elsewhere: true,
    });
    expect((await olga.post(`/fleet/removed-devices/${id}/restore`)).status).toBe(409);
    await load(store.database, [{ ...holder, tracker_id: null }]);
    expect(await listed()).toMatchObject({ taken: null, is_taken_elsewhere: false });
    expect((await olga.post(`/fleet/removed-devices/${id}/restore`)).status).toBe(200);
    // In the API as well, for who follows it, too.
    expect((await olga.get(`/data/devices/${id}`)).body.data).toMatchObject(fields);
  });

  test("is erased in the background, which the list says until it is done", async () => {
    const { signIn, users, devices, store } = given();
    const { database } = store;
    const olga = await signIn(users.olga.email);
    const { id, imei, name } = devices.spare;
    await olga.post(`/fleet/devices/${id}/remove`, { revision: 1, history: "keep" });
    const { status, body } = await olga.post(`/fleet/removed-devices/${id}/erase`);
    expect([status, body.data]).toEqual([202, { device_id: id }]);
    expect((await olga.get("/fleet/removed-devices")).body).toEqual({ data: [], being_erased: [id] });
    expect((await olga.post(`/fleet/removed-devices/${id}/restore`)).status).toBe(409);
    await eraseMarked(database, foreground);
    expect((await olga.get("/fleet/removed-devices")).body).toEqual({ data: [], being_erased: [] });
    expect(await foundInTables(database, [imei, name])).toEqual([]);
  });

  test("may be a person, whose session and keys end at once", async () => {
    const { signIn, users, store } = given();
    const { database } = store;
    const [olga, dora] = [await signIn(users.olga.email), await signIn(users.ben.email)];
    const path = `/fleet/users/${users.ben.id}/remove`;
    const preview = await olga.post(`${path}?preview=true`, { revision: 1, history: "keep" });
    expect(preview.body.data.effect.assignments_ended).toBeGreaterThan(0);
    expect(preview.body.data.keys).toEqual(["test"]);
    expect((await dora.get("/session")).status).toBe(200);
    expect((await olga.post(path, { revision: 1, history: "keep" })).status).toBe(200);
    expect((await dora.get("/session")).status).toBe(401);
    const { body } = await olga.get("/users");
    expect(body.data.map(({ user_id }: { user_id: string }) => user_id)).not.toContain(users.ben.id);
    expect((await olga.get("/fleet/removed-users")).body.data).toEqual([
      { user_id: users.ben.id, name: users.ben.name, email: users.ben.email, removed_at: expect.any(String) },
    ]);
    expect((await olga.post(`/fleet/removed-users/${users.ben.id}/erase`)).status).toBe(200);
    expect(await foundInTables(database, [users.ben.name, users.ben.email])).toEqual([]);
    const owner = await olga.post(`/fleet/users/${users.olga.id}/remove`, { revision: 1, history: "keep" });
    expect([owner.status, owner.body.error.code]).toEqual([409, "CONFLICT"]);
  });
});
