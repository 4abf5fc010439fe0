import { describe, expect, test } from "bun:test";
import { routes } from "../../src/api/routes.ts";
import { sql } from "../../src/store/sql.ts";
import { thatDay, type ViewerName } from "../support/api-fleet.ts";
import { onEachEngine } from "../support/engines.ts";
import { type PortalWorld, sharedPortal } from "../support/portal.ts";

const viewers: readonly ViewerName[] = ["olga", "anna", "ben", "otto"];
const day = new URLSearchParams(thatDay).toString();

/** A request for each route, relative to /v1, and some that are refused. */
function requests({ devices, users }: PortalWorld): string[] {
  const filled = routes.map(({ path }) =>
    path.replace("{device_id}", devices.truck.id).replace("{user_id}", users.anna.id).replace("{kind}", "temperature"),
  );
  return [
    ...filled.map((path) => `${path}?${day}${path === "/positions/history" ? `&imei=${devices.truck.imei}` : ""}`),
    `/positions/history?${day}&imei=${devices.truck.imei}&valid_only=false`,
    `/alerts?${day}&acknowledged=false&severity=warning`,
    `/trips?${day}&device_id=${devices.car.id}`,
    `/devices/${devices.ferry.id}`,
    "/devices?search=truck&limit=1",
    "/devices?limit=0&status=lost",
    "/trips?from=2026-06-16&to=2026-06-15",
    "/positions/history",
    "/sensors/oil",
    "/nothing",
    "/health",
    "/devices/%00",
  ];
}

const ownHeaders = ["ETag", "X-Window-From", "X-Window-To", "X-Window-Clamped", "Cache-Control", "Content-Type"];

