import { expect, test } from "bun:test";
import { sql } from "../../src/store/sql.ts";
import { everyRow } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { type Browser, type PortalWorld, sharedPortal } from "../support/portal.ts";

const limit = (limit_kmh: number) => ({ alert_type: "speeding", parameters: { limit_kmh } });

function put(browser: Browser, id: string, revision: number, fields: object, query = "") {
  return browser.change("PUT", `/fleet/rules/${encodeURIComponent(id)}${query}`, { revision, fields });
}

/** The rules for speed that the API shows of a device: the limit, and whom it was set for. */
async function speedOf({ get }: PortalWorld, id: string): Promise<unknown[]> {
  const { body } = await get(`/devices/${id}/alert-settings`, "olga");
  return body.data.rules
    .filter(({ alert_type }: { alert_type: string }) => alert_type === "speeding")
    .map((rule: { parameters: { limit_kmh?: number }; set_for: string | null; tag: string | null }) => [
      rule.parameters.limit_kmh ?? null,
      rule.tag ?? rule.set_for,
    ]);
}

/** All that is stored, but for what the API's own calls are counted in, some time after them. */
async function fleetRows({ store }: PortalWorld) {
  const { key_counters: _, key_usage: __, ...rows } = await everyRow(store.database);
  return rows;
}

