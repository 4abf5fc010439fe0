import { expect, test } from "bun:test";
import { markDirty } from "../../../src/store/facts/folds.ts";
import { growFleetRevision } from "../../../src/store/fleet/fleet-context.ts";
import { forgetItems } from "../../../src/store/notifications/items.ts";
import { sql } from "../../../src/store/sql.ts";
import { storedAlerts } from "../../support/acknowledged-alerts.ts";
import { type EngineUnderTest, onEachEngine } from "../../support/engines.ts";
import { type FleetRecord, hourMs, load } from "../../support/fleet.ts";
import { straightDrive } from "../../support/ingest-drive.ts";
import { alertSettings, fences, home, vanImei } from "../../support/ingest-fleet.ts";
import { accountNumber, newWriter } from "../../support/ingest-node.ts";
import { startMailServer } from "../../support/mail-server.ts";
import { notifiedFleet, olgaId } from "../../support/notified-fleet.ts";
import { until } from "../../support/patience.ts";

const exitOf = (fence: { readonly id: string }) => ({
  ...alertSettings,
  rules: [{ alert_type: "geofence_exit", geofence_ids: [fence.id] }],
});

/** The van has left the town, and one mail said so. */
async function mailedFleet(engine: EngineUnderTest) {
  const fleet = await notifiedFleet(engine);
  const { choose, store, node, clock, database } = fleet;
  const validFrom = new Date(clock.now - hourMs).toISOString();
  const account = await accountNumber(database);
  const edit = async (...records: FleetRecord[]) => {
    clock.now += 1_000;
    await load(
      database,
      records.map((record) => ({ ...record, valid_from: validFrom })),
      clock.now,
    );
    await database.transaction(async (tx) => {
      await growFleetRevision(tx, [account]);
      const devices = await tx.all<{ device: number }>(
        sql`select device from device_folds where account_id = ${account}`,
      );
      const folded = devices.map(({ device }) => device);
      await markDirty(tx, account, folded, 0);
    });
    await newWriter(database).schedule.deriveLeft();
  };
  await edit(exitOf(fences.town));
  const server = await startMailServer();
  const notifier = node(server.port);
  await choose(olgaId, { wanted: { alertTypes: ["geofence_exit"] } });
  const drive = straightDrive({ imei: vanImei, from: home, beginAt: clock.now, minutes: 5, kmh: 60 });
  clock.now = drive.at(-1)?.receivedAt ?? clock.now;
  await store(drive);
  await until(() => server.received.length === 1);
  await until(
    async () => (await database.get(sql`select 1 as sent from notification_mails where state = 'sent'`)) !== null,
  );
  const exits = async () => (await storedAlerts(database)).filter(({ alert_type }) => alert_type === "geofence_exit");
  const close = async () => {
    await notifier.stop();
    await server.close();
  };
  return { ...fleet, account, edit, server, notifier, exits, close };
}

onEachEngine("what was mailed of an alert that went", (engine) => {
  test("is not mailed again of the one that comes in its place, at once or later", async () => {
    const { edit, exits, server, notifier, close } = await mailedFleet(engine);
    const ids = new Set((await exits()).map(({ id }) => id));
    await edit({ ...fences.town, radius_m: 2_050 });
    await notifier.settled();
    for (const { id } of await exits()) ids.add(id);
    await edit({ ...alertSettings, rules: [] });
    expect((await exits()).map(({ withdrawn }) => withdrawn)).toEqual([true]);
    await notifier.settled();
    await edit({ ...fences.town, radius_m: 2_100 }, exitOf(fences.town));
    await notifier.settled();
    const [alert, ...others] = await exits();
    expect([alert?.withdrawn, others]).toEqual([false, []]);
    ids.add(alert?.id ?? "");
    expect(ids.size).toBe(3);
    expect(server.received.length).toBe(1);
    await close();
  });

  test("says nothing of another fence that was left at the time", async () => {
    const { edit, exits, server, close } = await mailedFleet(engine);
    await edit(exitOf(fences.road));
    expect((await exits()).filter(({ withdrawn }) => !withdrawn).length).toBe(1);
    await until(() => server.received.length === 2);
    await close();
  });

  test("keeps the withdrawn alert stored as long as it is remembered, and no longer", async () => {
    const { edit, exits, database, account, clock, close } = await mailedFleet(engine);
    await edit({ ...alertSettings, rules: [] });
    const forget = (before: number) => database.transaction((tx) => forgetItems(tx, account, before));
    await forget(0);
    expect((await exits()).length).toBe(1);
    await forget(clock.now + hourMs);
    expect(await exits()).toEqual([]);
    await close();
  });
});
