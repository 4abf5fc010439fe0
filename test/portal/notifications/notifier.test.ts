import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { sql } from "../../../src/store/sql.ts";
import { onEachEngine } from "../../support/engines.ts";
import { uuid } from "../../support/fleet.ts";
import { carImei, truckImei, vanImei } from "../../support/ingest-fleet.ts";
import { type MailServer, startMailServer } from "../../support/mail-server.ts";
import { annId, bobId, type NotifyingNode, notifiedFleet, olgaId, publicUrl } from "../../support/notified-fleet.ts";
import { until } from "../../support/patience.ts";

const hourMs = 3_600_000;
const subjectOf = (text = "") => /Subject: (.*)\r/.exec(text)?.[1];

onEachEngine("notifications", (engine) => {
  let server: MailServer;
  const nodes: NotifyingNode[] = [];
  beforeAll(async () => {
    server = await startMailServer({ refused: ["bob@acme.test"] });
  });
  afterEach(() => Promise.all(nodes.splice(0).map((node) => node.stop())));
  afterAll(() => server.close());
  const started = async () => {
    const fleet = await notifiedFleet(engine);
    const before = server.received.length;
    const node = fleet.node(server.port);
    nodes.push(node);
    const mails = () => server.received.slice(before);
    return { ...fleet, first: node, mails, mailed: (count: number) => until(() => mails().length >= count) };
  };

  test("an alert is one mail to who chose it, as text and HTML, with its place and a way to its moment", async () => {
    const { choose, report, mails, mailed, first, clock } = await started();
    const choice = await choose(olgaId, { wanted: { alertTypes: ["sos"] } });
    await report("sos");
    await mailed(1);
    await report("sos");
    await report("harsh_braking");
    await first.settled();
    expect(mails().length).toBe(1);
    const { text, to } = mails()[0] as (typeof server.received)[number];
    expect(to).toEqual(["olga@acme.test"]);
    expect(text).toContain("Subject: SOS: Van (AC ME 1)");
    for (const part of ["text/plain", "text/html", "Critical", "The panic button was pressed", "Place: "]) {
      expect(text).toContain(part);
    }
    const day = new Date(clock.now).toISOString().slice(0, 10);
    expect(text).toContain(`${publicUrl}/portal/map/${uuid(21)}?day=${day}&at=${day}T`);
    expect(text).toMatch(/List-Unsubscribe:\s+<https:\/\/fleet\.example\/portal\/unsubscribe\?t/);
    expect(text).toMatch(/https:\/\/fleet\.example\/portal\/unsubscribe\?t=[\w-]{64}\r/);
    expect(text).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    expect(text).not.toMatch(/<img|src=|http:\/\//);
    expect(text).not.toContain(choice);
  });

  test("a person is mailed only of what they see at the moment of sending", async () => {
    const { choose, report, mails, mailed, first, database, clock } = await started();
    await choose(annId);
    await choose(annId, { pacing: "hour" });
    await report("sos", { imei: carImei });
    await report("sos", { imei: truckImei });
    await mailed(1);
    await first.settled();
    expect(mails().map(({ text }) => subjectOf(text))).toEqual(["SOS: Truck (AC ME 2)"]);
    // Gathered, and out of sight before it is sent.
    await database.transaction((tx) =>
      tx.run(sql`delete from notification_choices where pacing = 'at_once' and user_id = ${annId}`),
    );
    await report("crash", { imei: vanImei });
    await first.settled();
    await database.transaction((tx) => tx.run(sql`delete from assignments where user_id = ${annId}`));
    clock.now += hourMs;
    await first.settled();
    expect(mails().length).toBe(1);
  });

  test("nobody is mailed who has stopped it, is disabled, or whose account is suspended", async () => {
    const { choose, report, mails, mailed, first, database } = await started();
    await choose(annId);
    await choose(olgaId, { stopped_at: 1 });
    await choose(bobId);
    await database.transaction((tx) => tx.run(sql`update users set status = 'disabled' where id = ${bobId}`));
    await report("sos", { imei: truckImei });
    await mailed(1);
    await first.settled();
    expect(mails().map(({ to }) => to[0])).toEqual(["ann@acme.test"]);
    await database.transaction((tx) => tx.run(sql`update accounts set status = 'suspended'`));
    await report("crash", { imei: truckImei });
    await first.settled();
    expect(mails().length).toBe(1);
  });

  test("what is gathered comes in one mail, late facts and what quiet hours held among it", async () => {
    const { choose, report, mails, mailed, first, clock } = await started();
    clock.now = Math.ceil(clock.now / hourMs) * hourMs + 60_000;
    const since = clock.now - 60_000;
    await choose(olgaId, { pacing: "quarter_hour", since });
    await choose(annId, { since });
    await report("sos");
    await report("crash");
    // An hour and more late for the others, too.
    await report("power_cut", { agoMs: 3 * hourMs });
    await mailed(1);
    await first.settled();
    const atOnce = mails();
    expect(new Set(atOnce.map(({ to }) => to[0]))).toEqual(new Set(["ann@acme.test"]));
    expect(atOnce.map(({ text }) => text).join()).not.toContain("Power cut");
    clock.now += 15 * 60_000;
    await mailed(atOnce.length + 1);
    const gathered = mails()[atOnce.length];
    expect(gathered?.to).toEqual(["olga@acme.test"]);
    expect(gathered?.text).toContain("Subject: 3 alerts: Acme");
    clock.now += hourMs;
    await mailed(atOnce.length + 2);
    const late = mails()[atOnce.length + 1];
    expect([late?.to[0], subjectOf(late?.text)]).toEqual(["ann@acme.test", "Power cut: Van (AC ME 1)"]);
    expect(late?.text).toContain("became known late");
    await first.settled();
    expect(mails().length).toBe(atOnce.length + 2);
  });

  test("a person's language, units and quiet hours hold", async () => {
    const { choose, report, mails, mailed, first, clock, database } = await started();
    const minute = Math.floor((clock.now % (24 * hourMs)) / 60_000);
    const quiet = { quiet_from: minute, quiet_until: (minute + 30) % 1440 };
    await database.transaction((tx) =>
      tx.run(sql`insert into preferences (account_id, whose, language)
        select account_id, ${annId}, 'de' from accounts where name = 'Acme'`),
    );
    await choose(annId, quiet);
    await report("harsh_braking");
    await first.settled();
    expect(mails()).toEqual([]);
    clock.now += 31 * 60_000;
    await mailed(1);
    expect(mails()[0]?.text).toContain("kamen in Ihren Ruhezeiten");
    expect(mails()[0]?.text).toContain('<html lang="de">');
    expect(mails()[0]?.text).toContain("Fahrzeug: Van (AC ME 1)");
  });

  test("an alert that was withdrawn is in no mail", async () => {
    const { choose, report, mails, first, clock, database } = await started();
    await choose(olgaId, { pacing: "hour" });
    await report("sos");
    await first.settled();
    await database.transaction((tx) => tx.run(sql`update alerts set withdrawn = ${true}`));
    clock.now += hourMs;
    await first.settled();
    expect(mails()).toEqual([]);
    const states = await database.all<{ state: string }>(sql`select state from notification_mails`);
    expect(states).toEqual([{ state: "empty" }]);
  });

  test("ten mails an hour go to one person; the rest is gathered, and the mail says so", async () => {
    const { choose, report, mails, mailed, first, clock } = await started();
    await choose(olgaId);
    for (let count = 1; count <= 10; count++) {
      clock.now += 61_000;
      await report("sos");
      await mailed(count);
      await first.settled();
    }
    for (let count = 0; count < 3; count++) {
      clock.now += 61_000;
      await report("sos");
    }
    await first.settled();
    expect(mails().length).toBe(10);
    clock.now += hourMs;
    await mailed(11);
    await first.settled();
    expect(mails().length).toBe(11);
    expect(mails()[10]?.text).toContain("Subject: 3 alerts: Acme");
    expect(mails()[10]?.text).toContain("The limit is reached (10 mails an hour");
  });

  test("an address that the server refuses is tried again, given up in the end, and shown as failed", async () => {
    const { choose, report, first, clock, database } = await started();
    await choose(bobId);
    await report("sos", { imei: truckImei });
    const state = () =>
      database.get<{ state: string; attempts: number; problem: string }>(
        sql`select state, attempts, problem from notification_mails`,
      );
    for (let attempts = 1; attempts <= 8; attempts++) {
      await until(async () => (await state())?.attempts === attempts);
      clock.now += 6 * hourMs;
    }
    expect(await state()).toMatchObject({ state: "failed", attempts: 8, problem: "address_refused" });
    expect(first.seen.some(({ kind }) => kind === "notification_failed")).toBe(true);
    expect(JSON.stringify(first.seen)).not.toContain("bob@");
  });
});
