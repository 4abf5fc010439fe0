import { expect, test } from "bun:test";
import fc from "fast-check";
import { endExpiredShares } from "../../src/access/end-shares.ts";
import { dayMs, formatInstant } from "../../src/domain/time/time.ts";
import { editFleet } from "../../src/fleet/edit/edit.ts";
import { revisionsOf } from "../../src/store/fleet/record-revisions.ts";
import { sql } from "../../src/store/sql.ts";
import { everyRow } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { until } from "../support/patience.ts";
import { type Browser, type PortalUnderTest, type PortalWorld, sharedPortal } from "../support/portal.ts";

const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();

interface Made {
  readonly id: string;
  readonly secret: string;
  /** A person who has opened it. */
  readonly visitor: Browser;
}

async function share(site: PortalUnderTest, maker: Browser, deviceIds: readonly string[], more = {}): Promise<Made> {
  const made = await maker.post("/shares", { name: "Delivery", device_ids: deviceIds, until: inDays(2), ...more });
  expect([made.status, made.text]).toEqual([201, made.text]);
  const secret = new URL(made.body.url).hash.slice(1);
  const visitor = site.browser();
  visitor.share = secret;
  return { id: made.body.data.share_id, secret, visitor };
}

const statusOf = async ({ visitor }: Made) => (await visitor.get("/share")).status;
const labelsOf = async ({ visitor }: Made) =>
  (await visitor.get("/share")).body.data.vehicles.map(({ label }: { label: string }) => label);

async function auditOf({ store }: PortalWorld, id: string) {
  const rows = await store.database.all<{ action: string; actor: string; details_json: string | null }>(
    sql`select action, actor, details_json from audit_log where id = ${id} order by entry_id`,
  );
  return rows.map((row) => [row.action, row.actor, JSON.parse(row.details_json ?? "null")?.reason ?? null]);
}

