import { expect, test } from "bun:test";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { type FleetRecord, fleetText, load, smallFleet } from "../support/fleet.ts";
import { frameLine } from "../support/frame-lines.ts";
import { take } from "../support/ingest-node.ts";
import { noReport } from "../support/random-drive.ts";
import { complaint, output } from "./outcome.ts";

const { olga, ann, bob, rita, van } = smallFleet;
const morning = Date.UTC(2026, 1, 2, 8);

function frameAt(second: number, fields: Partial<IncomingFrame>): IncomingFrame {
  const at = morning + second * 1000;
  const place = { latitude: 52.5 + second * 0.00025, longitude: 13.4 };
  return { ...noReport, ...place, imei: van.imei, recordedAt: at, receivedAt: at, ignition: true, ...fields };
}

/** The van drives too fast: over the limit, with a frame every 20 s. */
const speeding: FleetRecord = {
  type: "alert_settings",
  device_id: van.id,
  rules: [{ alert_type: "speeding", parameters: { limit_kmh: 80 } }],
};
const drive = [0, 20, 40, 60, 80].map((second) => frameAt(second, { speed_kmh: 100 }));
/** Frames between them that are slow: with these it never was too fast for ten seconds. */
const slowBetween = [4, 24, 44, 64, 84].flatMap((second) => [
  frameAt(second, { speed_kmh: 79 }),
  frameAt(second + 8, { speed_kmh: 79 }),
]);

interface Alert {
  readonly id: string;
  readonly withdrawn: boolean;
  readonly acknowledged_by: string | null;
  readonly acknowledged_at: number | null;
}

async function alertsOf(database: Database): Promise<Alert[]> {
  const rows = await database.all<Alert>(sql`
    select r.id, r.withdrawn, k.acknowledged_by, k.acknowledged_at from alerts r
    left join alert_acknowledgements k on k.account_id = r.account_id and k.alert_id = r.id
    where r.alert_type = 'speeding' order by r.occurred_at`);
  return Array.from(rows, (row) => ({ ...row, withdrawn: Boolean(row.withdrawn) }));
}

async function speedingVan(database: Database): Promise<string> {
  await load(database, [...Object.values(smallFleet).filter((record) => record.type !== "alert_settings"), speeding]);
  await take(database, [drive]);
  const [alert, ...others] = await alertsOf(database);
  expect(others).toEqual([]);
  expect(alert?.acknowledged_by).toBeNull();
  return alert?.id ?? "";
}

onEachEngine("odograph alerts acknowledge", (engine) => {
  test("notes who has seen to an alert, once", async () => {
    const store = await engine.fresh();
    const id = await speedingVan(store.database);
    const call = ["alerts", "acknowledge", id, "--user"];
    expect(await output([...call, ann.email.toUpperCase()], store)).toBe(
      `acknowledged ${id} (speeding of ${van.imei})\n`,
    );
    const before = await alertsOf(store.database);
    expect(before).toMatchObject([{ id, acknowledged_by: ann.id }]);
    expect(await output([...call, olga.email], store)).toMatch(
      new RegExp(`^${id} was acknowledged already, by ${ann.email} at \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\dZ\\n$`),
    );
    const json = JSON.parse(await output([...call, olga.email, "--json"], store));
    expect(json).toEqual({
      alert_id: id,
      alert_type: "speeding",
      imei: van.imei,
      acknowledged_at: new Date(before[0]?.acknowledged_at ?? 0).toISOString(),
      acknowledged_by: ann.id,
      user: ann.email,
      changed: false,
    });
    expect(await alertsOf(store.database)).toEqual(before);
  });

  test("is for those who see the device, and who may sign in", async () => {
    const store = await engine.fresh();
    const id = await speedingVan(store.database);
    const other = "0b5f1c1e-0000-4000-8000-00000000ffff";
    await load(store.database, [{ ...olga, status: "disabled" }]);
    const refused: [string, string, string][] = [
      [id, bob.email, `${bob.email} sees no alert with the id ${id}`],
      [id, rita.email, `${rita.email} sees no alert with the id ${id}`],
      [other, ann.email, `${ann.email} sees no alert with the id ${other}`],
      [id, olga.email, `the user ${olga.email} is disabled`],
      [id, "nobody@acme.test", "there is no user with the e-mail nobody@acme.test"],
    ];
    for (const [alertId, email, message] of refused) {
      expect(await complaint(["alerts", "acknowledge", alertId, "--user", email], 1, store)).toBe(message);
    }
    expect(await complaint(["alerts", "acknowledge", "7", "--user", ann.email], 2, store)).toContain(
      "ID: expected a UUID",
    );
    expect(await alertsOf(store.database)).toMatchObject([{ acknowledged_by: null }]);
  });

  test("survives deriving again, and an alert that vanishes and comes back", async () => {
    const store = await engine.fresh();
    const { database } = store;
    const id = await speedingVan(database);
    await output(["alerts", "acknowledge", id, "--user", ann.email], store);
    const acknowledged = await alertsOf(database);
    expect(await output(["rederive"], store)).toContain("nothing changed");
    expect(await alertsOf(database)).toEqual(acknowledged);

    await take(database, [slowBetween]);
    expect(await alertsOf(database)).toEqual(acknowledged.map((alert) => ({ ...alert, withdrawn: true })));
    expect(await output(["rederive"], store)).toContain("nothing changed");

    // With a lower limit for all time, the slow frames are too fast, too: the same alert follows again.
    const lower = { ...speeding, rules: [{ alert_type: "speeding", parameters: { limit_kmh: 60 } }] };
    const file = fleetText([{ ...lower, valid_from: "2026-01-01T00:00:00Z" }, ...slowBetween.map(frameLine)]);
    await output(["load", "-"], { env: store.env, input: file });
    expect(await alertsOf(database)).toEqual(acknowledged);
  });
});
