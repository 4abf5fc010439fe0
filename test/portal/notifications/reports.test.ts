import { expect, test } from "bun:test";
import { join } from "node:path";
import { dayMs } from "../../../src/domain/time/time.ts";
import { makers } from "../../../src/portal/planned-reports/reports.ts";
import { savePreferences } from "../../../src/store/fleet/preferences.ts";
import { countWaitingMails, reportMails } from "../../../src/store/notifications/mail-queue.ts";
import { sql } from "../../../src/store/sql.ts";
import { onEachEngine } from "../../support/engines.ts";
import { uuid } from "../../support/fleet.ts";
import { accountNumber } from "../../support/ingest-node.ts";
import { freePort } from "../../support/ingest-server.ts";
import { startMailServer } from "../../support/mail-server.ts";
import { annId, bobId, olgaId } from "../../support/notified-fleet.ts";
import { until } from "../../support/patience.ts";
import { filesOf, reportedFleet, yesterdayOf } from "../../support/reported-fleet.ts";

const vanId = uuid(21);

onEachEngine("planned reports", (engine) => {
  test("each receiver gets what they see, in the mail and in the file", async () => {
    const { plan, node, clock } = await reportedFleet(engine);
    const server = await startMailServer();
    await plan({ to: [olgaId, annId, bobId] });
    const first = await node(server.port);
    await until(() => server.received.length === 3);
    await first.settled();
    expect(server.received.length).toBe(3);
    const day = yesterdayOf(clock.now);
    const seenBy = (email: string) => {
      const mail = server.received.find(({ to }) => to.includes(email));
      const file = mail && filesOf(mail).get(`Trips_${day}.csv`);
      const lines = file?.slice(1).trimEnd().split("\r\n") ?? [];
      expect(file?.charCodeAt(0)).toBe(0xfeff);
      const vehicles = ["Van", "Truck", "Car"].filter((name) => lines.some((line) => line.split(",")[1] === name));
      for (const name of ["Van", "Truck", "Car"]) {
        expect([email, name, mail?.text.includes(`<td align="left">${name}</td>`)]).toEqual([
          email,
          name,
          vehicles.includes(name),
        ]);
      }
      return vehicles;
    };
    expect(seenBy("olga@acme.test")).toEqual(["Van", "Truck", "Car"]);
    expect(seenBy("ann@acme.test")).toEqual(["Van", "Truck"]);
    expect(seenBy("bob@acme.test")).toEqual(["Truck"]);
    const [mail] = server.received;
    expect(mail?.text).toContain("Subject: Odograph report for Acme: Every day, ");
    expect(mail?.text).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    expect(mail?.text).toContain("Content-Type: multipart/mixed");
    expect(mail?.text).not.toMatch(/<(img|link|script)|src=|url\(/);
    await first.stop();
    await server.close();
  });

  test("the file is what the page shows: local times, names, units in the heads, totals, and the language's signs", async () => {
    const { plan, node, clock, database } = await reportedFleet(engine);
    const server = await startMailServer();
    const accountId = await accountNumber(database);
    await database.transaction(async (tx) => {
      await tx.write(sql`update accounts set time_zone = 'Europe/Berlin' where account_id = ${accountId}`);
      await savePreferences(tx, accountId, olgaId, { distance: "mi" } as never);
      // What her browser spoke when she signed in: she has chosen no language.
      await tx.writeAny(sql`update users set spoken_language = 'de' where id = ${olgaId}`);
    });
    await plan({ filters: { vehicles: [vanId] } });
    const first = await node(server.port);
    await until(() => server.received.length === 1);
    const [mail] = server.received;
    const [[name = "", file = ""] = []] = mail ? [...filesOf(mail)] : [];
    expect(name).toBe(`Fahrten_${yesterdayOf(clock.now)}.csv`);
    const [head = "", row = "", total = ""] = file.slice(1).split("\r\n");
    expect(head).toContain("Beginn (Europe/Berlin);Fahrzeug;Kennzeichen;");
    expect(head).toContain("Strecke (mi);Transportiert (mi);Dauer (h:mm)");
    expect(row).toMatch(/^\d{4}-\d\d-\d\d (10|11):00;Van;[^;]*;Town;/);
    expect(row).toMatch(/;37,3;;1:00;/);
    expect(total.startsWith("Summe;")).toBe(true);
    expect(mail?.text).toContain("Zeitraum: ");
    await first.stop();
    await server.close();
  });

  test("every report with every view can be mailed, also when it is empty", async () => {
    const { plan, node, database, clock } = await reportedFleet(engine);
    const server = await startMailServer();
    const views = Object.entries(makers).flatMap(([report, own]) =>
      Object.keys(own).map((view) => [report, view] as const),
    );
    for (const [report, view] of [...views, ["sensors", "fuel"], ["sensors", "temperature"]] as const) {
      const filters = { view, vehicles: report === "sensors" ? [vanId] : [] };
      await plan({ report, name: `${report} ${view}`, filters });
    }
    // One more than a person gets in an hour.
    await plan({ next_at: clock.now });
    const first = await node(server.port);
    await until(() => server.received.length === 10);
    await first.settled();
    expect(first.seen.filter(({ kind }) => kind === "maintenance_failed")).toEqual([]);
    expect(server.received.length).toBe(10);
    const rows = await database.all<{ state: string; count: number }>(
      sql`select state, count(*) as count from report_mails group by state order by state`,
    );
    expect(rows.map(({ state, count }) => [state, Number(count)])).toEqual([
      ["sent", 10],
      ["waiting", 1],
    ]);
    clock.now += 3_600_001;
    await until(() => server.received.length === 11);
    await first.stop();
    await server.close();
  });

  test("what was missed while no server ran is made up for, a report for each day", async () => {
    const { plan, node, clock } = await reportedFleet(engine);
    const server = await startMailServer();
    await plan({ report: "mileage", next_at: clock.now - 3 * dayMs });
    const first = await node(server.port);
    await until(() => server.received.length === 4);
    await first.settled();
    const names = server.received.flatMap((mail) => [...filesOf(mail).keys()]);
    expect(new Set(names)).toEqual(
      new Set([4, 3, 2, 1].map((days) => `Mileage_${yesterdayOf(clock.now - (days - 1) * dayMs)}.csv`)),
    );
    await first.stop();
    await server.close();
  });

  test("who is disabled, has unsubscribed, or sees none of its vehicles gets nothing", async () => {
    const { plan, node, database } = await reportedFleet(engine);
    const server = await startMailServer();
    const id = await plan({ to: [olgaId, annId, bobId], filters: { vehicles: [vanId] } });
    await database.transaction(async (tx) => {
      await tx.write(sql`update users set status = 'disabled' where id = ${annId}`);
      await tx.writeAny(
        sql`update planned_report_people set stopped_at = 1 where report_id = ${id} and user_id = ${olgaId}`,
      );
    });
    const first = await node(server.port);
    await until(() => first.seen.some(({ kind }) => kind === "reports_measured"));
    await first.settled();
    expect(server.received).toEqual([]);
    const mails = await database.all<{ user_id: string; state: string; problem: string | null }>(
      sql`select user_id, state, problem from report_mails`,
    );
    expect(mails).toEqual([{ user_id: bobId, state: "empty", problem: "no_vehicles" }]);
    await first.stop();
    await server.close();
  });

  test("a report of a fence that is not seen, or was removed, is not sent as if nothing had crossed one", async () => {
    const { plan, node, database } = await reportedFleet(engine);
    const server = await startMailServer();
    await plan({ to: [olgaId], report: "crossings", filters: { fence: crypto.randomUUID() } });
    const first = await node(server.port);
    await until(() => first.seen.some(({ kind }) => kind === "reports_measured"));
    await first.settled();
    expect(server.received).toEqual([]);
    const mails = await database.all<{ state: string; problem: string }>(sql`select state, problem from report_mails`);
    expect(mails).toEqual([{ state: "empty", problem: "no_vehicles" }]);
    await first.stop();
    await server.close();
  });

  test("two nodes send each report once, and a dead mail server delays it and loses nothing", async () => {
    const { plan, node, open, clock, database } = await reportedFleet(engine);
    const port = await freePort();
    await plan();
    const lost = await node(port);
    await until(() => lost.seen.some(({ kind }) => kind === "reports_delayed"));
    await lost.stop();
    clock.now += 30 * 60_000;
    const server = await startMailServer();
    const nodes = [await node(server.port), await node(server.port, {}, await open())];
    await until(() => server.received.length === 1);
    for (let day = 1; day <= 2; day++) {
      // What is sent must be noted first: a claim does not last for a day.
      await until(async () => (await countWaitingMails(database, reportMails, null)) === 0);
      clock.now += dayMs;
      await until(() => server.received.length === 1 + day);
      if (day === 1) await nodes.shift()?.stop();
    }
    await nodes[0]?.settled();
    expect(server.received.length).toBe(3);
    await nodes[0]?.stop();
    await server.close();
  });

  test("a node that is killed between sending and noting costs one repeat, with the same Message-ID", async () => {
    const { plan, node, clock, target, database } = await reportedFleet(engine);
    let killed: (() => void) | null = null;
    const server = await startMailServer({
      beforeAnswer: async () => {
        killed?.();
        killed = null;
      },
    });
    await plan({ next_at: Date.now() - 60_000 });
    const script = join(import.meta.dir, "../../support/notifier-process.ts");
    const doomed = Bun.spawn([process.execPath, script, JSON.stringify(target), String(server.port), "reports"], {
      stdout: "inherit",
      stderr: "inherit",
    });
    killed = () => doomed.kill("SIGKILL");
    await doomed.exited;
    expect(server.received.length).toBe(1);
    const [mail] = await database.all<{ state: string }>(sql`select state from report_mails`);
    expect(mail?.state).toBe("waiting");
    clock.now = Date.now() + 60_000;
    const second = await node(server.port);
    await until(() => server.received.length === 2);
    await second.settled();
    await second.stop();
    const ids = server.received.map(({ text }) => /Message-ID: (.*)\r/.exec(text)?.[1]);
    expect(ids.length).toBe(2);
    expect(ids[0]).toBe(ids[1] ?? "");
    await server.close();
  });
});
