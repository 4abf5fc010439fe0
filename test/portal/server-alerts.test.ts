import { describe, expect, test } from "bun:test";
import { severities } from "../../src/domain/alert-types.ts";
import { sql } from "../../src/store/sql.ts";
import { thatDay, type ViewerName } from "../support/api-fleet.ts";
import { onEachEngine } from "../support/engines.ts";
import { type PortalWorld, portalOver, sharedPortal } from "../support/portal.ts";

const day = new URLSearchParams(thatDay).toString();
const unknownId = "00000000-0000-4000-8000-000000000000";

interface Listed {
  readonly alert_id: string;
  readonly acknowledged: boolean;
}

async function listed({ get }: PortalWorld, viewer: ViewerName, filter = ""): Promise<Listed[]> {
  return (await get(`/alerts?${day}&limit=500${filter}`, viewer)).body.data;
}

onEachEngine("the portal", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });

  describe("counts of alerts", () => {
    test("are those of the API's list, for every viewer and filter", async () => {
      const world = given();
      const { time, signIn } = world.node();
      time.stepMs = 100;
      const filters = ["", "&acknowledged=false", "&acknowledged=true", "&alert_type=speeding", "&alert_type=%00"];
      let all = 0;
      for (const viewer of ["olga", "anna", "ben", "otto"] as const) {
        const browser = await signIn(world.users[viewer].email);
        const seen = await listed(world, viewer);
        const ofDevice =
          seen.length > 0 ? [`&device_id=${(seen[0] as unknown as { device_id: string }).device_id}`] : [];
        for (const filter of [...filters, ...ofDevice]) {
          const { status, body } = await browser.get(`/alerts/counts?${day}${filter}`);
          expect(status).toBe(200);
          for (const severity of severities) {
            const rows = await listed(world, viewer, `${filter}&severity=${severity}`);
            expect([viewer, filter, severity, body.data[severity]]).toEqual([viewer, filter, severity, rows.length]);
            all += rows.length;
          }
        }
      }
      expect(all).toBeGreaterThan(10);
    });

    test("go no further than asked, and only over what is asked for", async () => {
      const olga = await given().signIn("olga@acme.example");
      const { body } = await olga.get(`/alerts/counts?${day}&severity=warning,critical&max=1`);
      expect(body).toEqual({ data: { critical: 1, warning: 1 }, max: 1 });
      const wrong = ["severity=bad", "max=0", "max=10001", "max=x", "from=soon", "acknowledged=maybe", "device_id=7"];
      for (const query of wrong) {
        const { status, body } = await olga.get(`/alerts/counts?${query}`);
        expect([query, status, Object.keys(body.error.fields)]).toEqual([query, 400, [query.split("=")[0] as string]]);
      }
    });

    test("count a severity once, however often it is named", async () => {
      const { store, api, users } = given();
      let reads = 0;
      const counting = new Proxy(store.database, {
        get(target, name) {
          const value = Reflect.get(target, name);
          if (typeof value !== "function") return value;
          return (...values: unknown[]) => {
            if (name === "get" || name === "all") reads++;
            return value.apply(target, values);
          };
        },
      });
      const olga = await (await portalOver(counting, api)).signIn(users.olga.email);
      const readsOf = async (names: readonly string[]) => {
        const before = reads;
        const { status, body } = await olga.get(`/alerts/counts?${day}&severity=${names.join(",")}`);
        return { status, body, reads: reads - before };
      };
      const once = await readsOf(["info", "warning"]);
      expect(await readsOf(Array.from({ length: 3_000 }, (_, index) => (index === 7 ? "warning" : "info")))).toEqual(
        once,
      );
      expect((await readsOf(["info", "info", "bad"])).status).toBe(400);
    });

    test("say nothing of devices out of sight", async () => {
      const { signIn, devices } = given();
      const anna = await signIn("anna@acme.example");
      for (const id of [devices.car.id, devices.ferry.id, unknownId]) {
        expect((await anna.get(`/alerts/counts?device_id=${id}`)).status).toBe(404);
      }
    });
  });

  describe("acknowledging many alerts at once", () => {
    test("takes those in sight, each once, and tells followers", async () => {
      const world = given();
      const { signIn, get, devices, users, rows, store } = world;
      const openOf = ({ id }: { id: string }) =>
        rows.alerts.filter((row) => row.device_id === id && row.acknowledged_at === null).map(({ id }) => id);
      const [first, ...others] = openOf(devices.truck);
      const unseen = [...openOf(devices.car), ...openOf(devices.ferry), unknownId];
      expect(first).toBeDefined();
      expect(unseen.length).toBeGreaterThan(2);
      const count = async () =>
        (await store.database.get<{ n: number }>(sql`select count(*) as n from alert_acknowledgements`))?.n ?? 0;
      const before = await count();
      const { resume_after } = (await get("/changes?types=alert", "ben")).body;

      const ben = await signIn("ben@acme.example");
      expect((await ben.post("/alerts/acknowledge", { alert_ids: [first] })).body.acknowledged_now).toBe(1);
      const anna = await signIn("anna@acme.example");
      const wanted = [first?.toUpperCase(), ...others, ...others, ...unseen];
      const { status, body } = await anna.post("/alerts/acknowledge", { alert_ids: wanted });
      expect([status, body.acknowledged_now]).toEqual([200, others.length]);
      const byWhom = new Map(
        body.data.map((row: { alert_id: string; acknowledged_by: string }) => [row.alert_id, row.acknowledged_by]),
      );
      expect(byWhom).toEqual(
        new Map<unknown, unknown>([[first, users.ben.id], ...others.map((id) => [id, users.anna.id] as const)]),
      );
      expect(await count()).toBe(before + 1 + others.length);

      const changed = (await get(`/changes?types=alert&after=${resume_after}`, "ben")).body.data;
      const acknowledged = changed.filter(({ record }: { record: Listed | null }) => record?.acknowledged);
      expect(new Set(acknowledged.map(({ id }: { id: string }) => id))).toEqual(new Set([first, ...others]));

      const again = await anna.post("/alerts/acknowledge", { alert_ids: [first, ...others] });
      expect([again.body.acknowledged_now, again.body.data.length]).toEqual([0, 1 + others.length]);
    });

    test("takes a list of at most 500 ids, and nothing else", async () => {
      const olga = await given().signIn("olga@acme.example");
      const tooMany = Array.from({ length: 501 }, () => unknownId);
      for (const alert_ids of [[], tooMany, "all", ["nothing"], [7], undefined]) {
        const { status, body } = await olga.post("/alerts/acknowledge", { alert_ids });
        expect([status, body.error.fields]).toEqual([400, { alert_ids: "expected a list of 1 to 500 ids of alerts" }]);
      }
      const none = await olga.post("/alerts/acknowledge", { alert_ids: tooMany.slice(1) });
      expect([none.status, none.body]).toEqual([200, { data: [], acknowledged_now: 0 }]);
    });

    test("takes all of a type, a severity and a day of the account that are in sight, and no others", async () => {
      const { signIn, rows, devices, store } = given();
      const when =
        (await store.database.get<{ at: number }>(sql`select occurred_at as at from alerts limit 1`))?.at ?? 0;
      const date = new Date(when).toISOString().slice(0, 10);
      const anna = await signIn("anna@acme.example");
      const open = async () => {
        const { body } = await anna.get(`/data/alerts?${day}&limit=500&acknowledged=false`);
        return body.data as { alert_id: string; alert_type: string; severity: string; device_id: string }[];
      };
      await store.database.transaction(async (tx) => {
        await tx.writeAny(sql`update alerts set acknowledged = ${false}`);
        await tx.writeAny(sql`delete from alert_acknowledgements`);
      });
      const before = await open();
      const [one] = before;
      if (one === undefined) throw new Error("no alert is open");
      const { alert_type, severity } = one;
      const isMeant = (row: (typeof before)[number]) => row.alert_type === alert_type && row.severity === severity;
      const ofVan = before.filter((row) => isMeant(row) && row.device_id === devices.van.id);
      const take = async (more: object) =>
        (await anna.post("/alerts/acknowledge-day", { alert_type, severity, day: date, ...more })).body;
      expect(await take({ day: "2026-06-01" })).toEqual({ acknowledged_now: 0 });
      expect(await take({ device_ids: [devices.van.id] })).toEqual({ acknowledged_now: ofVan.length });
      const left = before.filter((row) => isMeant(row) && row.device_id !== devices.van.id);
      expect(await take({})).toEqual({ acknowledged_now: left.length });
      expect((await open()).map(({ alert_id }) => alert_id)).toEqual(
        before.filter((row) => !isMeant(row)).map(({ alert_id }) => alert_id),
      );
      expect(ofVan.length + left.length).toBeGreaterThan(1);
      expect(rows.alerts.length).toBeGreaterThan(before.length);
      for (const [field, wrong] of Object.entries({ alert_type: 7, severity: "bad", day: "soon", device_ids: ["x"] })) {
        const { status, body } = await anna.post("/alerts/acknowledge-day", {
          ...{ alert_type, severity, day: date },
          [field]: wrong,
        });
        expect([status, Object.keys(body.error.fields)]).toEqual([400, [field]]);
      }
    });
  });

  test("alerts are new to a person until they have looked, whatever others do", async () => {
    const { signIn, store } = given();
    const [olga, ben] = [await signIn("olga@acme.example"), await signIn("ben@acme.example")];
    const news = async (who: typeof olga) => {
      const { body } = await who.get("/alerts/counts?new=true");
      return Object.values(body.data as Record<string, number>).reduce((sum, count) => sum + count, 0);
    };
    // To those who never looked, what is long past is not new.
    expect([await news(olga), await news(ben)]).toEqual([0, 0]);
    const known = (at: number, agoMs = 0) =>
      store.database.transaction((tx) =>
        tx.writeAny(sql`update alerts set received_at = ${at}, occurred_at = ${at - agoMs}`),
      );
    await known(Date.now() - 60_000);
    const [hers, his] = [await news(olga), await news(ben)];
    expect([hers > his, his > 0]).toEqual([true, true]);
    expect((await olga.post("/alerts/seen", {})).status).toBe(204);
    expect([await news(olga), await news(ben)]).toEqual([0, his]);
    // What came with delay is new all the same.
    await known(Date.now() + 1_000, 3_600_000);
    expect(await news(olga)).toBe(hers);
  });
});
