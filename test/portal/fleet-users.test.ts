import { expect, test } from "bun:test";
import { viewerCounters } from "../../src/store/changes/viewer-counters.ts";
import { fleetRevision } from "../../src/store/fleet/fleet-context.ts";
import { sql } from "../../src/store/sql.ts";
import type { ViewerName } from "../support/api-fleet.ts";
import { onEachEngine } from "../support/engines.ts";
import { type Browser, type PortalWorld, password, sharedPortal } from "../support/portal.ts";

const nobody = "00000000-0000-4000-8000-000000000000";

/** The devices that a key of the viewer sees, by each of two lists. */
async function seenBy({ get }: PortalWorld, viewer: ViewerName): Promise<string[][]> {
  const lists = await Promise.all(["/devices", "/positions/latest"].map((path) => get(path, viewer)));
  return lists.map(({ body }) => body.data.map(({ device_id }: { device_id: string }) => device_id));
}

async function person(browser: Browser, userId: string) {
  const { body } = await browser.get("/fleet/users");
  return body.data.find(({ user_id }: { user_id: string }) => user_id === userId);
}

async function audit({ store }: PortalWorld) {
  const rows = await store.database.all<{ action: string; actor_id: string; id: string; details_json: string | null }>(
    sql`select action, actor_id, id, details_json from audit_log order by entry_id`,
  );
  return rows.map((row) => [row.action, row.actor_id, row.id, JSON.parse(row.details_json ?? "null")]);
}

