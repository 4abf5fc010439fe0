import { expect, test } from "bun:test";
import { alertCatalogue } from "../../../src/domain/alert-types.ts";
import type { AlertRule } from "../../../src/domain/fleet.ts";
import { saveRuleVersions } from "../../../src/store/fleet/rule-versions.ts";
import { sql } from "../../../src/store/sql.ts";
import { describeRoute } from "../../support/route-suite.ts";
import { noon } from "../../support/seed-rows.ts";

/** Of every type, with what it goes by. */
const parametersByDefault: Readonly<Record<string, object>> = {
  idling: { after_s: 600 },
  low_battery: { below_percent: 20 },
  low_external_voltage: { below_v: 11.5, nominal_v: 12 },
  tyre_temperature_high: { above_c: 85 },
  gps_lost: { after_s: 900 },
  device_offline: { after_s: 86400 },
};
const raisedBySettingsOnly = [
  ...["speeding", "geofence_enter", "geofence_exit", "temperature_high", "temperature_low", "tyre_pressure_low"],
  "unauthorised_movement",
];
const defaults = Object.entries(alertCatalogue).map(([alert_type, { severity }]) => ({
  alert_type,
  source: "default",
  set_for: null,
  tag: null,
  enabled: !raisedBySettingsOnly.includes(alert_type),
  severity,
  parameters: parametersByDefault[alert_type] ?? {},
  geofence_ids: [],
}));

describeRoute("getDeviceAlertSettings", (world) => {
  test("answers with the rules in force, each with the severity that holds", async () => {
    const { van } = world().devices;
    const { depot } = world().fences;
    const rule = {
      alert_type: "speeding",
      source: "set",
      set_for: "device",
      tag: null,
      enabled: true,
      severity: "warning",
      parameters: { limit_kmh: 80 },
      geofence_ids: [depot.id],
    };
    for (const viewer of ["olga", "anna"] as const) {
      expect((await world().get(`/devices/${van.id}/alert-settings`, viewer)).body).toEqual({
        data: {
          device_id: van.id,
          imei: van.imei,
          // It is set for one fence, so elsewhere the default holds.
          rules: [...defaults, rule],
          updated_at: "2026-06-15T12:00:00.000Z",
        },
      });
    }
  });

  test("has the defaults for a device that no rules were set for", async () => {
    const { spare } = world().devices;
    expect((await world().get(`/devices/${spare.imei}/alert-settings`, "ben")).body).toEqual({
      data: { device_id: spare.id, imei: spare.imei, rules: defaults, updated_at: null },
    });
  });

  test("has all of several rules of a type, and no default that one of them replaces everywhere", async () => {
    const { seed, store, devices, fences } = world();
    const rule = (limit_kmh: number, ...geofenceIds: string[]): AlertRule => {
      return { alertType: "speeding", enabled: true, severity: null, parameters: { limit_kmh }, geofenceIds };
    };
    const rules = [rule(90), rule(30, fences.depot.id), rule(50, fences.harbour.id)];
    seed.alertSettings(devices.car, rules, noon + 1);
    await seed.save(store.database);
    const { data } = (await world().get(`/devices/${devices.car.id}/alert-settings`, "olga")).body;
    const shown = data.rules as { alert_type: string; source: string; parameters: unknown }[];
    expect(shown.filter(({ alert_type }) => alert_type === "speeding")).toMatchObject([
      { source: "set", parameters: { limit_kmh: 90 }, geofence_ids: [] },
      { source: "set", parameters: { limit_kmh: 30 }, geofence_ids: [fences.depot.id] },
      { source: "set", parameters: { limit_kmh: 50 }, geofence_ids: [fences.harbour.id] },
    ]);
    expect(shown.filter(({ source }) => source === "default")).toEqual(
      defaults.filter(({ alert_type }) => alert_type !== "speeding"),
    );
  });

  test("leaves out a rule whose fences a sub-account cannot see, and names of another those that it sees", async () => {
    const { seed, store, devices, fences } = world();
    const { depot, harbour, nobodys } = fences;
    const rule = (alertType: "speeding" | "idling" | "sos", ...geofenceIds: string[]): AlertRule => {
      return { alertType, enabled: true, severity: null, parameters: {}, geofenceIds };
    };
    const rules = [rule("speeding", depot.id, harbour.id), rule("idling", nobodys.id), rule("sos")];
    seed.alertSettings(devices.truck, rules, noon + 1);
    await seed.save(store.database);
    for (const [viewer, shown] of [
      [
        "olga",
        [
          ["speeding", [depot.id, harbour.id]],
          ["idling", [nobodys.id]],
          ["sos", []],
        ],
      ],
      [
        "anna",
        [
          ["speeding", [depot.id]],
          ["sos", []],
        ],
      ],
      [
        "ben",
        [
          ["speeding", [harbour.id]],
          ["sos", []],
        ],
      ],
    ] as const) {
      const { body } = await world().get(`/devices/${devices.truck.id}/alert-settings`, viewer);
      const { data } = body as { data: { rules: { alert_type: string; source: string; geofence_ids: string[] }[] } };
      const set = data.rules.filter(({ source }) => source === "set");
      expect(set.map(({ alert_type, geofence_ids }) => [alert_type, geofence_ids])).toEqual(shown as never);
    }
  });

  test("has rules of a tag where the device has none, and hides those whose fences a sub-account cannot see", async () => {
    const { store, devices, fences, accounts } = world();
    const { spare } = devices;
    const rule = (alertType: "speeding" | "idling" | "towing", ...geofenceIds: string[]): AlertRule => {
      return { alertType, enabled: true, severity: null, parameters: {}, geofenceIds };
    };
    const { account_id } = accounts.acme;
    const version = { account_id, valid_from: 0, created_at: noon + 5 };
    await store.database.transaction(async (tx) => {
      await tx.run(sql`update devices set tags_json = '["cold"]' where id = ${spare.id}`);
      const ofTag = JSON.stringify([rule("speeding", fences.depot.id), rule("idling")]);
      const ofAll = JSON.stringify([rule("idling"), rule("towing")]);
      await saveRuleVersions(tx, [
        { ...version, tag: "cold", rules_json: ofTag },
        { ...version, tag: "", rules_json: ofAll },
      ]);
    });
    const set = async (viewer: "olga" | "ben") => {
      const { data } = (await world().get(`/devices/${spare.id}/alert-settings`, viewer)).body;
      expect(data.updated_at).toBe(new Date(noon + 5).toISOString());
      return (data.rules as { alert_type: string; source: string; set_for: string; tag: string | null }[])
        .filter(({ source }) => source === "set")
        .map(({ alert_type, set_for, tag }) => [alert_type, set_for, tag]);
    };
    expect(await set("olga")).toEqual([
      ["towing", "account", null],
      ["speeding", "tag", "cold"],
      ["idling", "tag", "cold"],
    ]);
    expect(await set("ben")).toEqual([
      ["towing", "account", null],
      ["idling", "tag", "cold"],
    ]);
  });
});
