import { beforeAll, expect, test } from "bun:test";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { load, smallFleet } from "../support/fleet.ts";
import { lastingRows } from "../support/lasting-rows.ts";
import { onOneEngine } from "../support/one-engine.ts";
import { until } from "../support/patience.ts";
import { sharedPortal } from "../support/portal.ts";
import { fleetWithOwner, startPortalProgram } from "../support/portal-program.ts";

onEachEngine("the account in the portal", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });

  // The world of these tests has limits beyond those of a fleet file.
  beforeAll(async () => {
    const { database } = given().store;
    await database.transaction((tx) => tx.run(sql`update accounts set limit_per_second = 50, limit_per_day = 1000`));
  });

  test("is shown with its limits, and its owner changes name and time zone", async () => {
    const { signIn, accounts, store } = given();
    const olga = await signIn("olga@acme.example");
    const before = (await olga.get("/fleet/account")).body.data;
    expect(before).toEqual({
      id: accounts.acme.id,
      name: "Acme",
      status: "active",
      limits: { per_second: 50, per_day: 1000 },
      time_zone: "UTC",
      revision: 1,
      managed_by: "file",
      is_made_here: false,
    });

    const stored = await lastingRows(store.database);
    const wanted = { revision: 1, fields: { time_zone: "america/sao_paulo" } };
    const preview = await olga.change("PUT", "/fleet/account?preview=true", wanted);
    expect(preview.status).toBe(200);
    const { derived_again } = preview.body.data.effect;
    expect(derived_again).toMatchObject({ vehicles: 5, from: null });
    expect(derived_again.trips).toBeGreaterThan(0);
    expect(await lastingRows(store.database)).toEqual(stored);

    const changed = await olga.change("PUT", "/fleet/account", wanted);
    expect([changed.status, changed.body.effect]).toEqual([200, preview.body.data.effect]);
    expect(changed.body.data).toEqual({
      ...before,
      time_zone: "America/Sao_Paulo",
      revision: 2,
      managed_by: "portal",
      is_made_here: false,
    });
    expect((await olga.get("/session")).body.account.time_zone).toBe("America/Sao_Paulo");

    const renamed = await olga.change("PUT", "/fleet/account", { revision: 2, fields: { name: "  Acme & Sons " } });
    expect([renamed.status, renamed.body.data.name, renamed.body.data.revision]).toEqual([200, "Acme & Sons", 3]);
    expect(renamed.body.effect.derived_again.vehicles).toBe(0);
    const log = (await olga.get("/fleet/log?kind=account")).body.data;
    expect(log.map(({ action, details }: Record<string, unknown>) => [action, details])).toEqual([
      ["account.changed", { fields: ["name"] }],
      ["account.changed", { fields: ["time_zone"], from: ["UTC"], to: ["America/Sao_Paulo"] }],
    ]);
    await olga.change("PUT", "/fleet/account", { revision: 3, fields: { name: "Acme", time_zone: "UTC" } });
  });

  test("refuses what only the people who run the server may set, and what is wrong, and stores nothing", async () => {
    const { signIn, store } = given();
    const olga = await signIn("olga@acme.example");
    const { revision } = (await olga.get("/fleet/account")).body.data;
    const before = await lastingRows(store.database);
    const refused: [object, string[]][] = [
      [{ limits: { per_second: 9, per_day: 9 } }, ["limits"]],
      [{ status: "suspended", name: "Acme" }, ["status"]],
      [{ id: "00000000-0000-4000-8000-000000000000" }, ["id"]],
      [{ name: "" }, ["name"]],
      [{ name: "x".repeat(201) }, ["name"]],
      [{ time_zone: "+02:00" }, ["time_zone"]],
      [{ time_zone: 7 }, ["time_zone"]],
    ];
    for (const [fields, names] of refused) {
      const { status, body } = await olga.change("PUT", "/fleet/account", { revision, fields });
      expect([fields, status, Object.keys(body.error.fields ?? {})]).toEqual([fields, 400, names]);
    }
    for (const body of [{}, { fields: {} }, { revision: "1", fields: {} }, { revision }])
      expect((await olga.change("PUT", "/fleet/account", body)).status).toBe(400);
    expect(await lastingRows(store.database)).toEqual(before);
  });
});

onOneEngine("the account's time zone", (engine) => {
  test("changed in the portal makes the days of mileage again, without anybody's help", async () => {
    const { database, env } = await engine.fresh();
    await load(database, Object.values(fleetWithOwner));
    const { program, call } = await startPortalProgram(env);
    try {
      // A drive in the last hour of yesterday, in UTC.
      const midnight = Math.floor(Date.now() / 86_400_000) * 86_400_000;
      const frames = Array.from({ length: 31 }, (_, minute) => ({
        imei: smallFleet.van.imei,
        recorded_at: new Date(midnight - 3_600_000 + minute * 60_000).toISOString(),
        latitude: 52.5 + minute * 0.005,
        longitude: 13.4,
        speed_kmh: 33,
        ignition: true,
      }));
      const { token, ingest } = await call("POST", "/fleet/tokens", { name: "Gateway" });
      const headers = { Authorization: `Bearer ${token}` };
      const sent = await fetch(`${ingest.url}/frames`, { method: "POST", headers, body: JSON.stringify(frames) });
      expect(await sent.json()).toMatchObject({ accepted: 31 });
      const date = (at: number) => new Date(at).toISOString().slice(0, 10);
      const [yesterday, today] = [date(midnight - 1), date(midnight)];
      const query = `imei=${smallFleet.van.imei}&from=${yesterday}&to=${date(midnight + 2 * 86_400_000)}`;
      const drivenOn = async () => {
        const { data = [] } = await call("GET", `/data/reports/mileage?${query}`);
        return data
          .filter((row: { distance_km: number }) => row.distance_km > 1)
          .map((row: { date: string }) => row.date);
      };
      await until(async () => (await drivenOn()).length > 0);
      expect(await drivenOn()).toEqual([yesterday]);
      const { data } = await call("GET", "/fleet/account");
      const changed = await call("PUT", "/fleet/account", {
        revision: data.revision,
        fields: { time_zone: "Asia/Tokyo" },
      });
      expect(changed.effect.derived_again.vehicles).toBeGreaterThan(0);
      await until(async () => JSON.stringify(await drivenOn()) === JSON.stringify([today]));
    } finally {
      await program.stop();
    }
  });
});