onEachEngine("the owner's rules", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });

  test("are set for all, for a tag and for a vehicle, and the API shows at once which holds", async () => {
    const world = given();
    const { truck, van, spare } = world.devices;
    const olga = await world.signIn("olga@acme.example");
    expect((await olga.get("/fleet/rules/all")).body.data).toEqual({
      id: "all",
      rules: [],
      valid_from: null,
      revision: 0,
      managed_by: null,
      is_made_here: false,
      tags: [],
    });
    const made = await put(olga, "all", 0, { rules: [limit(90)] });
    expect(made.status).toBe(200);
    expect(made.body.data).toMatchObject({ id: "all", managed_by: "portal", is_made_here: true, rules: [limit(90)] });
    expect(await speedOf(world, spare.id)).toEqual([[90, "account"]]);
    await put(olga, "tag:cold", 0, { rules: [limit(80)] });
    expect(await speedOf(world, van.id)).toEqual([
      [null, null],
      [80, "device"],
    ]);
    // It was loaded with a rule for a fence.
    const { revision, managed_by } = (await olga.get(`/fleet/rules/${truck.id}`)).body.data;
    expect([revision, managed_by]).toEqual([1, "file"]);
    expect((await put(olga, truck.id, revision, { rules: [limit(50)] })).status).toBe(200);
    expect(await speedOf(world, truck.id)).toEqual([[50, "device"]]);
    const { body } = await olga.get("/fleet/rules");
    expect(body.vehicles).toBe(5);
    expect(body.tags).toContainEqual({ tag: "cold", vehicles: 1 });
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(["all", "tag:cold"]);
    expect(body.own).toContainEqual({ device_id: truck.id, alert_types: ["speeding"] });
    expect((await olga.get(`/fleet/rules/${van.id}`)).body.data.tags).toEqual(["cold", "day shift"]);
    const entries = await world.store.database.all<{ action: string; id: string }>(sql`
      select action, id from audit_log where type = 'alert_settings' order by entry_id`);
    expect(entries.map(({ action, id }) => ({ action, id }))).toEqual([
      { action: "alert_settings.added", id: "all" },
      { action: "alert_settings.added", id: "tag:cold" },
      { action: "alert_settings.changed", id: truck.id },
    ]);
  });

  test("are only looked at in a preview, which says whom they concern", async () => {
    const world = given();
    const olga = await world.signIn("olga@acme.example");
    const stored = await fleetRows(world);
    const { status, body } = await put(olga, "tag:day shift", 0, { rules: [limit(30)] }, "?preview=true");
    expect(status).toBe(200);
    // The van has a rule of its own for speed.
    expect(body.data.effect.derived_again.vehicles).toBe(0);
    const idling = { alert_type: "idling", enabled: false };
    const other = await put(olga, "tag:day shift", 0, { rules: [idling] }, "?preview=true");
    expect(other.body.data.effect.derived_again.vehicles).toBe(1);
    expect(await fleetRows(world)).toEqual(stored);
  });

  test("of vehicles of their own give way to those of a tag where the owner says so, of one type of alert", async () => {
    const world = given();
    const { truck, van, spare } = world.devices;
    const olga = await world.signIn("olga@acme.example");
    const idling = { alert_type: "idling", parameters: { after_s: 300 } };
    const { revision } = (await olga.get(`/fleet/rules/${van.id}`)).body.data;
    await put(olga, van.id, revision, { rules: [limit(70), idling] });
    const replace = (id: string, body: object, query = "") =>
      olga.change("POST", `/fleet/rules/${encodeURIComponent(id)}/replace-own${query}`, body);
    const asked = { alert_type: "speeding", vehicles: 1 };
    expect((await replace("tag:cold", { ...asked, vehicles: 2 })).status).toBe(409);
    expect((await replace("tag:cold", { ...asked, alert_type: "snow" })).status).toBe(400);
    expect((await replace(van.id, asked)).status).toBe(404);
    const looked = await replace("tag:cold", asked, "?preview=true");
    expect(looked.body.data).toMatchObject({ changed: 1, effect: { derived_again: { vehicles: 1 } } });
    expect((await olga.get(`/fleet/rules/${van.id}`)).body.data.rules).toHaveLength(2);
    const replaced = await replace("tag:cold", asked);
    expect([replaced.status, replaced.body.data]).toEqual([200, { changed: 1 }]);
    expect((await olga.get(`/fleet/rules/${van.id}`)).body.data.rules).toEqual([{ ...idling, enabled: true }]);
    // Others keep theirs.
    expect(await speedOf(world, van.id)).toEqual([[80, "cold"]]);
    expect(await speedOf(world, truck.id)).toEqual([[50, "device"]]);
    expect(await speedOf(world, spare.id)).toEqual([[90, "account"]]);
  });

  test("hold at some times, are refused with the path of what is wrong, and come back as they were stored", async () => {
    const world = given();
    const olga = await world.signIn("olga@acme.example");
    const times = { within: [{ days: ["mon", "tue"], from: "20:00", until: "06:00" }], dates_off: ["2026-12-25"] };
    const movement = (parameters: object) => ({ rules: [{ alert_type: "unauthorised_movement", parameters }] });
    const wrong = await put(
      olga,
      "tag:parked",
      0,
      movement({ times: { within: [{ ...times.within[0], from: "8pm" }] } }),
    );
    expect([wrong.status, Object.keys(wrong.body.error.fields)]).toEqual([
      400,
      ["rules[0].parameters.times.within[0].from"],
    ]);
    expect((await put(olga, "tag:parked", 0, movement({}))).body.error.fields).toHaveProperty([
      "rules[0].parameters.times",
    ]);
    await put(olga, "tag:parked", 0, movement({ times }));
    const { rules } = (await olga.get("/fleet/rules/tag:parked")).body.data;
    expect(rules).toEqual([{ alert_type: "unauthorised_movement", enabled: true, parameters: { times } }]);
  });

  test("of two people at once are not lost: the second is answered with what is stored now", async () => {
    const world = given();
    const olga = await world.signIn("olga@acme.example");
    const first = await put(olga, "tag:night", 0, { rules: [limit(60)] });
    const second = await put(olga, "tag:night", 0, { rules: [limit(70)] });
    expect(second.status).toBe(409);
    expect(second.body.error).toMatchObject({ code: "CONFLICT", revision: first.body.data.revision });
    expect(second.body.error.current.rules).toEqual([{ ...limit(60), enabled: true }]);
    const third = await put(olga, "tag:night", second.body.error.revision, { rules: [limit(70)] });
    expect(third.status).toBe(200);
    expect(third.body.data.revision).toBe(first.body.data.revision + 1);
  });

  test("may hold from an earlier moment on, and are refused with the field that is wrong", async () => {
    const world = given();
    const olga = await world.signIn("olga@acme.example");
    const wrong = await put(olga, "tag:slow", 0, { rules: [limit(9000)] });
    expect(wrong.status).toBe(400);
    expect(Object.keys(wrong.body.error.fields)).toEqual(["rules[0].parameters.limit_kmh"]);
    const since = "2026-06-01T00:00:00.000Z";
    await put(olga, "tag:slow", 0, { rules: [limit(20)], valid_from: since });
    const versions = await world.store.database.all<{ valid_from: number }>(sql`
      select valid_from from rule_versions where tag = 'slow' order by valid_from`);
    expect(versions.map(({ valid_from }) => valid_from)).toEqual([0, Date.parse(since)]);
    // Nothing that a vehicle has says this; but the tag has rules, so it can be chosen.
    const { body } = await olga.get("/fleet/rules");
    expect(body.tags).toContainEqual({ tag: "slow", vehicles: 0 });
  });

  test("that cannot apply are warned of, by kind and with names, so that the page can say it", async () => {
    const world = given();
    const { spare } = world.devices;
    const olga = await world.signIn("olga@acme.example");
    const { data } = (await olga.get("/fleet/geofences")).body;
    const [fence] = data as { geofence_id: string; name: string }[];
    const enter = { alert_type: "geofence_enter", geofence_ids: [fence?.geofence_id] };
    const seen = async (id: string, rules: object[]) =>
      (await put(olga, id, 0, { rules }, "?preview=true")).body.data.effect.warnings;
    expect(await seen(spare.id, [enter, { alert_type: "geofence_exit" }])).toEqual([
      {
        kind: "fences_not_assigned",
        rules_of: spare.id,
        vehicle_name: spare.name,
        alert_type: "geofence_enter",
        fence_names: [fence?.name],
        more_fences: 0,
      },
      {
        kind: "no_fence",
        rules_of: spare.id,
        vehicle_name: spare.name,
        alert_type: "geofence_exit",
        fence_names: [],
        more_fences: 0,
      },
    ]);
    expect(await seen("tag:nobody has it", [limit(50)])).toEqual([{ kind: "tag_not_used", tag: "nobody has it" }]);
    const ofTag = await seen("tag:day shift", [{ alert_type: "geofence_exit" }]);
    expect(ofTag).toMatchObject([{ kind: "no_fence", rules_of: "tag:day shift", vehicle_name: null }]);
    const many = await seen(
      "tag:day shift",
      Array.from({ length: 30 }, () => ({ alert_type: "geofence_exit" })),
    );
    // What is the same is said once.
    expect(many).toHaveLength(1);
  });

  test("of a tag are the same however the address writes it, and none of what can be no tag", async () => {
    const world = given();
    const olga = await world.signIn("olga@acme.example");
    const { revision } = (await put(olga, "tag:early", 0, { rules: [limit(60)] })).body.data;
    for (const written of ["tag: early", "tag:early ", "tag:\u00a0early\n"]) {
      const lost = await put(olga, written, 0, { rules: [] });
      expect([lost.status, lost.body.error.code]).toEqual([409, "CONFLICT"]);
      expect((await olga.get(`/fleet/rules/${encodeURIComponent(written)}`)).body.data).toMatchObject({
        id: "tag:early",
        revision,
        rules: [limit(60)],
      });
    }
    const changed = await put(olga, "tag: early", revision, { rules: [limit(70)] });
    expect([changed.status, changed.body.data.id, changed.body.data.revision]).toEqual([
      200,
      "tag:early",
      revision + 1,
    ]);
    for (const wrong of ["tag:", "tag: ", "tag:\0", "tag:a\tb", "tag:\ud800", `tag:${"x".repeat(65)}`]) {
      const path = `/fleet/rules/${wrong.isWellFormed() ? encodeURIComponent(wrong) : "tag%3A%ED%A0%80"}`;
      expect((await olga.get(path)).status).toBe(404);
      expect((await olga.change("PUT", path, { revision: 0, fields: { rules: [] } })).status).toBe(404);
    }
  });

  test("hold from an earlier day on if only the day is moved, and those of other types keep their own past", async () => {
    const world = given();
    const olga = await world.signIn("olga@acme.example");
    const idling = { alert_type: "idling", enabled: false };
    const days = ["2026-06-01", "2026-06-10", "2026-06-20"].map((day) => `${day}T00:00:00.000Z`);
    const [first, second, third] = days;
    const set = await put(olga, "tag:late", 0, { alert_type: "speeding", rules: [limit(60)], valid_from: third });
    const added = await put(olga, "tag:late", set.body.data.revision, {
      alert_type: "idling",
      rules: [idling],
      valid_from: second,
    });
    expect([added.status, added.body.data.rules]).toEqual([200, [{ ...limit(60), enabled: true }, idling]]);
    const moved = await put(olga, "tag:late", added.body.data.revision, {
      alert_type: "speeding",
      rules: [limit(60)],
      valid_from: first,
    });
    expect(moved.body.data.revision).toBe(added.body.data.revision + 1);
    const versions = await world.store.database.all<{ valid_from: number; rules_json: string }>(sql`
      select valid_from, rules_json from rule_versions where tag = 'late' order by valid_from`);
    const typesAt = versions.map(({ valid_from, rules_json }) => [
      valid_from,
      JSON.parse(rules_json).map(({ alertType }: { alertType: string }) => alertType),
    ]);
    expect(typesAt).toEqual([
      [0, []],
      [Date.parse(first ?? ""), ["speeding"]],
      [Date.parse(second ?? ""), ["idling", "speeding"]],
      [Date.parse(third ?? ""), ["speeding", "idling"]],
    ]);
    const strange = await put(olga, "tag:late", moved.body.data.revision, { alert_type: "speeding", rules: [idling] });
    expect([strange.status, Object.keys(strange.body.error.fields)]).toEqual([400, ["rules"]]);
  });

  test("cannot name a fence that was removed, nor get its rules back with it", async () => {
    const world = given();
    const olga = await world.signIn("olga@acme.example");
    const shape = { shape: "circle", geometry: { type: "Point", coordinates: [13.4, 52.5] }, radius_m: 100 };
    const made = await olga.change("POST", "/fleet/geofences", { fields: { name: "Short-lived", ...shape } });
    const { geofence_id, revision: first } = made.body.data;
    const inside = { ...limit(30), geofence_ids: [geofence_id] };
    expect((await put(olga, "tag:brief", 0, { rules: [limit(70), inside] })).status).toBe(200);
    const hideOrShow = (what: "remove" | "restore", revision: number) =>
      olga.change("POST", `/fleet/geofences/${geofence_id}/${what}`, { revision });
    expect((await hideOrShow("remove", first)).status).toBe(200);
    const { revision, rules } = (await olga.get("/fleet/rules/tag:brief")).body.data;
    expect(rules).toMatchObject([limit(70)]);
    const refused = await put(olga, "tag:brief", revision, { rules: [inside] });
    expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([400, ["rules[0].geofence_ids[0]"]]);
    expect((await hideOrShow("restore", first + 1)).status).toBe(200);
    expect((await olga.get("/fleet/rules/tag:brief")).body.data.rules).toMatchObject([limit(70)]);
    expect((await put(olga, "tag:brief", revision, { rules: [inside] })).status).toBe(200);
  });
});