onEachEngine("the people of an account", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });

  test("are listed for the owner, who is among them, with what they see, their sessions and their links", async () => {
    const { node, users, devices } = given();
    const { signIn } = node();
    const olga = await signIn("olga@acme.example");
    const { status, body } = await olga.get("/fleet/users");
    expect([status, body.data.length, body.data[0].role, body.data[0].sessions > 0]).toEqual([200, 4, "owner", true]);
    expect(await person(olga, users.anna.id)).toMatchObject({
      user_id: users.anna.id,
      name: "Anna Ahlberg",
      email: "anna@acme.example",
      role: "sub_account",
      status: "active",
      has_password: true,
      device_ids: [devices.van.id, devices.truck.id].sort(),
      sessions: 0,
      link: null,
      revision: 1,
      managed_by: "file",
      is_made_here: false,
    });
    const anna = await signIn("anna@acme.example");
    expect((await anna.get("/fleet/users")).status).toBe(403);
    expect((await person(olga, users.anna.id)).sessions).toBe(1);
  });

  test("are invited by a link that is shown once, choose a password with it, and see what the owner chose", async () => {
    const world = given();
    const { node, devices } = world;
    const { signIn, browser } = node();
    const olga = await signIn("olga@acme.example");
    const fields = { name: "Eve Ekman", email: "eve@acme.example", device_ids: [devices.van.id] };
    const preview = await olga.post("/fleet/users?preview=true", { fields });
    expect([preview.status, preview.body.data.effect.assignments_begun]).toEqual([200, 1]);
    expect((await olga.get("/fleet/users")).body.data.length).toBe(4);

    const { status, body } = await olga.post("/fleet/users", { fields });
    expect([status, body.data.has_password, body.data.link.purpose]).toEqual([201, false, "invitation"]);
    expect([body.data.managed_by, body.data.device_ids, body.link.is_mailed]).toEqual([
      "portal",
      [devices.van.id],
      null,
    ]);
    expect(body.data.is_made_here).toBe(true);
    const [origin, token] = body.link.url.split("#");
    expect(origin).toBe("http://odograph.test/portal/link");
    expect((await olga.get("/fleet/users")).text).not.toContain(token);

    const eve = browser("192.0.2.7");
    expect((await eve.post("/link", { token })).body.data).toMatchObject({
      purpose: "invitation",
      name: "Eve Ekman",
      email: "eve@acme.example",
      account_name: "Acme",
    });
    expect((await eve.post("/link/use", { token, new_password: "short" })).body.error.fields).toHaveProperty(
      "new_password",
    );
    const used = await eve.post("/link/use", { token, new_password: "a password of Eve" });
    expect([used.status, used.body.user.name]).toEqual([200, "Eve Ekman"]);
    const seen = await eve.get("/data/devices");
    expect(seen.body.data.map(({ device_id }: { device_id: string }) => device_id)).toEqual([devices.van.id]);
    expect(await person(olga, body.data.user_id)).toMatchObject({ has_password: true, link: null, sessions: 1 });
    const id = body.data.user_id;
    const entries = (await audit(world)).filter((entry) => entry[2] === id || entry[1] === id);
    expect(entries.map(([action, by]) => [action, by === id])).toEqual([
      ["user.added", false],
      ["link.created", false],
      ["link.used", true],
      ["password.changed", true],
      ["session.started", true],
    ]);
    expect(JSON.stringify(await audit(world))).not.toContain("Eve");
  });

  test("cannot be invited with an e-mail that a user has, or to what is not there", async () => {
    const { signIn, devices } = given();
    const olga = await signIn("olga@acme.example");
    const wrong: [Record<string, unknown>, string][] = [
      [{ email: "ANNA@acme.example" }, "email"],
      [{ email: "otto@polar.example" }, "email"],
      [{ email: "no address" }, "email"],
      [{ name: "" }, "name"],
      [{ device_ids: [devices.ferry.id] }, "device_ids"],
      [{ device_ids: [nobody] }, "device_ids"],
      [{ device_ids: "all" }, "device_ids"],
    ];
    for (const [change, field] of wrong) {
      const fields = { name: "New", email: "new@acme.example", ...change };
      const { status, body } = await olga.post("/fleet/users", { fields });
      expect([change, status, Object.keys(body.error.fields)]).toEqual([change, 400, [field]]);
    }
    const owner = { name: "New", email: "new@acme.example", role: "owner", password: "a password", status: "disabled" };
    const { body } = await olga.post("/fleet/users", { fields: owner });
    expect([body.data.role, body.data.status, body.data.has_password]).toEqual(["sub_account", "active", false]);
  });

  test("change their own e-mail only with their password", async () => {
    const { node, users, store } = given();
    const { signIn, browser } = node();
    const olga = await signIn("olga@acme.example");
    const own = await person(olga, users.olga.id);
    const change = (email: string, also: object = {}, query = "") =>
      olga.change("PUT", `/fleet/users/${users.olga.id}${query}`, {
        revision: own.revision,
        fields: { email },
        ...also,
      });
    expect((await change("thief@evil.example", {}, "?preview=true")).status).toBe(200);
    const refused = [await change("thief@evil.example")];
    refused.push(await change("thief@evil.example", { current_password: "a guess" }));
    for (const { status, body } of refused) {
      expect([status, Object.keys(body.error.fields)]).toEqual([400, ["current_password"]]);
    }
    // Nothing else needs it.
    expect((await change("Olga@acme.example")).status).toBe(200);
    const now = await person(olga, users.olga.id);
    const mine = { revision: now.revision, fields: { email: "olga@new.example" }, current_password: password };
    const { status, body } = await olga.change("PUT", `/fleet/users/${users.olga.id}`, mine);
    expect([status, body.data.email]).toEqual([200, "olga@new.example"]);
    const other = await person(olga, users.ben.id);
    const ofBen = { revision: other.revision, fields: { email: "ben@new.example" } };
    expect((await olga.change("PUT", `/fleet/users/${users.ben.id}`, ofBen)).status).toBe(200);
    const guesses = [];
    for (let index = 0; index < 12; index++) {
      const guess = {
        revision: now.revision + 1,
        fields: { email: "x@evil.example" },
        current_password: `no ${index}`,
      };
      guesses.push((await olga.change("PUT", `/fleet/users/${users.olga.id}`, guess)).status);
    }
    expect([guesses[0], guesses.at(-1)]).toEqual([400, 429]);
    // Back to what the other tests know.
    await store.database.transaction(async (tx) => {
      for (const { id, email } of [users.olga, users.ben]) {
        await tx.run(sql`update users set email = ${email}, email_key = ${email} where id = ${id}`);
      }
    });
    expect((await browser().get("/session")).status).toBe(401);
  });

  test("who have no password cannot change their e-mail, and learn what to do", async () => {
    const { node, users, store } = given();
    const { signIn } = node();
    const olga = await signIn("olga@acme.example");
    const { revision } = await person(olga, users.olga.id);
    const hash = (await store.database.get<{ password_hash: string }>(
      sql`select password_hash from users where id = ${users.olga.id}`,
    )) as { password_hash: string };
    const put = (to: string | null) =>
      store.database.transaction((tx) =>
        tx.run(sql`update users set password_hash = ${to} where id = ${users.olga.id}`),
      );
    await put(null);
    for (const query of ["", "?preview=true"]) {
      const change = { revision, fields: { email: "olga@new.example" }, current_password: password };
      const { status, body } = await olga.change("PUT", `/fleet/users/${users.olga.id}${query}`, change);
      expect([status, body.error.fields.email]).toEqual([
        400,
        expect.stringContaining("choose one on the account page"),
      ]);
    }
    await put(hash.password_hash);
  });

  test("who are disabled are signed out at once, their keys and links stop, and old sessions do not come back", async () => {
    const { node, users, get } = given();
    const { signIn, browser } = node();
    const [olga, anna] = [await signIn("olga@acme.example"), await signIn("anna@acme.example")];
    const { body: made } = await olga.post(`/fleet/users/${users.anna.id}/link`);
    const token = made.link.url.split("#")[1];
    const set = async (status: string) => {
      const { revision } = await person(olga, users.anna.id);
      return olga.change("PUT", `/fleet/users/${users.anna.id}`, { revision, fields: { status } });
    };
    expect((await get("/devices", "anna")).status).toBe(200);
    expect((await set("disabled")).body.data.status).toBe("disabled");
    expect([(await anna.get("/session")).status, (await get("/devices", "anna")).status]).toEqual([401, 401]);
    expect((await browser().post("/link", { token })).status).toBe(404);
    expect((await olga.post(`/fleet/users/${users.anna.id}/link`)).status).toBe(403);
    expect((await set("active")).status).toBe(200);
    expect([(await anna.get("/session")).status, (await get("/devices", "anna")).status]).toEqual([401, 200]);
    expect((await browser().post("/link", { token })).status).toBe(404);
    const own = await olga.change("PUT", `/fleet/users/${users.olga.id}`, {
      revision: 1,
      fields: { status: "disabled" },
    });
    expect([own.status, Object.keys(own.body.error.fields)]).toEqual([400, ["status"]]);
  });

  test("are signed out everywhere by the owner, and by nobody else", async () => {
    const { node, users } = given();
    const { signIn } = node();
    const [olga, ben, again] = [
      await signIn("olga@acme.example"),
      await signIn("ben@acme.example"),
      await signIn("ben@acme.example"),
    ];
    expect((await ben.post(`/fleet/users/${users.ben.id}/end-sessions`)).status).toBe(403);
    const { status, body } = await olga.post(`/fleet/users/${users.ben.id}/end-sessions`);
    expect([status, body.ended, body.data.sessions]).toEqual([200, 2, 0]);
    expect([(await ben.get("/session")).status, (await again.get("/session")).status]).toEqual([401, 401]);
    for (const id of [users.olga.id, users.nils.id, users.otto.id, nobody, "x"]) {
      const expected = id === users.olga.id ? 403 : 404;
      for (const what of ["link", "end-sessions"]) {
        expect([id, (await olga.post(`/fleet/users/${id}/${what}`)).status]).toEqual([id, expected]);
      }
    }
    expect((await olga.get("/session")).status).toBe(200);
  });

  test("see what the owner assigns, at once in the API, for those whom it concerns and no others", async () => {
    const world = given();
    const { users, devices, accounts, store } = world;
    const { signIn } = world.node();
    const { database } = store;
    const { van, truck, car, spare } = devices;
    const olga = await signIn("olga@acme.example");
    const change = (begins: unknown, ends: unknown = [], query = "") =>
      olga.change("PUT", `/fleet/users/${users.anna.id.toUpperCase()}/vehicles${query}`, { begins, ends });
    const revisions = async () => ({
      viewers: await Promise.all(
        [users.anna, users.ben, users.olga].map(({ visibility }) => viewerCounters(database, visibility)),
      ),
      fleet: (await fleetRevision(database, accounts.acme.account_id)) ?? 0,
    });
    /** For Anna, Ben and Olga, and for a viewer who keeps the fleet in memory. */
    const grown = async (work: () => Promise<unknown>) => {
      const before = await revisions();
      await work();
      const { viewers, fleet } = await revisions();
      const moreThan = (what: "livePositions" | "devices") =>
        viewers.map((after, index) => after[what] > (before.viewers[index]?.[what] ?? 0));
      return { live: moreThan("livePositions"), devices: moreThan("devices"), fleet: fleet > before.fleet };
    };
    const both = (...seen: { id: string }[]) => [seen.map(({ id }) => id).sort(), seen.map(({ id }) => id).sort()];
    expect(await seenBy(world, "anna")).toEqual(both(van, truck));
    const looked = await grown(async () => {
      const { status, body } = await change([car.id], [van.id], "?preview=true");
      const { effect } = body.data;
      expect([status, effect.assignments_begun, effect.assignments_ended, effect.sub_accounts]).toEqual([200, 1, 1, 1]);
    });
    expect(looked).toEqual({ live: [false, false, false], devices: [false, false, false], fleet: false });
    const moved = await grown(async () => {
      const { status, body } = await change([car.id, truck.id.toUpperCase(), car.id], [van.id]);
      expect([status, body.data.device_ids]).toEqual([200, [truck.id, car.id].sort()]);
    });
    expect(moved).toEqual({ live: [true, false, false], devices: [true, false, false], fleet: true });
    expect(await seenBy(world, "anna")).toEqual(both(truck, car));
    const same = await grown(() => change([truck.id, car.id], [van.id]));
    expect(same).toEqual({ live: [false, false, false], devices: [false, false, false], fleet: false });
    // The spare never sent anything, so no live position changes.
    const silent = await grown(() => change([spare.id]));
    expect(silent).toEqual({ live: [false, false, false], devices: [true, false, false], fleet: true });
    // The vehicles that changed hands are managed by the portal now, and the log names them.
    const rows = await database.all<{ id: string }>(
      sql`select id from record_revisions where type = 'device' and managed_by = 'portal' order by id`,
    );
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining([van.id, car.id, spare.id]));
    const logged = (await audit(world)).filter(([action, , id]) => action === "device.changed" && id === spare.id);
    expect(logged.map((entry) => entry[3])).toEqual([{ fields: ["user_ids"] }]);
    expect((await change([van.id], [car.id, spare.id])).status).toBe(200);
    expect(await seenBy(world, "anna")).toEqual(both(van, truck));
  });

  test("see nothing outside of their account, and the owner needs no vehicle", async () => {
    const world = given();
    const { signIn, users, devices } = world;
    const olga = await signIn("olga@acme.example");
    const begins = [devices.car.id];
    // The owner sees all without being assigned anything.
    expect((await olga.change("PUT", `/fleet/users/${users.olga.id}/vehicles`, { begins })).status).toBe(403);
    for (const wrong of [[devices.ferry.id], [nobody], ["van"], [1], "van", null, [null]]) {
      const { status, body } = await olga.change("PUT", `/fleet/users/${users.anna.id}/vehicles`, { begins: wrong });
      expect([wrong, status, body.error.code]).toEqual([wrong, 400, "INVALID_REQUEST"]);
    }
    expect((await seenBy(world, "anna"))[0]).toEqual([devices.van.id, devices.truck.id].sort());
  });
});
