import { afterAll, beforeAll, expect, test } from "bun:test";
import { createLink } from "../../src/access/one-time-links.ts";
import { eraseAccount } from "../../src/fleet/erase/erase-account.ts";
import { MailBox } from "../../src/portal/mail/mail-box.ts";
import { demoAccounts, isDemoAccount, saveDemoAccount } from "../../src/store/fleet/demo-accounts.ts";
import { keptMails } from "../../src/store/notifications/kept-mails.ts";
import { sql } from "../../src/store/sql.ts";
import { startApi } from "../support/api.ts";
import { type EngineUnderTest, onEachEngine } from "../support/engines.ts";
import { type FleetRecord, load, smallFleet } from "../support/fleet.ts";
import { type MailServer, startMailServer } from "../support/mail-server.ts";
import { mailTo, publicUrl } from "../support/notified-fleet.ts";
import { portalOver, sharedPortal } from "../support/portal.ts";

const row = { wanted_by: null, wanted_at: 1, state_json: null, is_ready: true, ends_at: null };

onEachEngine("mails of an account with a made-up fleet", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });
  let server: MailServer;
  beforeAll(async () => {
    server = await startMailServer();
  });
  afterAll(() => server.close());

  test("are kept and never sent; its owner alone reads them, until one of its people is erased", async () => {
    const { store, accounts } = given();
    const { database } = store;
    const accountId = accounts.acme.account_id;
    const id = crypto.randomUUID();
    await database.transaction((tx) => saveDemoAccount(tx, { id, account_id: accountId, ...row }));
    const { signIn } = given().node({ mail: mailTo(server.port), publicUrl });
    const [olga, anna] = [await signIn("olga@acme.example"), await signIn("anna@acme.example")];
    expect((await olga.get("/session")).body.demo).toEqual({ may_leave: false });
    const invited = await olga.post("/fleet/users", { fields: { name: "Eva", email: "eva@acme.example" } });
    expect([invited.status, invited.body.link.is_mailed]).toEqual([201, true]);
    expect(server.received.length).toBe(0);

    const { data } = (await olga.get("/kept-mails")).body;
    expect(data).toMatchObject([{ name: "Eva", email: "eva@acme.example", attachments: [] }]);
    expect(data[0].text).toContain("/portal/link#");
    const page = await olga.get(`/kept-mails/${data[0].mail_id}/page`);
    expect([page.status, page.headers.get("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.text).toContain("<!doctype html>");
    expect((await anna.get("/kept-mails")).status).toBe(403);
    const otto = await signIn("otto@polar.example");
    expect((await otto.get("/kept-mails")).body.data).toEqual([]);
    expect((await otto.get(`/kept-mails/${data[0].mail_id}/page`)).status).toBe(404);
    expect((await otto.get("/session")).body.demo).toBeNull();

    const eva = invited.body.data;
    const { status } = await olga.post(`/fleet/users/${eva.user_id}/remove`, {
      revision: eva.revision,
      history: "erase",
    });
    expect(status).toBe(200);
    expect((await olga.get("/kept-mails")).body.data).toEqual([]);
  });

  test("are the newest two hundred", async () => {
    const { database } = given().store;
    const { account_id: accountId } = given().accounts.polar;
    await database.transaction((tx) => saveDemoAccount(tx, { id: crypto.randomUUID(), account_id: accountId, ...row }));
    const box = new MailBox(database);
    const letter = (subject: string) => ({ subject, text: "", html: "" });
    const to = { accountId, name: "", email: "otto@polar.example" };
    for (let at = 1; at <= 203; at++) expect(await box.take(to, letter(String(at)), at)).toBe(true);
    const kept = await keptMails(database, accountId);
    expect([kept.length, kept[0]?.subject, kept.at(-1)?.subject]).toEqual([200, "203", "4"]);
  });
});

onEachEngine("a fleet to look at", (engine) => {
  async function ownServer(engine: EngineUnderTest, others: readonly FleetRecord[] = []) {
    const { database } = await engine.fresh();
    const api = await startApi(database);
    await load(database, [smallFleet.acme, smallFleet.olga, ...others]);
    const quick = await portalOver(database, api, { makesDemos: true });
    return { database, ...quick };
  }

  test("is offered to the owner of a server's only account, entered without a password and left again", async () => {
    const { database, signIn } = await ownServer(engine);
    const olga = await signIn(smallFleet.olga.email);
    expect((await olga.get("/demo-account")).body.data).toEqual({ state: "none", is_offered: true });
    expect((await olga.post("/demo-account/enter")).status).toBe(404);
    for (const _ of [1, 2]) {
      expect((await olga.post("/demo-account")).body.data).toEqual({ state: "making", is_offered: true });
    }
    const [wanted, ...others] = await demoAccounts(database);
    expect(others).toEqual([]);
    expect(wanted?.account_id).toBeNull();
    expect((await olga.post("/demo-account/enter")).status).toBe(404);

    // As the program makes it (test/cli/demo-beside.test.ts).
    await load(database, [smallFleet.rival, smallFleet.rita]);
    const account = await database.get<{ account_id: number }>(
      sql`select account_id from accounts where id = ${smallFleet.rival.id}`,
    );
    const account_id = account?.account_id ?? 0;
    if (wanted === undefined) throw new Error("nothing is wanted");
    await database.transaction((tx) => saveDemoAccount(tx, { ...wanted, account_id, is_ready: true }));
    expect((await olga.get("/demo-account")).body.data).toEqual({ state: "ready", is_offered: true });

    const entered = await olga.post("/demo-account/enter");
    expect(entered.body).toMatchObject({ user: { email: smallFleet.rita.email }, demo: { may_leave: true } });
    expect((await olga.get("/session")).body).toEqual(entered.body);
    // There is none of its own in it.
    expect((await olga.get("/demo-account")).body.data).toEqual({ state: "none", is_offered: false });
    expect((await olga.post("/demo-account")).status).toBe(409);
    const left = await olga.post("/demo-account/leave");
    expect(left.body).toMatchObject({ user: { email: smallFleet.olga.email }, demo: null });
    expect((await olga.get("/session")).body).toEqual(left.body);
    expect(olga.homeCookie).toBe("odograph_home=");
    expect((await olga.post("/demo-account/leave")).status).toBe(404);

    // Signing out there ends both sessions.
    await olga.post("/demo-account/enter");
    const { cookie, homeCookie } = olga;
    expect((await olga.change("DELETE", "/session")).status).toBe(204);
    for (const kept of [cookie, homeCookie?.replace("home", "session") ?? ""]) {
      olga.cookie = kept;
      expect((await olga.get("/session")).status).toBe(401);
    }

    const again = await signIn(smallFleet.olga.email);
    expect((await again.change("DELETE", "/demo-account")).body.data.state).toBe("ending");
    expect((await again.post("/demo-account/enter")).status).toBe(404);
    await eraseAccount(database, smallFleet.rival.id, { kind: "command" }, Date.now());
    expect(await isDemoAccount(database, account_id)).toBe(false);
    expect((await again.get("/demo-account")).body.data).toEqual({ state: "none", is_offered: true });
  });

  test("is not made where others have accounts, nor for a link that is not used yet", async () => {
    const { database, signIn, browser } = await ownServer(engine, [smallFleet.rival, smallFleet.rita]);
    const rita = await signIn(smallFleet.rita.email);
    expect((await rita.get("/demo-account")).body.data).toEqual({ state: "none", is_offered: false });
    expect((await rita.post("/demo-account")).status).toBe(409);
    expect(await demoAccounts(database)).toEqual([]);
    await database.transaction((tx) =>
      createLink(tx, { purpose: "setup", accountId: null, userId: null, leavesOthers: false }, Date.now()),
    );
    expect((await browser().get("/demo-account")).status).toBe(401);
  });
});
