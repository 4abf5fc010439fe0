import { expect, test } from "bun:test";
import { UnsubscribeTokens } from "../../../src/portal/mail-queue/unsubscribe-token.ts";
import { choicesOfAccount } from "../../../src/store/notifications/choices.ts";
import { followers } from "../../../src/store/notifications/followers.ts";
import { onEachEngine } from "../../support/engines.ts";
import { sharedMailPortal } from "../../support/mail-portal.ts";

onEachEngine("choosing notifications in the portal", (engine) => {
  const { given, withMail } = sharedMailPortal(engine);

  test("what is wrong is said by field, and nothing is stored", async () => {
    const olga = await withMail().signIn("olga@acme.example");
    const wrong: readonly (readonly [string, object])[] = [
      ["pacing", {}],
      ["pacing", { pacing: "weekly" }],
      ["alert_types", { pacing: "hour", alert_types: ["no such"] }],
      ["alert_types", { pacing: "hour", alert_types: [] }],
      ["severities", { pacing: "hour", severities: "critical" }],
      ["tags", { pacing: "hour", tags: [""] }],
      ["device_ids", { pacing: "hour", device_ids: ["x"] }],
      ["device_ids", { pacing: "hour", device_ids: [crypto.randomUUID()] }],
      ["device_ids", { pacing: "hour", device_ids: [given().devices.ferry.id] }],
      ["quiet_from", { pacing: "hour", quiet_from: "25:00", quiet_until: "06:00" }],
      ["quiet_until", { pacing: "hour", quiet_from: "22:00" }],
      ["quiet_until", { pacing: "hour", quiet_from: "22:00", quiet_until: "22:00" }],
      ["time_zone", { pacing: "hour", time_zone: "Nowhere/At all" }],
      ["user_id", { pacing: "hour", user_id: given().users.otto.id }],
    ];
    for (const [field, body] of wrong) {
      const { status, body: answer } = await olga.post("/notifications", body);
      expect([field, status, Object.keys(answer.error.fields)]).toEqual([field, 400, [field]]);
    }
    expect((await olga.get("/notifications")).body.data).toEqual([]);
    expect(await followers(given().store.database)).toEqual([]);
  });

  test("the owner chooses for others, a sub-account for itself, of vehicles that the person sees", async () => {
    const { signIn } = withMail();
    const [olga, anna] = [await signIn("olga@acme.example"), await signIn("anna@acme.example")];
    const { users, devices } = given();
    const forAnna = await olga.post("/notifications", { pacing: "hour", user_id: users.anna.id });
    expect([forAnna.status, forAnna.body.data.user_name]).toEqual([201, "Anna Ahlberg"]);
    const unseen = { pacing: "hour", user_id: users.anna.id, device_ids: [devices.car.id] };
    expect((await olga.post("/notifications", unseen)).status).toBe(400);
    expect((await anna.post("/notifications", { pacing: "hour", user_id: users.olga.id })).status).toBe(403);
    const own = await olga.post("/notifications", { pacing: "at_once", quiet_from: "22:00", quiet_until: "06:30" });
    expect(own.body.data).toMatchObject({ quiet_from: "22:00", quiet_until: "06:30", stopped_at: null, waiting: null });
    const ids = async (who: typeof olga) =>
      (await who.get("/notifications")).body.data.map((one: { notification_id: string }) => one.notification_id);
    expect((await ids(olga)).length).toBe(2);
    expect(await ids(anna)).toEqual([forAnna.body.data.notification_id]);
    expect((await anna.get("/notifications")).body.people.map(({ name }: { name: string }) => name)).toEqual([
      "Anna Ahlberg",
    ]);
    const path = `/notifications/${own.body.data.notification_id}`;
    expect((await anna.change("PUT", path, { pacing: "hour" })).status).toBe(404);
    expect((await anna.change("DELETE", path)).status).toBe(404);
    for (const [who, id] of [
      [olga, own],
      [anna, forAnna],
    ] as const) {
      expect((await who.change("DELETE", `/notifications/${id.body.data.notification_id}`)).status).toBe(204);
    }
    expect(await followers(given().store.database)).toEqual([]);
    const log = (await olga.get("/fleet/log?kind=people")).body.data;
    expect(log.map(({ action }: { action: string }) => action)).toContain("notification.removed");
  });

  test("a person has at most twenty", async () => {
    const ben = await withMail().signIn("ben@acme.example");
    const statuses = [];
    for (let count = 0; count < 21; count++)
      statuses.push((await ben.post("/notifications", { pacing: "day" })).status);
    expect([statuses.slice(0, 20).every((status) => status === 201), statuses[20]]).toEqual([true, 409]);
    for (const { notification_id } of (await ben.get("/notifications")).body.data) {
      await ben.change("DELETE", `/notifications/${notification_id}`);
    }
  });

  test("one click ends a notification without a session; opening the link, or another signature, ends nothing", async () => {
    const { signIn, browser } = withMail();
    const { users, store, accounts } = given();
    const anna = await signIn("anna@acme.example");
    const made = (await anna.post("/notifications", { pacing: "hour" })).body.data;
    const tokens = new UnsubscribeTokens(store.database);
    const choiceId = made.notification_id;
    const token = await tokens.sign({ userId: users.anna.id, choiceId });
    const stoppedAt = async () =>
      (await choicesOfAccount(store.database, accounts.acme.account_id, users.anna.id))[0]?.stopped_at ?? null;
    const mailProgram = browser("203.0.113.5");
    const click = (text: string, method = "POST") =>
      mailProgram.send(`/portal/unsubscribe?t=${text}`, {
        method,
        ...(method === "POST" && { body: "List-Unsubscribe=One-Click" }),
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
      });
    expect((await click(token, "GET")).status).toBe(200);
    for (const wrong of ["", "x", `${token.slice(0, -2)}AA`, `A${token.slice(1)}`, token.slice(4)]) {
      expect([wrong, (await click(wrong)).status]).toEqual([wrong, 404]);
    }
    // Signed, but for a person whose choice it is not.
    expect((await click(await tokens.sign({ userId: users.olga.id, choiceId }))).status).toBe(200);
    expect(await stoppedAt()).toBeNull();
    expect((await click(token)).status).toBe(200);
    expect(await stoppedAt()).not.toBeNull();
    expect((await click(token)).status).toBe(200);
    const olga = await signIn("olga@acme.example");
    const [entry] = (await olga.get("/fleet/log?by=stranger")).body.data;
    expect([entry.action, entry.name]).toEqual(["notification.stopped", "Anna Ahlberg"]);
    const resumed = await anna.change("PUT", `/notifications/${choiceId}`, { pacing: "hour" });
    expect(resumed.body.data.stopped_at).toBeNull();
    await anna.change("DELETE", `/notifications/${choiceId}`);
  });
});
