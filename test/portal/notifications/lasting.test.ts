import { expect, test } from "bun:test";
import { join } from "node:path";
import { logDeviceChange } from "../../../src/store/changes/change-writes.ts";
import { type Sql, sql } from "../../../src/store/sql.ts";
import { onEachEngine } from "../../support/engines.ts";
import { straightDrive } from "../../support/ingest-drive.ts";
import { home, vanImei } from "../../support/ingest-fleet.ts";
import { freePort } from "../../support/ingest-server.ts";
import { startMailServer } from "../../support/mail-server.ts";
import { annId, notifiedFleet, olgaId } from "../../support/notified-fleet.ts";
import { until } from "../../support/patience.ts";

const minuteMs = 60_000;

interface AlertPlace {
  readonly account_id: number;
  readonly device: number;
  readonly occurred_at: number;
}

onEachEngine("notifications that last", (engine) => {
  test("a late frame that moves the beginning of an alert is no second mail", async () => {
    const { choose, store, node, clock, database } = await notifiedFleet(engine);
    const server = await startMailServer();
    const first = node(server.port);
    await choose(olgaId, { wanted: { alertTypes: ["speeding"] } });
    const fast = straightDrive({ imei: vanImei, from: home, beginAt: clock.now, minutes: 10, kmh: 100 });
    const ids = async () => (await database.all<{ id: string }>(sql`select id from alerts`)).map(({ id }) => id);
    await store(fast.slice(20));
    clock.now = fast.at(-1)?.receivedAt ?? clock.now;
    await until(() => server.received.length === 1);
    const before = await ids();
    const receivedAt = clock.now + 1_000;
    await store(fast.slice(0, 20).map((frame) => ({ ...frame, receivedAt })));
    await first.settled();
    expect((await ids()).join()).not.toBe(before.join());
    expect(server.received.length).toBe(1);
    await first.stop();
    await server.close();
  });

  test("two nodes send each mail once, and one goes on where the other ended", async () => {
    const { choose, report, node, open, clock, database } = await notifiedFleet(engine);
    const server = await startMailServer();
    await choose(olgaId);
    const first = node(server.port);
    const second = node(server.port, {}, await open());
    const sent = sql`select id from notification_mails where state = 'sent'`;
    for (let count = 1; count <= 4; count++) {
      clock.now += 2 * minuteMs;
      await report("sos");
      // Noted, too: two minutes later the other node may take over what the first is still at.
      await until(async () => (await database.all(sent)).length >= count);
      if (count === 2) await first.stop();
    }
    await second.settled();
    expect(server.received.length).toBe(4);
    await second.stop();
    await server.close();
  });

  test("a mail server that is down delays, and nothing is lost", async () => {
    const { choose, report, node, clock } = await notifiedFleet(engine);
    const port = await freePort();
    await choose(olgaId);
    const first = node(port);
    await report("sos");
    await until(() => first.seen.some(({ kind }) => kind === "notifications_delayed"));
    await first.stop();
    clock.now += 2 * minuteMs;
    await report("crash");
    const server = await startMailServer();
    const second = node(server.port);
    await until(() => server.received.length === 2);
    await second.settled();
    expect(server.received.map(({ text }) => /Subject: (.*)\r/.exec(text)?.[1]).sort()).toEqual([
      "Crash: Van (AC ME 1)",
      "SOS: Van (AC ME 1)",
    ]);
    await second.stop();
    await server.close();
  });

  test("what came while the server was down is one mail more, not one for each alert", async () => {
    const { choose, report, node, clock, database } = await notifiedFleet(engine);
    await choose(olgaId);
    const down = node(await freePort());
    for (let hour = 0; hour < 3; hour++) {
      await report("sos");
      if (hour === 0) await until(() => down.seen.some(({ kind }) => kind === "notifications_delayed"));
      await down.settled();
      clock.now += 60 * minuteMs;
    }
    await down.stop();
    expect((await database.all(sql`select 1 from notification_mails`)).length).toBe(1);
    const server = await startMailServer();
    const second = node(server.port);
    await until(() => server.received.length === 2);
    await second.settled();
    expect(server.received.map(({ text }) => /Subject: (.*)\r/.exec(text)?.[1]).sort()).toEqual([
      "2 alerts: Acme",
      "SOS: Van (AC ME 1)",
    ]);
    await second.stop();
    await server.close();
  });

  test("a mail at which the server falls silent keeps no other waiting", async () => {
    const { choose, report, node, clock, database } = await notifiedFleet(engine);
    const server = await startMailServer({ silentAt: ["olga@acme.test"] });
    await choose(olgaId);
    await report("sos");
    const first = node(server.port, { mail: { stepMs: 500, waitMs: 2_000 } });
    const attempts = async () =>
      (await database.get<{ attempts: number }>(sql`select attempts from notification_mails`))?.attempts;
    await until(async () => (await attempts()) === 1);
    clock.now += minuteMs / 2;
    await choose(annId);
    await report("crash");
    await until(() => server.received.length === 1);
    expect(server.received[0]?.to).toEqual(["ann@acme.test"]);
    expect(first.seen.some(({ kind }) => kind === "notifications_delayed")).toBe(false);
    await first.stop();
    await server.close();
  });

  test("a mail that the server takes only later is sent when it does, also after days", async () => {
    const { choose, report, node, clock, database } = await notifiedFleet(engine);
    let answer = 450;
    const server = await startMailServer({ refused: ["olga@acme.test"], refusal: () => answer });
    const first = node(server.port);
    await choose(olgaId);
    await report("sos");
    const mail = () =>
      database.get<{ attempts: number; state: string; problem: string }>(
        sql`select attempts, state, problem from notification_mails`,
      );
    for (let attempts = 1; attempts <= 12; attempts++) {
      await until(async () => (await mail())?.attempts === attempts);
      clock.now += 6 * 60 * minuteMs;
    }
    expect(await mail()).toMatchObject({ state: "waiting", problem: "deferred" });
    answer = 250;
    clock.now += 6 * 60 * minuteMs;
    await until(() => server.received.length === 1);
    await first.settled();
    expect((await mail())?.state).toBe("sent");
    await first.stop();
    await server.close();
  });

  test("what a mail left out is news again: an alert that returns, and the true end of one that went on", async () => {
    const { choose, report, node, clock, database } = await notifiedFleet(engine);
    const server = await startMailServer();
    const first = node(server.port);
    await choose(olgaId, { pacing: "hour", tells_end: true });
    await report("sos");
    await first.settled();
    const { account_id, device, occurred_at } = (await database.get<AlertPlace>(
      sql`select account_id, device, occurred_at from alerts`,
    )) as AlertPlace;
    const change = (what: Sql) =>
      database.transaction(async (tx) => {
        await tx.run(sql`update alerts set ${what} where account_id = ${account_id}`);
        await logDeviceChange(tx, { accountId: account_id, device }, (log) => log.add("alert", occurred_at), clock.now);
      });
    const anHourLater = async () => {
      await first.settled();
      clock.now += 60 * minuteMs;
      await first.settled();
    };
    await change(sql`withdrawn = ${true}`);
    await anHourLater();
    expect(server.received.length).toBe(0);
    await change(sql`withdrawn = ${false}, ended_at = null`);
    await anHourLater();
    expect(server.received.length).toBe(1);
    await change(sql`ended_at = ${occurred_at + 1_000}`);
    await first.settled();
    await change(sql`ended_at = null`);
    await anHourLater();
    expect(server.received.length).toBe(1);
    await change(sql`ended_at = ${occurred_at + 2_000}`);
    await anHourLater();
    expect(server.received.length).toBe(2);
    expect(server.received[1]?.text).toContain("Subject: Ended: SOS: Van (AC ME 1)");
    await first.stop();
    await server.close();
  });

  test("an end that the first mail tells, because the server was down, is no second mail", async () => {
    const { choose, store, node, clock, database } = await notifiedFleet(engine);
    const down = node(await freePort());
    await choose(olgaId, { wanted: { alertTypes: ["speeding"] }, tells_end: true });
    const fast = straightDrive({ imei: vanImei, from: home, beginAt: clock.now, minutes: 5, kmh: 100 });
    await store(fast);
    clock.now = fast.at(-1)?.receivedAt ?? clock.now;
    await until(() => down.seen.some(({ kind }) => kind === "notifications_delayed"));
    const at = clock.now + 10_000;
    await store(straightDrive({ imei: vanImei, from: home, beginAt: at, minutes: 10, kmh: 20 }));
    clock.now = at + 10 * minuteMs;
    const mails = () => database.all<{ state: string }>(sql`select state from notification_mails order by state`);
    await until(async () => (await database.all(sql`select 1 from notification_items`)).length === 2);
    await down.stop();
    const server = await startMailServer();
    const second = node(server.port);
    await until(async () => (await mails()).filter(({ state }) => state !== "waiting").length === 2);
    expect(await mails()).toEqual([{ state: "empty" }, { state: "sent" }]);
    expect(server.received.length).toBe(1);
    expect(server.received[0]?.text).toContain("Ended:");
    await second.stop();
    await server.close();
  });

  test("a node that is killed between sending and noting costs one repeat, with the same Message-ID", async () => {
    const { choose, report, node, clock, target, database } = await notifiedFleet(engine);
    let killed: (() => void) | null = null;
    const server = await startMailServer({
      beforeAnswer: async () => {
        killed?.();
        killed = null;
      },
    });
    await choose(olgaId);
    await report("sos");
    const script = join(import.meta.dir, "../../support/notifier-process.ts");
    const doomed = Bun.spawn([process.execPath, script, JSON.stringify(target), String(server.port)], {
      stdout: "inherit",
      stderr: "inherit",
    });
    killed = () => doomed.kill("SIGKILL");
    await doomed.exited;
    expect(server.received.length).toBe(1);
    const [mail] = await database.all<{ state: string }>(sql`select state from notification_mails`);
    expect(mail?.state).toBe("waiting");
    clock.now = Date.now() + minuteMs;
    const second = node(server.port);
    await until(() => server.received.length === 2);
    await second.settled();
    await second.stop();
    const third = node(server.port);
    await third.settled();
    const ids = server.received.map(({ text }) => /Message-ID: (.*)\r/.exec(text)?.[1]);
    expect(ids.length).toBe(2);
    expect(ids[0]).toBe(ids[1] ?? "");
    expect(ids[0]).toMatch(/^<[\w-]{36}@acme\.example>$/);
    await third.stop();
    await server.close();
  });
});
