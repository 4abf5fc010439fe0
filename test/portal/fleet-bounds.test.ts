import { expect, test } from "bun:test";
import { readVehicleRows } from "../../src/portal/vehicle-import/vehicle-rows.ts";
import { onEachEngine } from "../support/engines.ts";
import { load, user } from "../support/fleet.ts";
import { type Browser, password, sharedPortal } from "../support/portal.ts";

const many = <Item>(count: number, item: (index: number) => Item) => Array.from({ length: count }, (_, i) => item(i));
const object = (count: number, value: unknown) => Object.fromEntries(many(count, (index) => [`k${index}`, value]));
const id = () => crypto.randomUUID();

/** What is refused must be refused in few words: to describe everything that is wrong takes a second of everybody's time. */
async function refused(browser: Browser, method: "POST" | "PUT", path: string, body: object) {
  const { status, text } = await browser.change(method, `${path}?preview=true`, body);
  expect(status).toBe(400);
  expect(text.length).toBeLessThan(10_000);
}

onEachEngine("one large body", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });

  test("of a vehicle, a fence or rules is refused soon and in few words", async () => {
    const { signIn, devices } = given();
    const olga = await signIn("olga@acme.example");
    const path = `/fleet/devices/${devices.van.id}`;
    for (const fields of [
      object(60_000, 1),
      { external_ids: object(60_000, 1) },
      { external_ids: object(60_000, "x") },
      { user_ids: many(9_999, () => 1) },
      { tags: ["a"], tag_versions: many(10_000, () => ({ valid_from: 1, tags: [1, 2, 3] })) },
    ]) {
      await refused(olga, "PUT", path, { revision: 1, fields });
    }
    const ofCrossings = (count: number) => ({ alert_type: "geofence_enter", geofence_ids: many(count, () => 1) });
    for (const rules of [
      many(200, () => ofCrossings(1_000)),
      many(200, () => ({ alert_type: "speeding", parameters: object(400, 1) })),
    ]) {
      await refused(olga, "PUT", "/fleet/rules/all", { revision: 0, fields: { rules } });
    }
    const fence = { name: "F", shape: "circle", radius_m: 100, geometry: { type: "Point", coordinates: [13, 52] } };
    await refused(olga, "POST", "/fleet/geofences", { fields: { ...fence, device_ids: many(100_000, () => 1) } });
    await refused(olga, "PUT", "/fleet/account", { revision: 1, fields: object(60_000, 1) });
    const person = { name: "P", email: "p@acme.example", device_ids: many(100_000, () => 1) };
    await refused(olga, "POST", "/fleet/users", { fields: person });
  });

  test("that changes many vehicles is refused before each is compared with each", async () => {
    const { signIn, devices } = given();
    const olga = await signIn("olga@acme.example");
    const some = { devices: Object.values(devices).map((one) => ({ device_id: one.id, revision: 1 })) };
    for (const change of [
      { add_tags: many(40_000, (index) => `a${index}`), remove_tags: many(40_000, (index) => `b${index}`) },
      { add_user_ids: many(12_000, id), remove_user_ids: many(12_000, id) },
      { add_tags: many(40_000, () => 1) },
      { add_tags: ["\0"] },
      { devices: many(100_000, () => 1) },
    ]) {
      await refused(olga, "POST", "/fleet/devices/change", { ...some, ...change });
    }
  });

  test("after another does not find out all trackers of other accounts", async () => {
    const { signIn, time, devices } = given();
    const [olga, otto] = [await signIn("olga@acme.example"), await signIn("otto@polar.example")];
    const csvOf = (first: number, count: number) =>
      many(count, (index) => `${880_000_000_000_000 + first + index},Van`).join("\n");
    const add = (browser: Browser, first: number, query = "") =>
      browser.post(`/fleet/devices/import${query}`, { csv: csvOf(first, 1_000) });
    for (const first of [0, 1_000, 2_000]) expect((await add(otto, first)).status).toBe(201);
    // The same ones as often as one likes, and one's own.
    for (const first of [0, 1_000, 0, 1_000]) {
      const { status, body } = await add(olga, first, "?preview=true");
      expect([status, body.data.refused]).toEqual([200, 1_000]);
    }
    for (const first of [0, 1_000, 2_000]) expect((await add(otto, first, "?preview=true")).status).toBe(200);
    const further = await add(olga, 2_000, "?preview=true");
    expect([further.status, further.body.error.code]).toEqual([429, "TOO_MANY_ATTEMPTS"]);
    expect(further.body.error.message).toBe(
      "too many IMEIs that other accounts have were tried: wait up to an hour before you try others",
    );
    const one = (imei: number) => ({ fields: { imei: String(imei), name: "Van" } });
    expect((await olga.post("/fleet/devices?preview=true", one(880_000_000_002_500))).status).toBe(429);
    expect((await olga.post("/fleet/devices?preview=true", one(880_000_000_000_001))).status).toBe(400);
    // One that nobody has is refused as well, or the refusal of the others would tell.
    expect((await olga.post("/fleet/devices?preview=true", one(889_000_000_000_001))).status).toBe(429);
    expect((await olga.post("/fleet/devices/import", { csv: csvOf(9_000, 1) })).status).toBe(429);
    // What it has itself it knows.
    const { id: vanId, imei } = devices.van;
    expect((await olga.post("/fleet/devices?preview=true", { fields: { imei, name: "Van" } })).status).toBe(400);
    const unchanged = { revision: 1, fields: { imei, name: "Van 1" } };
    expect((await olga.change("PUT", `/fleet/devices/${vanId}?preview=true`, unchanged)).status).toBe(200);
    const ownRows = await olga.post("/fleet/devices/import?preview=true", { csv: `${imei},Van` });
    expect([ownRows.status, ownRows.body.data.refused]).toEqual([200, 1]);
    time.aheadMs += 3_600_000;
    expect((await add(olga, 2_000, "?preview=true")).status).toBe(200);
  });

  test("after another does not find out which e-mails other accounts have, whichever way it asks", async () => {
    const { node, store, accounts, users } = given();
    const { signIn, time } = node({ isQuick: true });
    const olga = await signIn("olga@acme.example");
    const taken = many(14, (index) => `known${index}@polar.example`);
    await load(
      store.database,
      taken.map((email, index) => ({ ...user(900 + index, { email }), account_id: accounts.polar.id })),
    );
    const invite = async (email: string, query = "?preview=true") =>
      (await olga.post(`/fleet/users${query}`, { fields: { name: "P", email } })).status;
    const change = async (id: string, email: string) => {
      const revision = 1;
      const body = { revision, fields: { email }, current_password: password };
      return (await olga.change("PUT", `/fleet/users/${id}?preview=true`, body)).status;
    };
    const own = many(12, (index) => `own${index}@acme.example`);
    await load(
      store.database,
      own.map((email, index) => ({ ...user(950 + index, { email }), account_id: accounts.acme.id })),
    );
    // Those of one's own people do not count.
    for (const email of own) expect([email, await invite(email)]).toEqual([email, 400]);
    // Not all in one second.
    time.aheadMs += 2_000;
    const [first = "", second = "", ...others] = taken;
    expect([await change(users.olga.id, first), await change(users.ben.id, second)]).toEqual([400, 400]);
    for (const email of others.slice(0, 8)) {
      expect([await invite("free@acme.example"), await invite(email, "")]).toEqual([200, 400]);
    }
    // What was answered before, in any case, is answered again.
    expect(await invite(first.toUpperCase())).toBe(400);
    for (const email of [...others.slice(8), "free@acme.example", "free2@acme.example"]) {
      const answers = [await invite(email), await invite(email, ""), await change(users.ben.id, email)];
      expect([email, ...answers, await change(users.olga.id, email)]).toEqual([email, 429, 429, 429, 429]);
    }
    time.aheadMs += 2_000;
    const further = { fields: { name: "P", email: "free@acme.example" } };
    const { body, headers } = await olga.post("/fleet/users?preview=true", further);
    expect(body.error.message).toBe(
      "too many e-mails that other users have were tried: wait up to an hour before you try others",
    );
    expect(Number(headers.get("Retry-After"))).toBeWithin(3_000, 3_601);
    // What has nothing to do with others' e-mails goes on.
    for (const fields of [{ name: "Ben B." }, { name: "Ben B.", email: users.ben.email }]) {
      const renamed = { revision: 1, fields };
      expect((await olga.change("PUT", `/fleet/users/${users.ben.id}?preview=true`, renamed)).status).toBe(200);
    }
    expect([await invite(own[0] ?? ""), await change(users.ben.id, own[1] ?? "")]).toEqual([400, 400]);
    time.aheadMs += 3_600_000;
    const again = await signIn("olga@acme.example");
    const fields = { name: "P", email: "free@acme.example" };
    expect((await again.post("/fleet/users?preview=true", { fields })).status).toBe(200);
  });

  test("of cells is not read further than the rows that are taken at once", async () => {
    const { signIn } = given();
    const olga = await signIn("olga@acme.example");
    for (const csv of [",".repeat(900_000), "\n".repeat(490_000), many(30_000, (index) => `${index},v`).join("\n")]) {
      await refused(olga, "POST", "/fleet/devices/import", { csv });
    }
    // Each of them looks for its end in the lines that follow.
    const open = await olga.post("/fleet/devices/import?preview=true", { csv: '"a\n'.repeat(4_900) });
    expect([open.status, open.body.data.refused]).toEqual([200, 50]);
    const rows = many(1_000, (index) => `${770_000_000_000_000 + index};Van ${index};${";".repeat(40)}`).join(
      "\r\n\r\n",
    );
    const { status, body } = await olga.post("/fleet/devices/import?preview=true", { csv: rows });
    expect([status, body.data.rows, body.data.refused]).toEqual([200, 1_000, 0]);
    expect(readVehicleRows(rows).rows).toHaveLength(1_000);
  });
});
