import { afterAll, beforeAll, expect, test } from "bun:test";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { type MailServer, type ReceivedMail, startMailServer } from "../support/mail-server.ts";
import { mailTo } from "../support/notified-fleet.ts";
import { sharedPortal } from "../support/portal.ts";

const publicUrl = "https://fleet.example";
const tokenIn = ({ text }: ReceivedMail) => /https:\/\/fleet\.example\/portal\/link#([\w-]{43})/.exec(text)?.[1] ?? "";
const newPassword = "a good password";

onEachEngine("an e-mail address", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });
  let server: MailServer;
  beforeAll(async () => {
    server = await startMailServer({ refused: ["refused@acme.example"] });
  });
  afterAll(() => server.close());
  const withMail = () => given().node({ mail: mailTo(server.port), publicUrl });

  /** Invites a person. Returns both links: the owner's and the mailed one. */
  async function invite(name: string, email: string) {
    const { signIn, browser } = withMail();
    const olga = await signIn("olga@acme.example");
    const arrived = server.next();
    const { body } = await olga.post("/fleet/users", { fields: { name, email } });
    const needs = async () => {
      const { data } = (await olga.get("/fleet/users")).body;
      return data.find((person: { email: string }) => person.email === email)?.needs_confirmation;
    };
    const seen: string = body.link.url.split("#")[1];
    return { olga, browser, id: body.data.user_id as string, seen, mailed: tokenIn(await arrived), needs };
  }

  test("is confirmed by an invitation's link that was only mailed, not by the one that the owner sees", async () => {
    const ida = await invite("Ida", "ida@acme.example");
    expect(await ida.needs()).toBe(true);
    const bySeen = await ida.browser().post("/link/use", { token: ida.seen, new_password: newPassword });
    expect([bySeen.status, bySeen.body.user.needs_confirmation, await ida.needs()]).toEqual([200, true, true]);

    const eva = await invite("Eva", "eva@acme.example");
    const byMailed = await eva.browser().post("/link/use", { token: eva.mailed, new_password: newPassword });
    expect([byMailed.status, byMailed.body.user.needs_confirmation, await eva.needs()]).toEqual([200, false, false]);
    const log = (await eva.olga.get("/fleet/log?kind=people")).body.data;
    expect(log).toContainEqual(
      expect.objectContaining({ action: "email.confirmed", name: "Eva", details: { via: "link" } }),
    );
  });

  test("is confirmed by a link to a new password that the person asked for, not by the owner's", async () => {
    const { olga, browser, id, seen, needs } = await invite("Fay", "fay@acme.example");
    await browser().post("/link/use", { token: seen, new_password: newPassword });
    const { body } = await olga.post(`/fleet/users/${id}/link`);
    const reset = { token: body.link.url.split("#")[1], new_password: newPassword };
    expect((await browser().post("/link/use", reset)).status).toBe(200);
    expect(await needs()).toBe(true);
    const arrived = server.next();
    await browser().post("/password/forgotten", { email: "fay@acme.example" });
    const token = tokenIn(await arrived);
    expect((await browser().post("/link/use", { token, new_password: newPassword })).status).toBe(200);
    expect(await needs()).toBe(false);
  });

  test("is confirmed by the link that the person asks for, which works for this address alone", async () => {
    const { signIn, browser } = withMail();
    const anna = await signIn("anna@acme.example");
    expect((await anna.get("/session")).body.user.needs_confirmation).toBe(true);
    const arrived = server.next();
    expect((await anna.post("/email/confirmation", {})).body.data).toEqual({ is_mailed: true, mail_problem: null });
    const mail = await arrived;
    expect(mail.to).toEqual(["anna@acme.example"]);
    // Neither who entered the address nor anything that people chose.
    for (const free of ["Anna", "Acme", "Olga"]) expect(mail.text.replaceAll("anna@acme", "")).not.toContain(free);
    const token = tokenIn(mail);
    const shown = await browser().post("/link", { token });
    expect(shown.body.data).toMatchObject({ purpose: "confirmation", email: "anna@acme.example" });
    // To look confirms nothing, and it is no way in.
    expect((await anna.get("/session")).body.user.needs_confirmation).toBe(true);
    expect((await browser().post("/link/use", { token, new_password: newPassword })).status).toBe(404);
    for (let opened = 0; opened < 2; opened++) {
      expect((await browser().post("/link/confirm", { token })).status).toBe(204);
      expect((await anna.get("/session")).body.user.needs_confirmation).toBe(false);
    }

    // Another address is not confirmed, nor can the old link confirm it.
    const olga = await signIn("olga@acme.example");
    const { id } = given().users.anna;
    const put = async (fields: object) => {
      const { data } = (await olga.get("/fleet/users")).body;
      const { revision } = data.find((person: { user_id: string }) => person.user_id === id);
      const changed = await olga.change("PUT", `/fleet/users/${id}`, { revision, fields });
      return [changed.status, changed.body.data.needs_confirmation];
    };
    expect(await put({ name: "Anna A. Ahlberg" })).toEqual([200, false]);
    expect(await put({ email: "anna@other.example" })).toEqual([200, true]);
    expect((await browser().post("/link/confirm", { token })).status).toBe(404);
    expect(await put({ email: "Anna@acme.example" })).toEqual([200, true]);
    expect((await browser().post("/link/confirm", { token })).status).toBe(404);
    expect(await put({ email: "anna@acme.example", name: "Anna Ahlberg" })).toEqual([200, true]);
  });

  test("gets three such links a day, no matter who asks, and those of an erased person count", async () => {
    const { olga, browser, id, seen } = await invite("Gus", "gus@mail.example");
    const ask = async (token: string) => {
      const gus = browser();
      expect((await gus.post("/link/use", { token, new_password: newPassword })).status).toBe(200);
      return async () => (await gus.post("/email/confirmation", {})).body.data.mail_problem;
    };
    const first = await ask(seen);
    expect([await first(), await first()]).toEqual([null, null]);
    const { body } = await olga.get("/fleet/users");
    const { revision } = body.data.find((person: { user_id: string }) => person.user_id === id);
    const removal = { revision, history: "erase" };
    expect((await olga.post(`/fleet/users/${id}/remove`, removal)).status).toBeLessThan(300);
    const again = await invite("Gus", "gus+more@mail.example");
    const second = await ask(again.seen);
    expect([await second(), await second()]).toEqual([null, "too_many"]);
  });

  test("to which the mail server takes nothing costs none of them", async () => {
    const { signIn } = withMail();
    const olga = await signIn("olga@acme.example");
    const { body } = await olga.post("/fleet/users", { fields: { name: "Rex", email: "refused@acme.example" } });
    const rex = withMail().browser();
    const { body: session } = await rex.post("/link/use", {
      token: body.link.url.split("#")[1],
      new_password: newPassword,
    });
    expect(session.user.needs_confirmation).toBe(true);
    for (let tried = 0; tried < 5; tried++) {
      expect((await rex.post("/email/confirmation", {})).body.data.mail_problem).toBe("address_refused");
    }
    const rows = await given().store.database.all(sql`
      select 1 from email_confirmations where user_id = ${session.user.user_id}`);
    expect(rows).toEqual([]);
  });

  test("has nothing to confirm where no mail is sent", async () => {
    const { signIn } = given().node();
    const ben = await signIn("ben@acme.example");
    expect((await ben.get("/session")).body.user.needs_confirmation).toBe(false);
    expect((await ben.post("/email/confirmation", {})).status).toBe(409);
    const olga = await signIn("olga@acme.example");
    const people: { needs_confirmation: boolean }[] = (await olga.get("/fleet/users")).body.data;
    expect(people.some((person) => person.needs_confirmation)).toBe(false);
  });
});