onEachEngine("the portal", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });

  describe("what the portal shows of the data", () => {
    test("is what the API answers to a key of the same user, at every path", async () => {
      const world = given();
      const { time, signIn } = world.node();
      time.stepMs = 100;
      const seen = new Map<number, number>();
      for (const viewer of viewers) {
        const browser = await signIn(world.users[viewer].email);
        for (const path of requests(world)) {
          // The health of the service is not data.
          const api = path === "/health" ? await world.get("/nothing", viewer) : await world.get(path, viewer);
          const portal = await browser.get(`/data${path}`);
          expect([viewer, path, portal.status]).toEqual([viewer, path, api.status]);
          if (path.startsWith("/me?")) {
            // It has no key, and what it asks does not count.
            expect(portal.body.data).toMatchObject({ ...api.body.data, key: null, limits: {} });
            continue;
          }
          if (api.status === 200) expect(portal.text).toBe(api.text);
          else expect(portal.body.error).toEqual(api.body.error);
          for (const name of ownHeaders)
            expect([path, portal.headers.get(name)]).toEqual([path, api.headers.get(name)]);
          seen.set(api.status, (seen.get(api.status) ?? 0) + 1);
        }
      }
      expect([...seen.keys()].sort()).toEqual([200, 400, 404]);
      expect(seen.get(200)).toBeGreaterThan(40);
    });

    test("has the API's pages: cursors lead on, also from one to the other", async () => {
      const { signIn, get } = given();
      const olga = await signIn("olga@acme.example");
      const first = (await olga.get("/data/devices?limit=2")).body;
      const next = `/devices?limit=2&cursor=${first.next_cursor}`;
      expect((await olga.get(`/data${next}`)).text).toBe((await get(next)).text);
      expect((await (await signIn("anna@acme.example")).get(`/data${next}`)).status).toBe(400);
    });

    test("is not sent again while it is the same", async () => {
      const { signIn } = given();
      const olga = await signIn("olga@acme.example");
      const tag = (await olga.get("/data/positions/latest")).headers.get("ETag") ?? "";
      const again = await olga.get("/data/positions/latest", { "If-None-Match": tag });
      expect([again.status, again.text, again.headers.get("ETag")]).toEqual([304, "", tag]);
      expect((await olga.get("/data/positions/latest", { "If-None-Match": '"other"' })).status).toBe(200);
      expect((await olga.get("/data/devices", { "If-None-Match": "*" })).status).toBe(200);
    });

    test("costs no key anything, and shows nothing to a key", async () => {
      const { signIn, api, keys, browser, store } = given();
      const olga = await signIn("olga@acme.example");
      const left = async () => (await api.get("/devices", keys.olga)).headers.get("X-RateLimit-Remaining");
      const before = Number(await left());
      await olga.get("/data/devices");
      expect(Number(await left())).toBe(before - 1);
      const withKey = await browser().get("/data/devices", { "X-API-Key": keys.olga });
      expect(withKey.status).toBe(401);
      expect(store.database.engine).toBe(engine.name);
    });
  });

  describe("acknowledging an alert in the portal", () => {
    test("shows in the API at once, with who did it; the first stays", async () => {
      const { signIn, get, devices, users, rows } = given();
      const alert = rows.alerts.find((row) => row.device_id === devices.truck.id && row.acknowledged_at === null);
      const open = async () => {
        const { body } = await get(`/alerts?${day}&acknowledged=false`, "ben");
        return body.data.map(({ alert_id }: { alert_id: string }) => alert_id);
      };
      expect(await open()).toContain(alert?.id);
      const anna = await signIn("anna@acme.example");
      const done = await anna.post(`/alerts/${alert?.id.toUpperCase()}/acknowledge`);
      expect(done.status).toBe(200);
      const { acknowledged_at } = done.body.data;
      expect(done.body.data).toEqual({
        alert_id: alert?.id,
        acknowledged_at,
        acknowledged_by: users.anna.id,
        acknowledged_by_name: "Anna Ahlberg",
      });
      expect(await open()).not.toContain(alert?.id);
      const { data } = (await get(`/alerts?${day}&acknowledged=true`, "ben")).body;
      expect(data.find(({ alert_id }: { alert_id: string }) => alert_id === alert?.id)).toMatchObject({
        acknowledged: true,
        acknowledged_at,
        acknowledged_by: users.anna.id,
      });
      const again = await (await signIn("olga@acme.example")).post(`/alerts/${alert?.id}/acknowledge`);
      expect([again.status, again.body]).toEqual([200, done.body]);

      // All who see the alert learn the name, though Ben cannot look Anna up.
      const ben = await signIn("ben@acme.example");
      const read = await ben.get(`/alerts/${alert?.id}/acknowledgement`);
      expect([read.status, read.body]).toEqual([200, done.body]);
      expect((await ben.get(`/data/users/${users.anna.id}`)).status).toBe(404);
    });

    test("is not for alerts of devices out of sight, which are unknown", async () => {
      const { signIn, devices, rows, store } = given();
      const alertOf = ({ id }: { id: string }) =>
        rows.alerts.find((row) => row.device_id === id && row.acknowledged_at === null)?.id;
      const count = async () =>
        (await store.database.get<{ n: number }>(sql`select count(*) as n from alert_acknowledgements`))?.n;
      const before = await count();
      const tried: [string, string | undefined][] = [
        ["anna@acme.example", alertOf(devices.car)],
        ["anna@acme.example", alertOf(devices.ferry)],
        ["olga@acme.example", alertOf(devices.ferry)],
        ["olga@acme.example", "00000000-0000-4000-8000-000000000000"],
        ["olga@acme.example", "nothing"],
      ];
      for (const [email, id] of tried) {
        const { status, body } = await (await signIn(email)).post(`/alerts/${id}/acknowledge`);
        expect([id, status, body.error.message]).toEqual([id, 404, "there is no such alert, or you cannot see it"]);
        const read = await (await signIn(email)).get(`/alerts/${id}/acknowledgement`);
        expect([id, read.status]).toEqual([id, 404]);
      }
      expect(await count()).toBe(before);
      const ofCar = rows.alerts.find((row) => row.device_id === devices.car.id)?.id;
      expect((await (await signIn("olga@acme.example")).post(`/alerts/${ofCar}/acknowledge`)).status).toBe(200);
      expect((await (await signIn("anna@acme.example")).get(`/alerts/${ofCar}/acknowledgement`)).status).toBe(404);
    });
  });
});
