import { expect, test } from "bun:test";
import { UnsubscribeTokens } from "../../../src/portal/mail-queue/unsubscribe-token.ts";
import { plansOfAccount, receiversOf } from "../../../src/store/notifications/planned-reports.ts";
import { onEachEngine } from "../../support/engines.ts";
import { sharedMailPortal } from "../../support/mail-portal.ts";

const weekly = { name: "Trips of the week", report: "trips", cadence: "week" };

onEachEngine("planning reports in the portal", (engine) => {
  const { given, withMail } = sharedMailPortal(engine);

  test("what is wrong is said by field, and nothing is stored", async () => {
    const olga = await withMail().signIn("olga@acme.example");
    const { devices, users, accounts } = given();
    const wrong: readonly (readonly [string, object])[] = [
      ["name", { ...weekly, name: " " }],
      ["report", { ...weekly, report: "nothing" }],
      ["view", { ...weekly, view: "days" }],
      ["cadence", { ...weekly, cadence: "hour" }],
      ["hour", { ...weekly, hour: 24 }],
      ["tags", { ...weekly, tags: [""] }],
      ["device_ids", { ...weekly, device_ids: ["x"] }],
      ["device_ids", { ...weekly, device_ids: [devices.ferry.id] }],
      ["device_ids", { ...weekly, report: "sensors" }],
      ["fence", { ...weekly, fence: crypto.randomUUID() }],
      ["user_ids", { ...weekly, user_ids: [] }],
      ["user_ids", { ...weekly, user_ids: [users.otto.id] }],
    ];
    for (const [field, body] of wrong) {
      const { status, body: answer } = await olga.post("/planned-reports", body);
      expect([field, status, Object.keys(answer.error.fields ?? {})]).toEqual([field, 400, [field]]);
    }
    expect((await olga.get("/planned-reports")).body.data).toEqual([]);
    expect(await plansOfAccount(given().store.database, accounts.acme.account_id)).toEqual([]);
  });

  test("the owner plans for others, a sub-account for itself; who only gets one learns nothing of its filters", async () => {
    const { signIn } = withMail();
    const [olga, anna] = [await signIn("olga@acme.example"), await signIn("anna@acme.example")];
    const { users, devices } = given();
    const both = [users.olga.id, users.anna.id];
    const made = await olga.post("/planned-reports", { ...weekly, user_ids: both, device_ids: [devices.car.id] });
    expect([made.status, made.body.data.people.length, made.body.data.may_change]).toEqual([201, 2, true]);
    const path = `/planned-reports/${made.body.data.planned_report_id}`;
    const [seen] = (await anna.get("/planned-reports")).body.data;
    expect(seen).toMatchObject({ may_change: false, filters: null, people: [{ user_id: users.anna.id }] });
    expect(JSON.stringify(seen)).not.toContain(devices.car.id);
    expect((await anna.change("PUT", path, weekly)).status).toBe(404);
    expect((await anna.change("DELETE", path)).status).toBe(404);
    expect((await anna.post(`${path}/run`, {})).status).toBe(404);
    expect((await anna.post("/planned-reports", { ...weekly, user_ids: both })).status).toBe(403);
    expect((await anna.post("/planned-reports", { ...weekly, device_ids: [devices.car.id] })).status).toBe(400);
    expect((await anna.change("PUT", `${path}/receipt`, { is_stopped: true })).status).toBe(204);
    const stopped = (await olga.get("/planned-reports")).body.data[0].people;
    expect(stopped.filter((one: { stopped_at: string | null }) => one.stopped_at !== null).length).toBe(1);
    const own = await anna.post("/planned-reports", weekly);
    expect(own.body.data.people).toMatchObject([{ user_id: users.anna.id }]);
    expect((await anna.change("DELETE", `/planned-reports/${own.body.data.planned_report_id}`)).status).toBe(204);
    expect((await olga.change("DELETE", path)).status).toBe(204);
    const log = (await olga.get("/fleet/log?kind=reports")).body.data;
    expect(log.map(({ action }: { action: string }) => action)).toEqual([
      "planned_report.removed",
      "planned_report.removed",
      "planned_report.added",
      "planned_report.stopped",
      "planned_report.added",
    ]);
  });

  test("whom the owner added stays when its maker pauses a report, and so does a person who was disabled", async () => {
    const { signIn } = withMail();
    const [olga, anna] = [await signIn("olga@acme.example"), await signIn("anna@acme.example")];
    const { users, store, accounts } = given();
    const made = await anna.post("/planned-reports", weekly);
    const { planned_report_id: id } = made.body.data;
    const path = `/planned-reports/${id}`;
    const receivers = async () =>
      (await receiversOf(store.database, accounts.acme.account_id, id)).map(({ user_id }) => user_id).sort();
    const both = [users.olga.id, users.anna.id].sort();
    expect((await olga.change("PUT", path, { ...weekly, user_ids: both })).status).toBe(200);
    for (const user_ids of [null, [users.anna.id]]) {
      const paused = await anna.change("PUT", path, { ...weekly, user_ids, is_paused: true });
      expect([paused.status, paused.body.data.people.length]).toEqual([200, 1]);
      expect(await receivers()).toEqual(both);
    }
    const set = async (status: string) => {
      const people = (await olga.get("/fleet/users")).body.data;
      const { revision } = people.find(({ user_id }: { user_id: string }) => user_id === users.anna.id);
      return (await olga.change("PUT", `/fleet/users/${users.anna.id}`, { revision, fields: { status } })).status;
    };
    expect(await set("disabled")).toBe(200);
    for (const user_ids of [null, both]) {
      expect((await olga.change("PUT", path, { ...weekly, user_ids })).status).toBe(200);
      expect(await receivers()).toEqual(both);
    }
    expect((await olga.change("PUT", path, { ...weekly, user_ids: [users.olga.id] })).status).toBe(200);
    expect((await olga.change("PUT", path, { ...weekly, user_ids: both })).status).toBe(400);
    expect(await set("active")).toBe(200);
    expect((await olga.change("DELETE", path)).status).toBe(204);
  });

  test("is sent now to those who want it, within the limits; paused, nothing waits", async () => {
    const olga = await withMail().signIn("olga@acme.example");
    const { users } = given();
    const made = await olga.post("/planned-reports", { ...weekly, cadence: "day", user_ids: [users.olga.id] });
    const path = `/planned-reports/${made.body.data.planned_report_id}`;
    const statuses = [];
    for (let count = 0; count < 11; count++) statuses.push((await olga.post(`${path}/run`, {})).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 202), 429]);
    expect((await olga.get("/planned-reports")).body.mails.length).toBe(10);
    const paused = await olga.change("PUT", path, { ...weekly, cadence: "day", is_paused: true });
    expect([paused.status, paused.body.data.next_at]).toEqual([200, null]);
    expect((await olga.get("/planned-reports")).body.mails).toEqual([]);
    const resumed = await olga.change("PUT", path, { ...weekly, cadence: "day" });
    expect(Date.parse(resumed.body.data.next_at)).toBeGreaterThan(Date.now());
    expect((await olga.change("DELETE", path)).status).toBe(204);
  });

  test("the link in a mail ends it for that person alone, without a session", async () => {
    const { signIn, browser } = withMail();
    const olga = await signIn("olga@acme.example");
    const { users, store, accounts } = given();
    const both = [users.olga.id, users.anna.id];
    const made = await olga.post("/planned-reports", { ...weekly, user_ids: both });
    const choiceId = made.body.data.planned_report_id;
    const token = await new UnsubscribeTokens(store.database).sign({ userId: users.anna.id, choiceId });
    const mailProgram = browser();
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const post = () =>
      mailProgram.send(`/portal/unsubscribe?t=${token}`, {
        method: "POST",
        headers,
        body: "List-Unsubscribe=One-Click",
      });
    for (let time = 0; time < 2; time++) expect((await post()).status).toBe(200);
    const receivers = await receiversOf(store.database, accounts.acme.account_id, choiceId);
    const isStopped = receivers.map(({ user_id, stopped_at }) => [user_id, stopped_at !== null] as const);
    expect(new Map(isStopped)).toEqual(
      new Map([
        [users.olga.id, false],
        [users.anna.id, true],
      ]),
    );
    expect((await olga.change("DELETE", `/planned-reports/${choiceId}`)).status).toBe(204);
  });
});