onEachEngine("share links", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });

  /** A portal in which nobody calls too often, and its owner. */
  async function portal() {
    const world = given();
    const site = world.node();
    site.time.stepMs = 1_000;
    return { world, site, olga: await site.signIn(world.users.olga.email) };
  }

  async function listed(browser: Browser, id: string) {
    const { body } = await browser.get("/shares");
    return body.data.find(({ share_id }: { share_id: string }) => share_id === id);
  }

  async function change(olga: Browser, userId: string, fields: object) {
    const { store, accounts } = given();
    const { account_id } = accounts.acme;
    const revision = (await revisionsOf(store.database, account_id, "user", [userId])).get(userId)?.revision ?? 1;
    expect((await olga.change("PUT", `/fleet/users/${userId}`, { revision, fields })).status).toBe(200);
  }

  async function setAccount(status: "active" | "suspended") {
    const { store, accounts } = given();
    // A fleet file takes no such limits as these tests have.
    await store.database.transaction((tx) =>
      tx.run(sql`update accounts set limit_per_second = 1000, limit_per_day = 1000000`),
    );
    const account = { number: accounts.acme.account_id, id: accounts.acme.id };
    const revisions = await revisionsOf(store.database, account.number, "account", [account.id]);
    const revision = revisions.get(account.id)?.revision ?? 1;
    const changes = [{ type: "account", id: account.id, revision, fields: { status } } as const];
    const request = { account, by: { kind: "command" } as const, changes, isPreview: false };
    await editFleet(store.database, request, Date.now());
  }

  test("show where vehicles are, as the maker chose to call them, and nothing else of the account", async () => {
    const { world, site, olga } = await portal();
    const { van, truck, spare } = world.devices;
    const made = await share(site, olga, [van.id, spare.id]);
    const { status, body, text, headers } = await made.visitor.get("/share");
    expect([status, headers.get("Cache-Control")]).toEqual([200, "no-store"]);
    expect(Object.keys(body).sort()).toEqual(["data", "map"]);
    expect(body.data).toEqual({
      live: true,
      period: null,
      until: expect.any(String),
      now: expect.any(String),
      vehicles: [
        {
          vehicle: 0,
          label: "Amber van",
          position: {
            latitude: expect.any(Number),
            longitude: expect.any(Number),
            recorded_at: "2026-06-15T12:20:00.000Z",
            heading_deg: expect.any(Number),
            moving: expect.any(Boolean),
            town: { name: "Baruth", part_of: null, distance_m: 10_055, is_inside: false, direction: "w" },
          },
        },
        { vehicle: 1, label: "Elm spare", position: null },
      ],
    });
    for (const hidden of [van.id, van.imei, "AC-ME", "Olga", "Acme", "Birch truck"]) expect(text).not.toContain(hidden);

    const past = { live: false, from: inDays(-3), to: inDays(-2) };
    const onlyPast = await share(site, olga, [van.id], past);
    expect((await onlyPast.visitor.get("/share")).body.data.live).toBe(false);
    expect([(await listed(olga, made.id)).live, (await listed(olga, onlyPast.id)).live]).toEqual([true, false]);

    const byPlate = await share(site, olga, [van.id, world.devices.trailer.id], { label: "plate" });
    // One without a plate is not called by its name.
    expect(await labelsOf(byPlate)).toEqual(["AC-ME 101", null]);
    const ofTruck = await share(site, olga, [truck.id]);
    expect(await labelsOf(ofTruck)).toEqual(["Birch truck"]);
  });

  test("are a secret that is shown once, and in no list, store or observation", async () => {
    const { world, site, olga } = await portal();
    const { secret, id, visitor } = await share(site, olga, [world.devices.van.id]);
    expect(secret).toMatch(/^[\w-]{22}$/);
    expect((await olga.get("/shares")).text).not.toContain(secret);
    expect((await visitor.get("/share")).text).not.toContain(secret);
    await visitor.get("/share/track?vehicle=0");
    expect(JSON.stringify(await everyRow(world.store.database))).not.toContain(secret);
    expect(JSON.stringify(site.observations)).not.toContain(secret);
    // It is noted when it was opened, without the visitor waiting for it.
    await until(async () => (await listed(olga, id)).last_opened_at !== null);
  });

  test("open a page that no search engine lists and that tells no other site where it was", async () => {
    const { site } = await portal();
    const { status, headers } = await site.browser().send("/share", {});
    expect([status, headers.get("X-Robots-Tag"), headers.get("Referrer-Policy")]).toEqual([
      200,
      "noindex, nofollow",
      "no-referrer",
    ]);
    expect((await site.browser().send("/share", { method: "POST" })).status).toBe(405);
  });

  test("are no credential: neither of the API nor for anything else of the portal", async () => {
    const { world, site, olga } = await portal();
    const { secret, visitor } = await share(site, olga, [world.devices.van.id]);
    expect((await world.api.get("/devices", secret)).status).toBe(401);
    for (const path of ["/session", "/data/devices", "/shares", "/keys"])
      expect([path, (await visitor.get(path)).status]).toEqual([path, 401]);
  });

  test("show of a period its track, and nothing before, after or besides", async () => {
    const { world, site, olga } = await portal();
    const { van } = world.devices;
    const frames = world.rows.frames.filter(({ device_id, valid }) => device_id === van.id && valid);
    const all = frames.map(({ recorded_at }) => recorded_at).sort();
    expect(all.length).toBe(3);
    const minute = fc.integer({ min: -20, max: 40 });
    const noon = Date.parse("2026-06-15T12:00:00Z");
    await fc.assert(
      fc.asyncProperty(minute, fc.integer({ min: 1, max: 40 }), fc.boolean(), async (first, length, live) => {
        const [from, to] = [noon + first * 60_000, noon + (first + length) * 60_000];
        const made = await share(site, olga, [van.id], { live, from: formatInstant(from), to: formatInstant(to) });
        const view = (await made.visitor.get("/share")).body.data;
        expect(view.vehicles.map(({ position }: { position: object | null }) => position !== null)).toEqual([live]);
        const shown = all.filter((at) => at >= from && at < to);
        // Whatever a visitor makes up.
        for (const after of ["", `&after=${from - 3_600_000}.0`, `&after=0.0`]) {
          const { body } = await made.visitor.get(`/share/track?vehicle=0${after}`);
          expect(body.data.map(([at]: number[]) => at)).toEqual(shown);
        }
        await olga.post(`/shares/${made.id}/revoke`);
      }),
      { numRuns: engine.name === "sqlite" ? 25 : 8 },
    );
    const onlyLive = await share(site, olga, [van.id]);
    expect((await onlyLive.visitor.get("/share/track?vehicle=0")).status).toBe(404);
    expect((await onlyLive.visitor.get("/share/track?vehicle=1")).status).toBe(404);
    expect((await onlyLive.visitor.get("/share/track?vehicle=x")).status).toBe(400);
  });

  test("show what their maker sees: a sub-account shares its own vehicles and nobody else's", async () => {
    const { world, site, olga } = await portal();
    const { van, car, ferry } = world.devices;
    const anna = await site.signIn(world.users.anna.email);
    for (const hidden of [car.id, ferry.id, crypto.randomUUID()]) {
      const refused = await anna.post("/shares", { name: "x", device_ids: [van.id, hidden], until: inDays(1) });
      expect([refused.status, refused.body.error.message]).toEqual([
        404,
        "there is no such vehicle, or you cannot see it",
      ]);
    }
    const own = await share(site, anna, [van.id]);
    const ofOlga = await share(site, olga, [van.id, car.id]);
    // The owner sees hers, too; she sees none of the owner's.
    expect((await listed(olga, own.id)).maker.name).toBe("Anna Ahlberg");
    expect(await listed(anna, ofOlga.id)).toBeUndefined();
    expect((await anna.post(`/shares/${ofOlga.id}/revoke`)).status).toBe(404);
    expect((await olga.post(`/shares/${own.id}/revoke`)).status).toBe(200);
    expect([await statusOf(own), await statusOf(ofOlga)]).toEqual([404, 200]);
  });

  test("end at once when revoked, on every node, and say the same as one that never was", async () => {
    const { world, site, olga } = await portal();
    const made = await share(site, olga, [world.devices.van.id]);
    const elsewhere = world.node().browser();
    elsewhere.share = made.secret;
    expect((await elsewhere.get("/share")).status).toBe(200);
    expect((await olga.post(`/shares/${made.id}/revoke`)).body.data.state).toBe("revoked");
    const ended = await elsewhere.get("/share");
    elsewhere.share = "A".repeat(22);
    const never = await elsewhere.get("/share");
    expect([ended.status, ended.body.error]).toEqual([404, never.body.error]);
    expect((await made.visitor.get("/share/track?vehicle=0")).status).toBe(404);
    // Once more changes nothing.
    expect((await olga.post(`/shares/${made.id}/revoke`)).status).toBe(200);
    expect(await auditOf(world, made.id)).toEqual([
      ["share.created", "user", null],
      ["share.revoked", "user", null],
    ]);
  });

  test("end when their time is over, which the log says", async () => {
    const { world, site, olga } = await portal();
    const made = await share(site, olga, [world.devices.van.id], { until: inDays(1) });
    site.time.aheadMs += dayMs - 60_000;
    expect(await statusOf(made)).toBe(200);
    site.time.aheadMs += 60_001;
    expect(await statusOf(made)).toBe(404);
    expect((await listed(await site.signIn(world.users.olga.email), made.id)).state).toBe("expired");
    await endExpiredShares(world.store.database, Date.now() + dayMs + 1);
    await endExpiredShares(world.store.database, Date.now() + dayMs + 1);
    expect(await auditOf(world, made.id)).toEqual([
      ["share.created", "user", null],
      ["share.ended", "user", "expired"],
    ]);
    await endExpiredShares(world.store.database, Date.now() + 40 * dayMs);
    expect(await world.store.database.get(sql`select id from share_links where id = ${made.id}`)).toBeNull();
  });

  test("end for good when their maker is disabled or the account is suspended", async () => {
    const { world, site, olga } = await portal();
    const { anna } = world.users;
    const browser = await site.signIn(anna.email);
    const own = await share(site, browser, [world.devices.van.id]);
    const ofOlga = await share(site, olga, [world.devices.van.id]);
    await change(olga, anna.id, { status: "disabled" });
    expect([await statusOf(own), await statusOf(ofOlga)]).toEqual([404, 200]);
    await change(olga, anna.id, { status: "active" });
    expect(await statusOf(own)).toBe(404);
    expect(await auditOf(world, own.id)).toEqual([
      ["share.created", "user", null],
      ["share.ended", "user", "maker"],
    ]);
    await setAccount("suspended");
    expect(await statusOf(ofOlga)).toBe(404);
    await setAccount("active");
    expect(await statusOf(ofOlga)).toBe(404);
    expect(await auditOf(world, ofOlga.id)).toContainEqual(["share.ended", "command", "account"]);
  });

  test("show nothing while their maker may not sign in, however that came about", async () => {
    const { world, site } = await portal();
    const { anna } = world.users;
    const own = await share(site, await site.signIn(anna.email), [world.devices.van.id]);
    const set = (status: string) =>
      world.store.database.transaction((tx) => tx.run(sql`update users set status = ${status} where id = ${anna.id}`));
    await set("disabled");
    expect(await statusOf(own)).toBe(404);
    await set("active");
    expect(await statusOf(own)).toBe(200);
  });

  test("lose a vehicle for good when their maker loses sight of it, and end with the last", async () => {
    const { world, site, olga } = await portal();
    const { anna } = world.users;
    const { van, truck } = world.devices;
    const browser = await site.signIn(anna.email);
    const both = await share(site, browser, [van.id, truck.id]);
    const one = await share(site, browser, [van.id]);
    const sight = (begins: readonly string[], ends: readonly string[]) =>
      olga.change("PUT", `/fleet/users/${anna.id}/vehicles`, { begins, ends });
    expect((await sight([], [van.id])).status).toBe(200);
    expect([await labelsOf(both), await statusOf(one)]).toEqual([["Birch truck"], 404]);
    // Its place stays: an open page knows it by that.
    expect((await both.visitor.get("/share")).body.data.vehicles[0].vehicle).toBe(1);
    expect((await sight([van.id], [])).status).toBe(200);
    expect([await labelsOf(both), await statusOf(one)]).toEqual([["Birch truck"], 404]);
    expect((await listed(olga, one.id)).state).toBe("vehicles");
    expect((await listed(olga, both.id)).vehicles.map(({ name }: { name: string }) => name)).toEqual(["Birch truck"]);
  });

  test("lose a vehicle that is removed, also if it is put back", async () => {
    const { world, site, olga } = await portal();
    const added = await olga.post("/fleet/devices", { fields: { imei: "490154203237518", name: "New" } });
    const { device_id: id, revision } = added.body.data;
    const made = await share(site, olga, [id]);
    expect(await labelsOf(made)).toEqual(["New"]);
    // A look at what removing would do ends nothing.
    const body = { revision, history: "keep" };
    expect((await olga.post(`/fleet/devices/${id}/remove?preview=true`, body)).status).toBe(200);
    expect(await statusOf(made)).toBe(200);
    expect((await olga.post(`/fleet/devices/${id}/remove`, body)).status).toBe(200);
    expect(await statusOf(made)).toBe(404);
    expect((await olga.post(`/fleet/removed-devices/${id}/restore`)).status).toBeLessThan(300);
    expect(await statusOf(made)).toBe(404);
    expect((await auditOf(world, made.id)).at(-1)).toEqual(["share.ended", "user", "vehicles"]);
  });

  test("end with a person who is removed, and are gone with one who is erased", async () => {
    const { world, site, olga } = await portal();
    const fields = { name: "Driver", email: "driver@acme.example", device_ids: [world.devices.van.id] };
    const { user_id, revision } = (await olga.post("/fleet/users", { fields })).body.data;
    const { database } = world.store;
    await database.transaction((tx) =>
      tx.run(sql`update users set password_hash = (select password_hash from users where id = ${world.users.olga.id})
        where id = ${user_id}`),
    );
    const made = await share(site, await site.signIn(fields.email), [world.devices.van.id]);
    const removed = await olga.post(`/fleet/users/${user_id}/remove`, { revision, history: "keep" });
    expect([removed.status, await statusOf(made)]).toEqual([200, 404]);
    expect((await listed(olga, made.id)).state).toBe("maker");
    expect((await olga.post(`/fleet/removed-users/${user_id}/erase`)).status).toBe(200);
    expect(await database.get(sql`select id from share_links where id = ${made.id}`)).toBeNull();
  });

  test("are refused with what is wrong, and stored only if all is right", async () => {
    const { world, site, olga } = await portal();
    const { van } = world.devices;
    const right = { name: "x", device_ids: [van.id], until: inDays(1) };
    const wrong: readonly (readonly [object, string])[] = [
      [{ name: " " }, "name"],
      [{ device_ids: [] }, "device_ids"],
      [{ device_ids: ["x"] }, "device_ids"],
      [{ device_ids: Array.from({ length: 21 }, () => crypto.randomUUID()) }, "device_ids"],
      [{ until: inDays(-1) }, "until"],
      [{ until: inDays(30.1) }, "until"],
      [{ until: "soon" }, "until"],
      [{ label: "vin" }, "label"],
      [{ live: false }, "live"],
      [{ from: inDays(-1) }, "to"],
      [{ to: inDays(-1) }, "from"],
      [{ from: inDays(-1), to: inDays(-2) }, "to"],
      [{ from: inDays(-40), to: inDays(-2) }, "to"],
    ];
    const count = async () => (await olga.get("/shares")).body.data.length;
    const before = await count();
    for (const [fields, named] of wrong) {
      const { status, body } = await olga.post("/shares", { ...right, ...fields });
      expect([fields, status, Object.keys(body.error.fields ?? {})]).toEqual([fields, 400, [named]]);
    }
    expect(await count()).toBe(before);
    // Thirty days are allowed, whatever the time of the request.
    expect((await share(site, olga, [van.id], { until: inDays(29.99) })).secret.length).toBe(22);
  });

  test("are limited: how often a link is asked for, and how many a person has", async () => {
    const { world } = await portal();
    const site = world.node();
    const olga = await site.signIn(world.users.olga.email);
    const made = await share(site, olga, [world.devices.van.id]);
    // All within one second of the portal's clock.
    const second = Math.floor(Date.now() / 1000);
    const answers = await Promise.all(Array.from({ length: 80 }, () => made.visitor.get("/share")));
    const isOneSecond = Math.floor(Date.now() / 1000) === second;
    if (isOneSecond) expect(answers.filter(({ status }) => status === 429).length).toBe(50);
    const refused = answers.find(({ status }) => status === 429);
    if (refused) expect(refused.headers.get("Retry-After")).toBe("1");

    await world.store.database.transaction((tx) =>
      tx.run(sql`
        insert into share_links (id, account_id, user_id, secret_hash, name, label, devices_json, is_live, created_at, expires_at)
        select ${engine.name === "sqlite" ? sql`lower(hex(randomblob(16)))` : sql`gen_random_uuid()`}, account_id, user_id,
          secret_hash || n.column1, name, label, devices_json, is_live, created_at, expires_at
        from share_links, (values ${oneTo(100)}) n where id = ${made.id}`),
    );
    const one = { name: "x", device_ids: [world.devices.van.id], until: inDays(1) };
    const full = await olga.post("/shares", one);
    expect([full.status, full.body.error.code]).toEqual([409, "CONFLICT"]);
    await world.store.database.transaction((tx) => tx.run(sql`delete from share_links where name = 'Delivery'`));
    expect((await olga.post("/shares", one)).status).toBe(201);
  });
});

function oneTo(count: number) {
  return Array.from({ length: count }, (_, index) => sql`(${String(index)})`).reduce((all, one) => sql`${all}, ${one}`);
}
