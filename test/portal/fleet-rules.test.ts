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
    expect(body.device_ids).toContain(truck.id);
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
    const stored = await everyRow(world.store.database);
    const { status, body } = await put(olga, "tag:day shift", 0, { rules: [limit(30)] }, "?preview=true");
    expect(status).toBe(200);
    // The van has a rule of its own for speed.
    expect(body.data.effect.derived_again.vehicles).toBe(0);
    const idling = { alert_type: "idling", enabled: false };
    const other = await put(olga, "tag:day shift", 0, { rules: [idling] }, "?preview=true");
    expect(other.body.data.effect.derived_again.vehicles).toBe(1);
    expect(await everyRow(world.store.database)).toEqual(stored);
  });

  test("of two people at once are not lost: the second is told what is stored now", async () => {
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

  test("are nobody else's: not a sub-account's, and not of another account's vehicle", async () => {
    const world = given();
    const { van, ferry } = world.devices;
    const anna = await world.signIn("anna@acme.example");
    expect((await anna.get("/fleet/rules")).status).toBe(403);
    expect((await anna.get(`/fleet/rules/${van.id}`)).status).toBe(403);
    expect((await put(anna, "all", 0, { rules: [] })).status).toBe(403);
    const olga = await world.signIn("olga@acme.example");
    const stored = await everyRow(world.store.database);
    expect((await olga.get(`/fleet/rules/${ferry.id}`)).status).toBe(404);
    expect((await put(olga, ferry.id, 0, { rules: [limit(10)] })).status).toBe(404);
    expect((await put(olga, "nobody", 0, { rules: [] })).status).toBe(404);
    const foreign = { rules: [{ alert_type: "geofence_exit", geofence_ids: [world.fences.pier.id] }] };
    expect((await put(olga, "tag:foreign", 0, foreign)).status).toBe(400);
    // Signing in is all that was written.
    const written = await everyRow(world.store.database);
    for (const table of ["rule_versions", "alert_settings_versions", "record_revisions"]) {
      expect(JSON.stringify(written[table as never] ?? null)).toBe(JSON.stringify(stored[table as never] ?? null));
    }
    const otto = await world.signIn("otto@polar.example");
    expect((await otto.get("/fleet/rules")).body.data).toEqual([]);
  });
});
