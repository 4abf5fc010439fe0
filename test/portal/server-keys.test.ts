import { describe, expect, test } from "bun:test";
import { allScopes } from "../../src/domain/scopes.ts";
import { dayMs } from "../../src/domain/time/time.ts";
import { addKeyUsage } from "../../src/store/access/key-usage.ts";
import { sql } from "../../src/store/sql.ts";
import { everyRow } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { type Browser, type PortalResponse, sharedPortal } from "../support/portal.ts";

const hourMs = 3_600_000;
const nobodys = "00000000-0000-4000-8000-000000000000";

async function made(browser: Browser, fields: object = {}): Promise<PortalResponse["body"]> {
  const { status, body } = await browser.post("/keys", { name: "TMS", scopes: ["devices:read"], ...fields });
  expect(status).toBe(201);
  return body;
}

async function keyIds(browser: Browser): Promise<string[]> {
  return (await browser.get("/keys")).body.data.map(({ key_id }: { key_id: string }) => key_id);
}

onEachEngine("the portal", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });

  describe("a key made in the portal", () => {
    test("works in the API, sees what its maker sees, is shown once, and revoked it is refused at once", async () => {
      const { signIn, api, devices, users, store } = given();
      const anna = await signIn("anna@acme.example");
      const wanted = { name: "  TMS  ", scopes: ["trips:read", "devices:read"], per_second: 7, per_day: 900 };
      const { data, key } = await made(anna, { ...wanted, expires_at: "2099-01-01" });
      expect(data).toEqual({
        key_id: data.key_id,
        name: "TMS",
        prefix: key.slice(0, 12),
        scopes: ["devices:read", "trips:read"],
        creator: { user_id: users.anna.id, name: "Anna Ahlberg" },
        created_at: data.created_at,
        expires_at: "2099-01-01T00:00:00.000Z",
        revoked_at: null,
        replaced_by: null,
        last_used_at: null,
        limit_per_second: 7,
        limit_per_day: 900,
        requests_today: 0,
        limit_today: 900,
        state: "active",
      });
      const seen = await api.get("/devices", key);
      expect(seen.status).toBe(200);
      const ids = seen.body.data.map(({ device_id }: { device_id: string }) => device_id);
      expect(ids.sort()).toEqual([devices.van.id, devices.truck.id].sort());
      expect((await api.get("/alerts", key)).status).toBe(403);
      expect(seen.headers.get("X-RateLimit-Limit")).toBe("900");

      expect((await anna.get("/keys")).text).not.toContain(key);
      expect(JSON.stringify(await everyRow(store.database))).not.toContain(key);
      const revoked = await anna.post(`/keys/${data.key_id}/revoke`);
      expect(revoked).toMatchObject({ status: 200, body: { data: { key_id: data.key_id, state: "revoked" } } });
      expect((await api.get("/devices", key)).status).toBe(401);
      // Once more changes nothing. Only the calls above may have been counted meanwhile.
      const { last_used_at, requests_today, ...lasting } = revoked.body.data;
      expect((await anna.post(`/keys/${data.key_id}/revoke`)).body.data).toMatchObject(lasting);
    });

    test("is refused beyond the number of keys that a user may have, whatever is asked for with it", async () => {
      const { node } = given();
      const site = node({ maxKeysPerUser: 2, isQuick: true });
      const nils = await site.signIn("nils@polar.example");
      const before = await keyIds(nils);
      for (const key of before) await nils.post(`/keys/${key}/revoke`);
      const wanted = { name: "TMS", scopes: ["devices:read"], max_keys: 9, max_keys_per_user: 9 };
      const made = await Promise.all(Array.from({ length: 5 }, () => nils.post("/keys", wanted)));
      expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
      const refused = made.find(({ status }) => status === 409);
      expect(refused?.body.error).toEqual({
        code: "CONFLICT",
        message: "this user has 2 working keys, and may have 2; revoke keys that are no longer used",
      });
      const first = made.find(({ status }) => status === 201)?.body.data.key_id;
      expect((await nils.post(`/keys/${first}/rotate`, { overlap_hours: 1 })).status).toBe(201);
      expect((await nils.post("/keys", wanted)).status).toBe(409);
      await nils.post(`/keys/${first}/revoke`);
      for (const key of await keyIds(nils)) await nils.post(`/keys/${key}/revoke`);
      expect((await nils.post("/keys", wanted)).status).toBe(201);
    });

    test("is refused with a text for each field that is wrong", async () => {
      const { signIn, store } = given();
      const olga = await signIn("olga@acme.example");
      const count = async () => (await store.database.get<{ n: number }>(sql`select count(*) as n from api_keys`))?.n;
      const before = await count();
      const refused: [object, string[]][] = [
        [{}, ["name", "scopes"]],
        [{ name: " ", scopes: [] }, ["name", "scopes"]],
        [{ name: "a\0", scopes: ["trips:write"] }, ["name", "scopes"]],
        [{ name: "TMS \u202e4202", scopes: ["trips:read"] }, ["name"]],
        [{ name: "🚚".repeat(101), scopes: ["trips:read"] }, ["name"]],
        [{ name: "x".repeat(101), scopes: ["trips:read"], expires_at: "2001-01-01" }, ["name", "expires_at"]],
        [{ name: "x", scopes: ["trips:read"], expires_at: "soon" }, ["expires_at"]],
        [{ name: "x", scopes: ["trips:read"], per_second: 1_000_001, per_day: 1e10 }, ["per_second", "per_day"]],
        [{ name: "x", scopes: ["trips:read"], per_second: 0, per_day: 1.5 }, ["per_second", "per_day"]],
      ];
      for (const [body, fields] of refused) {
        const answer = await olga.post("/keys", body);
        expect([answer.status, Object.keys(answer.body.error.fields)]).toEqual([400, fields]);
      }
      expect(await count()).toBe(before);
    });

    test("may be named in any script, with a hundred characters as people count them", async () => {
      const anna = await given().signIn("anna@acme.example");
      for (const name of ["🚚".repeat(100), "مفتاح", "Schlüssel für Köln"]) {
        expect((await made(anna, { name })).data.name).toBe(name);
      }
    });

    test("is seen and managed by its maker and by the owner, and is unknown to everybody else", async () => {
      const { signIn, api } = given();
      const [olga, anna, ben, otto] = (await Promise.all(
        ["olga@acme.example", "anna@acme.example", "ben@acme.example", "otto@polar.example"].map(signIn),
      )) as [Browser, Browser, Browser, Browser];
      const keys = {
        olga: await made(olga),
        anna: await made(anna),
        otto: await made(otto),
      };
      const ids = { olga: keys.olga.data.key_id, anna: keys.anna.data.key_id, otto: keys.otto.data.key_id };
      const sees = async (browser: Browser) => {
        const seen = await keyIds(browser);
        return Object.entries(ids).flatMap(([name, id]) => (seen.includes(id) ? [name] : []));
      };
      expect(await sees(olga)).toEqual(["olga", "anna"]);
      expect(await sees(anna)).toEqual(["anna"]);
      expect(await sees(ben)).toEqual([]);
      expect(await sees(otto)).toEqual(["otto"]);

      for (const [who, id] of [
        [anna, ids.olga],
        [ben, ids.anna],
        [otto, ids.anna],
        [olga, ids.otto],
        [olga, nobodys],
        [olga, "nothing"],
      ] as const) {
        for (const path of [`/keys/${id}/revoke`, `/keys/${id}/rotate`]) {
          const { status, body } = await who.post(path, { overlap_hours: 0 });
          expect([path, status, body.error.message]).toEqual([path, 404, "there is no such key, or you cannot see it"]);
        }
        expect((await who.get(`/usage?key_id=${id}`)).status).toBe(id === "nothing" ? 400 : 404);
      }
      for (const { key } of Object.values(keys)) expect((await api.get("/devices", key)).status).toBe(200);
      expect((await olga.post(`/keys/${ids.anna}/revoke`)).status).toBe(200);
      expect((await api.get("/devices", keys.anna.key)).status).toBe(401);
    });

    test("gets a successor that sees the same, and works on for the overlap", async () => {
      const { signIn, api, time } = given();
      const [olga, anna] = [await signIn("olga@acme.example"), await signIn("anna@acme.example")];
      const old = await made(anna, { scopes: allScopes, per_day: 900, expires_at: "2099-01-01" });
      const before = Date.now();
      const answer = await olga.post(`/keys/${old.data.key_id}/rotate`, { overlap_hours: 24 });
      expect(answer.status).toBe(201);
      const { data, key, old: rotated } = answer.body;
      const { key_id, prefix, created_at, expires_at, ...same } = data;
      expect(old.data).toMatchObject(same);
      expect(key_id).not.toBe(old.data.key_id);
      expect(prefix).toBe(key.slice(0, 12));
      const lifetime = Date.parse(old.data.expires_at) - Date.parse(old.data.created_at);
      expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(lifetime);
      expect(Date.parse(rotated.expires_at) - before).toBeWithin(24 * hourMs, 24 * hourMs + 60_000);
      expect([rotated.state, rotated.replaced_by]).toEqual(["active", key_id]);
      const bodies = await Promise.all([old.key, key].map((one) => api.get("/devices", one)));
      expect(bodies[1]?.body).toEqual(bodies[0]?.body);
      // A day later the portal says that the old one is over.
      time.aheadMs = 24 * hourMs + 60_000;
      const olgaLater = await signIn("olga@acme.example");
      const states = new Map(
        (await olgaLater.get("/keys")).body.data.map((k: { key_id: string; state: string }) => [k.key_id, k.state]),
      );
      time.aheadMs = 0;
      expect([states.get(old.data.key_id), states.get(key_id)]).toEqual(["expired", "active"]);
    });

    test("ends at once when its successor is to have no overlap, and then has no other", async () => {
      const { signIn, api } = given();
      const anna = await signIn("anna@acme.example");
      const old = await made(anna);
      expect((await api.get("/devices", old.key)).status).toBe(200);
      const { body } = await anna.post(`/keys/${old.data.key_id}/rotate`, { overlap_hours: 0 });
      expect(body.old.state).toBe("expired");
      expect(body.data.expires_at).toBeNull();
      expect((await api.get("/devices", old.key)).status).toBe(401);
      expect((await api.get("/devices", body.key)).status).toBe(200);
      const again = await anna.post(`/keys/${old.data.key_id}/rotate`, { overlap_hours: 0 });
      expect([again.status, again.body.error.code]).toEqual([400, "INVALID_REQUEST"]);
      for (const overlap_hours of [-1, 168.5, "1", null, undefined]) {
        const refused = await anna.post(`/keys/${body.data.key_id}/rotate`, { overlap_hours });
        expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([400, ["overlap_hours"]]);
      }
    });

    test("has one successor, however often and at once it is rotated; the successor has its own", async () => {
      const { signIn, api } = given();
      const anna = await signIn("anna@acme.example");
      const old = await made(anna);
      const rotate = (id: string, overlap_hours: number) => anna.post(`/keys/${id}/rotate`, { overlap_hours });
      const tries = await Promise.all([24, 24, 24].map((hours) => rotate(old.data.key_id, hours)));
      expect(tries.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
      const later = await rotate(old.data.key_id, 168);
      const message = "this key is being replaced already; rotate its successor, or create a new key";
      expect([later.status, later.body.error]).toEqual([409, { code: "CONFLICT", message }]);
      const first = tries.find(({ status }) => status === 201)?.body;
      // What was refused has changed nothing.
      const listed = (await anna.get("/keys")).body.data;
      expect(listed.find(({ key_id }: { key_id: string }) => key_id === old.data.key_id)).toEqual(first.old);
      expect(first.old.replaced_by).toBe(first.data.key_id);
      const next = await rotate(first.data.key_id, 168);
      expect([next.status, next.body.data.expires_at, next.body.data.replaced_by]).toEqual([201, null, null]);
      const statuses = [old.key, first.key, next.body.key].map(async (key) => (await api.get("/devices", key)).status);
      expect(await Promise.all(statuses)).toEqual([200, 200, 200]);
    });

    test("of a user who is disabled is distinguished from one that works, and has no successor", async () => {
      const { signIn, users } = given();
      const olga = await signIn("olga@acme.example");
      const { data } = (await olga.get("/keys")).body;
      const ofDora = data.find(({ creator }: { creator: { user_id: string } }) => creator.user_id === users.dora.id);
      expect(ofDora.state).toBe("disabled");
      const { status, body } = await olga.post(`/keys/${ofDora.key_id}/rotate`, { overlap_hours: 1 });
      expect([status, body.error]).toEqual([
        403,
        { code: "FORBIDDEN", message: "the user dora@acme.example is disabled" },
      ]);
    });

    test("that ends before the overlap does is not made to last longer", async () => {
      const { signIn } = given();
      const anna = await signIn("anna@acme.example");
      const expires_at = new Date(Date.now() + hourMs).toISOString();
      const old = await made(anna, { expires_at });
      const { body } = await anna.post(`/keys/${old.data.key_id}/rotate`, { overlap_hours: 168 });
      expect(body.old.expires_at).toBe(expires_at);
    });
  });

  describe("the usage of keys", () => {
    test("is reported per day, endpoint and key, for the requested days, to all who see the key", async () => {
      const { signIn, accounts, store } = given();
      const [olga, anna, otto] = [
        await signIn("olga@acme.example"),
        await signIn("anna@acme.example"),
        await signIn("otto@polar.example"),
      ];
      const { key_id: ofOlga, prefix: prefixOfOlga } = (await made(olga, { name: "ERP" })).data;
      const ofAnna = (await made(anna)).data.key_id;
      const today = Math.floor(Date.now() / dayMs);
      const counts = { requests: 10, not_modified: 4, refused: 2, errors: 1 };
      const row = (key_id: string, day: number, endpoint: string) => ({
        account_id: accounts.acme.account_id,
        key_id,
        day,
        endpoint,
        ...counts,
      });
      await store.database.transaction((tx) =>
        addKeyUsage(tx, [
          row(ofOlga, today, "/trips"),
          row(ofOlga, today - 29, "/alerts"),
          row(ofOlga, today - 30, "/devices"),
          row(ofAnna, today, "/positions/latest"),
        ]),
      );
      const date = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);
      const usage = async (browser: Browser, query = "") => (await browser.get(`/usage${query}`)).body;
      // Other tests of this block use keys of theirs.
      const ownRows = async (browser: Browser, query = "") =>
        (await usage(browser, query)).data.filter(({ key_id }: { key_id: string }) =>
          [ofOlga, ofAnna].includes(key_id),
        );
      const endpoints = async (browser: Browser, query = "") =>
        (await ownRows(browser, query)).map(({ endpoint }: { endpoint: string }) => endpoint).sort();

      const month = await usage(olga);
      expect(month.days.length).toBe(30);
      expect([month.days[0], month.days[29]]).toEqual([date(today - 29), date(today)]);
      expect((await ownRows(olga))[0]).toEqual({
        key_id: ofOlga,
        key_name: "ERP",
        key_prefix: prefixOfOlga,
        endpoint: "/alerts",
        date: date(today - 29),
        ...counts,
      });
      expect(await endpoints(olga)).toEqual(["/alerts", "/positions/latest", "/trips"]);
      expect(await endpoints(olga, "?days=31")).toEqual(["/alerts", "/devices", "/positions/latest", "/trips"]);
      expect(await endpoints(olga, "?days=1")).toEqual(["/positions/latest", "/trips"]);
      expect(await endpoints(olga, `?days=1&key_id=${ofAnna.toUpperCase()}`)).toEqual(["/positions/latest"]);
      expect(await endpoints(anna)).toEqual(["/positions/latest"]);
      expect(await endpoints(otto)).toEqual([]);
      for (const days of ["0", "367", "x", "-1", ""]) {
        const { status, body } = await olga.get(`/usage?days=${days}`);
        expect([days, status, Object.keys(body.error.fields)]).toEqual([days, 400, ["days"]]);
      }
    });

    test("counts what a key does in the API, and shows how much of its day is used", async () => {
      const { signIn, store, node } = given();
      const { api } = given();
      const olga = await signIn("olga@acme.example");
      const { data, key } = await made(olga, { per_day: 3 });
      const statuses: number[] = [];
      for (const path of ["/devices", "/devices", "/trips", "/devices"])
        statuses.push((await api.get(path, key)).status);
      expect(statuses).toEqual([200, 200, 403, 429]);
      // What was counted is written down within a second; a node that stops writes it at once.
      await api.close();
      const later = await node().signIn("olga@acme.example");
      const shown = (await later.get("/keys")).body.data.find((one: { key_id: string }) => one.key_id === data.key_id);
      expect([shown.requests_today, shown.limit_today]).toEqual([3, 3]);
      expect(Math.abs(Date.parse(shown.last_used_at) - Date.now())).toBeLessThan(60_000);
      const { data: rows } = (await later.get(`/usage?days=1&key_id=${data.key_id}`)).body;
      const figures = rows.map((row: Record<string, unknown>) => [row.endpoint, row.requests, row.refused, row.errors]);
      expect(figures).toEqual([
        ["/devices", 3, 1, 0],
        ["/trips", 1, 0, 1],
      ]);
      expect(store.database.engine).toBe(engine.name);
    });
  });
});
