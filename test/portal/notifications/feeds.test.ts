import { expect, test } from "bun:test";
import { type AlertType, alertKind, alertTypes, type Severity, severities } from "../../../src/domain/alert-types.ts";
import { defaultRules } from "../../../src/domain/alerts/read-rule.ts";
import type { FleetDays } from "../../../src/portal/both-sides/contract/fleet-days.ts";
import type { RuleFeed, RuleFeeds } from "../../../src/portal/both-sides/contract/notifications.ts";
import { onEachEngine } from "../../support/engines.ts";
import { sharedMailPortal } from "../../support/mail-portal.ts";
import { confirmEverybody, confirmNobody } from "../../support/notified-fleet.ts";

onEachEngine("rules that feed notifications", (engine) => {
  const { given, withMail } = sharedMailPortal(engine);

  /** Sets the rules of a type, as the page of the rules does. */
  async function setRules(id: string, alert_type: AlertType, ...rules: object[]): Promise<void> {
    const olga = await withMail().signIn("olga@acme.example");
    const path = `/fleet/rules/${encodeURIComponent(id)}`;
    const { revision } = (await olga.get(path)).body.data;
    const fields = { alert_type, rules: rules.map((rule) => ({ alert_type, ...rule })) };
    const { status, text } = await olga.change("PUT", path, { revision, fields });
    expect([status, text]).toEqual([200, expect.any(String)]);
  }

  test("no type, severity and scope is saved that can never send, unless the person knows it; every other one is", async () => {
    const { devices } = given();
    await setRules("tag:cold", "gps_lost", { severity: "info" });
    await setRules(devices.van.id, "sos", { enabled: false });
    await setRules("all", "idling", { severity: "critical" });
    // Dates that are over never come again.
    await setRules("all", "towing", { parameters: { times: { within: [], dates_off: ["2020-01-01"] } } });
    const node = withMail();
    // Else there would be too many calls in a second.
    node.time.stepMs = 500;
    const olga = await node.signIn("olga@acme.example");
    /** By the catalogue and what is set above. */
    const raised = (type: AlertType, scope: string): readonly Severity[] => {
      if (type === "idling") return ["critical"];
      if (type === "towing" || (type === "sos" && (scope === "van" || scope === "cold"))) return [];
      if (type === "gps_lost" && scope !== "truck") return scope === "all" ? ["info", "warning"] : ["info"];
      // Each vehicle has a limit in a fence.
      if (type === "speeding") return ["warning", "critical"];
      const { severity, isCritical } = alertKind(type);
      if (defaultRules[type] === null) return [];
      return isCritical === null ? [severity] : [severity, "critical"];
    };
    const scopes = {
      all: {},
      cold: { tags: ["cold"] },
      van: { device_ids: [devices.van.id] },
      truck: { device_ids: [devices.truck.id] },
      nobody: { tags: ["no such tag"] },
    };
    const wrong: string[] = [];
    for (const [scope, which] of Object.entries(scopes)) {
      for (const type of alertTypes) {
        for (const severity of [...severities, null]) {
          const wanted = { alert_types: [type], severities: severity && [severity], ...which, pacing: "hour" };
          const isFed = scope !== "nobody" && raised(type, scope).some((one) => severity === null || one === severity);
          const { status, body } = await olga.post("/notifications", wanted);
          const isSaved = status === 201;
          const isSaid = status === 400 && Object.keys(body.error.fields).join() === "alert_types";
          if (isSaved !== isFed || isSaid === isFed) wrong.push(`${scope} ${type} ${severity}: ${status}`);
          if (isSaved) await olga.change("DELETE", `/notifications/${body.data.notification_id}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test("one that is saved all the same says that nothing feeds it, until a rule does", async () => {
    const { devices } = given();
    const olga = await withMail().signIn("olga@acme.example");
    const wanted = { alert_types: ["geofence_enter"], device_ids: [devices.van.id], pacing: "hour" };
    const saved = await olga.post("/notifications", { ...wanted, although_silent: true });
    const feeds = async () => (await olga.get("/notifications")).body.data[0].feeds as RuleFeeds;
    const entering = async () => (await feeds()).rules.find(({ alert_type }) => alert_type === "geofence_enter");
    expect([saved.status, await entering(), (await feeds()).vehicles]).toEqual([201, undefined, 1]);
    // A rule for a fence that the van is not in says nothing of it.
    const fences = (await olga.get("/fleet/geofences")).body.data as { geofence_id: string }[];
    const found: (RuleFeed | undefined)[] = [];
    for (const { geofence_id: id } of fences) {
      await setRules("all", "geofence_enter", { geofence_ids: [id] });
      const { device_ids } = (await olga.get(`/fleet/geofences/${id}`)).body.data;
      const isIn = (device_ids as string[]).includes(devices.van.id);
      const feed = await entering();
      expect(feed !== undefined).toBe(isIn);
      found.push(feed);
    }
    expect(found.some((feed) => feed !== undefined)).toBe(true);
    // Paused, changed and resumed it needs no rule to be looked at again.
    await setRules("all", "geofence_enter");
    const path = `/notifications/${saved.body.data.notification_id}`;
    expect((await olga.change("PUT", path, { ...wanted, is_stopped: true })).status).toBe(200);
    expect((await olga.change("PUT", path, wanted)).status).toBe(400);
    expect((await olga.change("DELETE", path)).status).toBe(204);
  });

  test("a sub-account's notification is fed by the rules of what it sees", async () => {
    const { devices, users } = given();
    await setRules(devices.car.id, "temperature_high", { parameters: { above_c: 8 } });
    const [olga, anna] = [await withMail().signIn("olga@acme.example"), await withMail().signIn("anna@acme.example")];
    const preview = async (who: typeof olga, more: object = {}) =>
      (await who.post("/notifications?preview=true", { pacing: "hour", ...more })).body.data as RuleFeeds;
    const tooWarm = ({ rules }: RuleFeeds) =>
      rules.find(({ alert_type }) => alert_type === "temperature_high")?.vehicles;
    const [all, hers] = [await preview(olga), await preview(anna)];
    expect([all.vehicles, hers.vehicles]).toEqual([5, 2]);
    // The car is not hers.
    expect([tooWarm(all), tooWarm(hers)]).toEqual([1, undefined]);
    expect(await preview(olga, { user_id: users.anna.id })).toEqual(hers);
    expect((await olga.get("/notifications")).body.data).toEqual([]);
  });

  test("a day without speeding says how many vehicles have a limit at all", async () => {
    const olga = await withMail().signIn("olga@acme.example");
    const ofDay = async (day: string) =>
      (await olga.get(`/fleet-days?from=${day}&to=${day}&highlights=1`)).body as FleetDays;
    expect((await ofDay("2026-01-05")).limited_vehicles).toBe(4);
    const busy = await ofDay("2026-06-15");
    expect([busy.totals.speeding_vehicles > 0, busy.limited_vehicles]).toEqual([true, undefined]);
    const plain = (await olga.get("/fleet-days?from=2026-01-05&to=2026-01-05")).body;
    expect("limited_vehicles" in plain).toBe(false);
  });

  test("a test mail goes to the person who asks, if the address is confirmed, and not too often", async () => {
    const { database } = given().store;
    const email = "olga@acme.example";
    const olga = await withMail().signIn(email);
    const test = async () => (await olga.post("/notifications/test-mail")).body.data;
    await confirmNobody(database);
    expect(await test()).toEqual({ email, needs_confirmation: true, problem: null });
    await confirmEverybody(database);
    const problems = [];
    for (let count = 0; count < 4; count++) problems.push((await test()).problem);
    expect(problems).toEqual([null, null, null, "too_many"]);
    await confirmNobody(database);
  });
});
