import { beforeAll, expect, test } from "bun:test";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { type Browser, sharedPortal } from "../support/portal.ts";

const path = "/fleet/geofences";
const circle = { shape: "circle", geometry: { type: "Point", coordinates: [13.4, 52.5] }, radius_m: 150 };

onEachEngine("fences in the portal", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });
  // Two changes within a millisecond are one version.
  beforeAll(() => {
    given().time.stepMs = 1;
  });
  const olga = () => given().signIn("olga@acme.example");
  const add = async (browser: Browser, fields: object) => {
    const { status, body } = await browser.change("POST", path, { fields });
    expect([status, body.error]).toEqual([201, undefined]);
    return body;
  };

  test("are listed with their size, vehicles and revision, each account's own", async () => {
    const { signIn, devices } = given();
    const { body } = await (await olga()).get(path);
    const byName = new Map(body.data.map((fence: { name: string }) => [fence.name, fence]));
    expect(byName.get("Yard of all")).toMatchObject({ device_count: 4, revision: 1, managed_by: "file" });
    expect(byName.get("Harbour of the car")).toMatchObject({ shape: "polygon", description: "Quay 7" });
    expect(byName.has("Pier of the ferry")).toBe(false);
    const pier = (await (await signIn("otto@polar.example")).get(path)).body.data[0];
    const { body: own } = await (await signIn("otto@polar.example")).get(`${path}/${pier.geofence_id}`);
    expect(own.data.device_ids).toEqual([devices.ferry.id, devices.barge.id].sort());
    expect((await (await olga()).get(`${path}/${pier.geofence_id}`)).status).toBe(404);
  });

  test("are added from now on, and the past does not know them", async () => {
    const { devices, get } = given();
    const owner = await olga();
    const fields = { name: "New depot", color: "#1e90ff", ...circle, device_ids: [devices.van.id] };
    const preview = await owner.change("POST", `${path}?preview=true`, { fields });
    expect([preview.status, preview.body.data.effect.derived_again.vehicles]).toEqual([200, 1]);
    const seen = async () => (await get("/geofences?limit=500", "olga")).body.data;
    const named = async () => (await seen()).filter(({ name }: { name: string }) => name === "New depot");
    expect(await named()).toEqual([]);
    const { data, effect } = await add(owner, fields);
    expect(effect.derived_again.from).not.toBeNull();
    expect(data).toMatchObject({
      name: "New depot",
      device_ids: [devices.van.id],
      managed_by: "portal",
      is_made_here: true,
    });
    expect(data.versions.map(({ device_count }: { device_count: number }) => device_count)).toEqual([0, 1]);
    expect(data.versions[0].valid_from).toBeNull();
    expect(await named()).toMatchObject([{ geofence_id: data.geofence_id, radius_m: 150, color: "#1e90ff" }]);
  });

  test("count for all of the past, or from a moment on, if the owner says so", async () => {
    const owner = await olga();
    const always = await add(owner, { name: "Always", ...circle, valid_from: "always" });
    expect(always.data.versions).toMatchObject([{ valid_from: null }]);
    const device_ids = [given().devices.van.id];
    const since = await add(owner, { name: "Since May", ...circle, device_ids, valid_from: "2026-05-01T08:00:00Z" });
    expect(since.data.versions.at(-1).valid_from).toBe("2026-05-01T08:00:00.000Z");
  });

  test("count from an earlier moment on, as they are, if only the moment is moved", async () => {
    const owner = await olga();
    const device_ids = [given().devices.van.id];
    const { data } = await add(owner, {
      name: "Moved back",
      ...circle,
      device_ids,
      valid_from: "2026-05-01T08:00:00Z",
    });
    const moved = await owner.change("PUT", `${path}/${data.geofence_id}`, {
      revision: data.revision,
      fields: { valid_from: "2026-04-01T08:00:00Z" },
    });
    expect([moved.status, moved.body.data.revision]).toEqual([200, data.revision + 1]);
    expect(moved.body.effect.derived_again.vehicles).toBe(1);
    const counts = moved.body.data.versions.map(({ valid_from, device_count }: Record<string, unknown>) => [
      valid_from,
      device_count,
    ]);
    expect(counts).toEqual([
      [null, 0],
      ["2026-04-01T08:00:00.000Z", 1],
      ["2026-05-01T08:00:00.000Z", 1],
    ]);
  });

  test("are refused as a fleet file is, field by field", async () => {
    const owner = await olga();
    const wrong = { name: "", ...circle, radius_m: 3, device_ids: ["x"], color: "12" };
    const { status, body } = await owner.change("POST", path, { fields: wrong });
    expect(status).toBe(400);
    expect(Object.keys(body.error.fields).sort()).toEqual(["color", "device_ids[0]", "name", "radius_m"]);
    const bowTie = {
      type: "Polygon",
      coordinates: [
        [
          [0, 0],
          [1, 1],
          [1, 0],
          [0, 1],
          [0, 0],
        ],
      ],
    };
    const crossing = await owner.change("POST", path, { fields: { name: "X", shape: "polygon", geometry: bowTie } });
    expect(crossing.body.error.fields["geometry.coordinates[0]"]).toContain("does not cross");
    const others = { name: "X", ...circle, device_ids: [given().devices.ferry.id] };
    expect((await owner.change("POST", path, { fields: others })).body.error.fields).toHaveProperty(["device_ids[0]"]);
  });

  test("are changed by the fields that differ; an edit of an older revision is answered with what is there now", async () => {
    const owner = await olga();
    const { data } = await add(owner, { name: "Gate", description: "East", ...circle });
    const one = `${path}/${data.geofence_id}`;
    const first = await owner.change("PUT", one, { revision: data.revision, fields: { radius_m: 200 } });
    expect(first.body.data).toMatchObject({ name: "Gate", description: "East", radius_m: 200 });
    expect(first.body.data.revision).toBe(data.revision + 1);
    expect(first.body.data.versions).toHaveLength(data.versions.length + 1);
    const second = await owner.change("PUT", one, { revision: data.revision, fields: { name: "Door" } });
    expect([second.status, second.body.error.code]).toEqual([409, "CONFLICT"]);
    expect(second.body.error.current).toMatchObject({ name: "Gate", radius_m: 200 });
    expect(second.body.error.revision).toBe(data.revision + 1);
    const renamed = await owner.change("PUT", one, { revision: data.revision + 1, fields: { name: "Door" } });
    expect(renamed.body.data.versions).toHaveLength(first.body.data.versions.length);
  });

  test("are removed, listed as removed, and put back", async () => {
    const { get, devices } = given();
    const owner = await olga();
    const { data } = await add(owner, { name: "Short-lived", ...circle, device_ids: [devices.truck.id] });
    const one = `${path}/${data.geofence_id}`;
    const names = async (list: string) => (await owner.get(list)).body.data.map(({ name }: { name: string }) => name);
    const { revision } = data;
    expect((await owner.change("POST", `${one}/remove?preview=true`, { revision })).status).toBe(200);
    expect(await names(path)).toContain("Short-lived");
    expect((await owner.change("POST", `${one}/remove`, { revision: 99 })).status).toBe(409);
    const removed = await owner.change("POST", `${one}/remove`, { revision });
    expect(removed.body.data.device_ids).toEqual([devices.truck.id]);
    expect(await names(path)).not.toContain("Short-lived");
    expect(await names(`${path}?removed=true`)).toContain("Short-lived");
    const shown = async () =>
      (await get("/geofences?limit=500", "olga")).body.data.some(
        ({ name }: { name: string }) => name === "Short-lived",
      );
    expect(await shown()).toBe(false);
    expect((await owner.change("PUT", one, { revision: revision + 1, fields: { name: "Ghost" } })).status).toBe(404);
    const back = await owner.change("POST", `${one}/restore`, { revision: revision + 1 });
    expect(back.body.data).toMatchObject({ device_ids: [devices.truck.id], removed_at: null });
    expect(await shown()).toBe(true);
  });

  test("say which rules name them", async () => {
    const { devices, accounts, store } = given();
    const owner = await olga();
    const { data } = await add(owner, { name: "Named", ...circle });
    const rule = {
      alertType: "speeding",
      enabled: true,
      severity: null,
      parameters: {},
      geofenceIds: [data.geofence_id],
    };
    const rules = JSON.stringify([rule]);
    const { account_id } = accounts.acme;
    await store.database.transaction(async (tx) => {
      await tx.run(sql`insert into rule_versions (account_id, tag, valid_from, rules_json, created_at)
        values (${account_id}, 'cold', 0, ${rules}, 0), (${account_id}, '', 0, ${rules}, 0)`);
      await tx.run(sql`insert into alert_settings_versions (account_id, device, valid_from, rules_json, created_at)
        values (${account_id}, ${devices.spare.device}, 9000000000000, ${rules}, 0)`);
    });
    const { body } = await owner.get(`${path}/${data.geofence_id}`);
    expect(body.data.rules).toEqual([
      { id: "all", name: null },
      { id: "tag:cold", name: null },
      { id: devices.spare.id, name: "Elm spare" },
    ]);
  });
});
