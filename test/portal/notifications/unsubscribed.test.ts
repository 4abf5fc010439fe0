import { expect, test } from "bun:test";
import type { NotificationsAnswer } from "../../../src/portal/both-sides/contract/notifications.ts";
import { UnsubscribeTokens } from "../../../src/portal/mail-queue/unsubscribe-token.ts";
import { onEachEngine } from "../../support/engines.ts";
import { sharedMailPortal } from "../../support/mail-portal.ts";

const weekly = { name: "Trips of the week", report: "trips", cadence: "week", user_ids: null };

onEachEngine("who has unsubscribed", (engine) => {
  const { given, withMail } = sharedMailPortal(engine);

  async function both(name: "anna" | "ben") {
    const { signIn, browser } = withMail();
    const [olga, person] = [await signIn("olga@acme.example"), await signIn(`${name}@acme.example`)];
    const userId = given().users[name].id;
    const tokens = new UnsubscribeTokens(given().store.database);
    /** As a mail program does it. */
    const unsubscribe = async (choiceId: string) => {
      const headers = { "Content-Type": "application/x-www-form-urlencoded" };
      const init = { method: "POST", headers, body: "List-Unsubscribe=One-Click" };
      const token = await tokens.sign({ userId, choiceId });
      expect((await browser().send(`/portal/unsubscribe?t=${token}`, init)).status).toBe(200);
    };
    return { olga, person, userId, unsubscribe };
  }

  test("from alerts stays so, whatever the owner changes, adds or makes anew", async () => {
    const { olga, person: anna, userId, unsubscribe } = await both("anna");
    const wanted = { pacing: "hour", user_id: userId, tells_end: true };
    const add = async (who = olga) => (await who.post("/notifications", wanted)).body.data;
    const stateOf = ({ stopped_at, is_unsubscribed }: { stopped_at: string | null; is_unsubscribed: boolean }) =>
      stopped_at === null ? "on" : is_unsubscribed ? "unsubscribed" : "paused";
    const first = await add();
    expect(first.tells_end).toBe(true);
    const path = `/notifications/${first.notification_id}`;
    // What the owner paused, the owner resumes.
    const paused = await olga.change("PUT", path, { pacing: "hour", is_stopped: true });
    expect(stateOf(paused.body.data)).toBe("paused");
    expect(stateOf((await olga.change("PUT", path, { pacing: "hour" })).body.data)).toBe("on");

    await unsubscribe(first.notification_id);
    const resumed = await olga.change("PUT", path, { pacing: "hour", is_stopped: false });
    expect([resumed.status, resumed.body.error.code]).toEqual([403, "FORBIDDEN"]);
    const edited = await olga.change("PUT", path, { pacing: "day", is_stopped: true });
    expect([edited.status, stateOf(edited.body.data)]).toEqual([200, "unsubscribed"]);
    expect((await olga.change("DELETE", path)).status).toBe(204);
    const anew = await add();
    expect(stateOf(anew)).toBe("unsubscribed");
    // The owner sees it before anything is chosen for them.
    const { people } = (await olga.get("/notifications")).body as NotificationsAnswer;
    expect(people.filter(({ is_unsubscribed }) => is_unsubscribed).map(({ user_id }) => user_id)).toEqual([userId]);

    // What the person sets up for themselves does not undo it.
    expect(stateOf(await add(anna))).toBe("on");
    expect(stateOf(await add())).toBe("unsubscribed");
    expect((await olga.change("PUT", `/notifications/${anew.notification_id}`, { pacing: "hour" })).status).toBe(403);

    // Only the person can undo it.
    const own = await anna.change("PUT", `/notifications/${anew.notification_id}`, { pacing: "hour" });
    expect(stateOf(own.body.data)).toBe("on");
    expect(stateOf(await add())).toBe("on");

    // To remove what another person has set up is to unsubscribe.
    for (const { notification_id } of (await anna.get("/notifications")).body.data) {
      expect((await anna.change("DELETE", `/notifications/${notification_id}`)).status).toBe(204);
    }
    expect(stateOf(await add())).toBe("unsubscribed");
    expect(stateOf(await add(anna))).toBe("on");

    // The link of a mail about something that was made anew since ends what there is now of others.
    await unsubscribe(first.notification_id);
    const states = (await anna.get("/notifications")).body.data.map(stateOf);
    expect(states).toEqual(["unsubscribed", "on"]);
  });

  test("from planned reports stays so when taken out and put in again, and in a plan made anew", async () => {
    const { olga, person: ben, userId, unsubscribe } = await both("ben");
    const to = [given().users.olga.id, userId];
    const add = async () => (await olga.post("/planned-reports", { ...weekly, user_ids: to })).body.data;
    type Plan = { planned_report_id: string; people: { user_id: string; stopped_at: string | null }[] };
    const gets = ({ people }: Plan) => people.find(({ user_id }) => user_id === userId)?.stopped_at === null;
    const first: Plan = await add();
    const path = `/planned-reports/${first.planned_report_id}`;
    expect(gets(first)).toBe(true);
    await unsubscribe(first.planned_report_id);
    const put = async (user_ids: readonly string[]) =>
      (await olga.change("PUT", path, { ...weekly, user_ids })).body.data;
    expect(gets(await put(to))).toBe(false);
    await put(to.slice(0, 1));
    expect(gets(await put(to))).toBe(false);
    expect((await olga.change("DELETE", path)).status).toBe(204);
    const anew: Plan = await add();
    expect(gets(anew)).toBe(false);
    // A plan of one's own does not undo it.
    expect(gets((await ben.post("/planned-reports", { ...weekly, user_ids: [userId] })).body.data)).toBe(true);
    expect(gets(await add())).toBe(false);

    const receipt = `/planned-reports/${anew.planned_report_id}/receipt`;
    expect((await ben.change("PUT", receipt, { is_stopped: false })).status).toBe(204);
    expect(gets(await add())).toBe(true);
    expect((await ben.change("PUT", receipt, { is_stopped: true })).status).toBe(204);
    expect(gets(await add())).toBe(false);
  });
});
