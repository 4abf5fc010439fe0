import { expect, test } from "bun:test";
import { createLink } from "../../src/access/one-time-links.ts";
import { browserLanguage } from "../../src/portal/browser-language.ts";
import { sql } from "../../src/store/sql.ts";
import { startApi } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { sharedMailPortal } from "../support/mail-portal.ts";
import { password, portalOver } from "../support/portal.ts";

const german = { "Accept-Language": "fr-CH, de-AT;q=0.8, en;q=0.5" };
const portuguese = { "Accept-Language": "pt-BR" };

test("a browser's language is the first by weight that the portal speaks", () => {
  const spoken = (text: string) => browserLanguage(new Headers({ "Accept-Language": text }));
  expect(spoken("de-DE,de;q=0.9,en;q=0.8")).toBe("de");
  expect(spoken("en;q=0.3, PT-br;q=0.7")).toBe("pt");
  expect(spoken("fr, es;q=0.1")).toBe("es");
  expect(spoken("en;q=0, es;q=0.1")).toBe("es");
  for (const nothing of ["", "fr", "*", "de;q=none", ";;,,=", ",".repeat(100)]) expect(spoken(nothing)).toBeNull();
  expect(browserLanguage(new Headers())).toBeNull();
});

onEachEngine("the language of a person", (engine) => {
  const { given, withMail, server } = sharedMailPortal(engine);

  /** What is known of all whose e-mail begins so. */
  async function spokenBy(email: string): Promise<string | null | undefined> {
    const row = await given().store.database.get<{ language: string | null }>(
      sql`select spoken_language as language from users where email = ${email}`,
    );
    return row?.language;
  }

  const signInAs = (email: string, headers: Record<string, string>) =>
    withMail().browser().post("/session", { email, password }, headers);

  test("is what the browser spoke at the last sign-in, and stays where it says nothing", async () => {
    expect(await spokenBy("anna@acme.example")).toBeNull();
    expect((await signInAs("anna@acme.example", german)).status).toBe(200);
    expect(await spokenBy("anna@acme.example")).toBe("de");
    await signInAs("anna@acme.example", {});
    await signInAs("anna@acme.example", { "Accept-Language": "fr" });
    expect(await spokenBy("anna@acme.example")).toBe("de");
    // A wrong password changes nothing.
    const wrong = { email: "anna@acme.example", password: "a wrong password" };
    expect((await withMail().browser().post("/session", wrong, portuguese)).status).toBe(401);
    expect(await spokenBy("anna@acme.example")).toBe("de");
    await signInAs("anna@acme.example", portuguese);
    expect(await spokenBy("anna@acme.example")).toBe("pt");
    expect(await spokenBy("ben@acme.example")).toBeNull();
  });

  test("is below what the person or the account chose, in mails as in the portal", async () => {
    const { browser, signIn } = withMail();
    const olga = await signIn("olga@acme.example");
    const anna = browser();
    await anna.post("/session", { email: "anna@acme.example", password }, german);
    const greeting = async () => {
      const arrived = server().next();
      expect((await olga.post(`/fleet/users/${given().users.anna.id}/link`)).body.link.is_mailed).toBe(true);
      return /Guten Tag|Olá|Hola|Hello/.exec((await arrived).text)?.[0];
    };
    expect(await greeting()).toBe("Guten Tag");
    await olga.change("PUT", "/account/preferences", { language: "pt" });
    expect(await greeting()).toBe("Olá");
    await anna.change("PUT", "/preferences", { language: "es" });
    expect(await greeting()).toBe("Hola");
    await anna.change("PUT", "/preferences", {});
    await olga.change("PUT", "/account/preferences", {});
  });

  test("is that of the browser in which an invitation was accepted; the invitation itself is in the owner's", async () => {
    const { browser, signIn } = withMail();
    const olga = await signIn("olga@acme.example");
    const fields = { name: "Eva", email: "eva@acme.example" };
    const arrived = server().next();
    const invited = await olga.post("/fleet/users", { fields }, portuguese);
    const { text } = await arrived;
    expect(text).toContain("Olá, Eva!");
    const token = invited.body.link.url.split("#")[1];
    const used = await browser().post("/link/use", { token, new_password: "a good password" }, german);
    expect([used.status, await spokenBy("eva@acme.example")]).toEqual([200, "de"]);
  });

  test("of the first owner is what the browser spoke at setup", async () => {
    const { database } = await engine.fresh();
    const { browser } = await portalOver(database, await startApi(database));
    const setup = { purpose: "setup", accountId: null, userId: null, leavesOthers: false } as const;
    const { token } = await database.transaction((tx) => createLink(tx, setup, Date.now()));
    const person = { name: "Olga", email: "olga@nord.example", password: "a fine long password" };
    const form = { token, account_name: "Nord", time_zone: "Europe/Berlin", ...person };
    expect((await browser().post("/setup", form, german)).status).toBe(201);
    const row = await database.get<{ language: string }>(sql`select spoken_language as language from users`);
    expect(row?.language).toBe("de");
  });

  test("decides how a test mail is written, also for a person who signed in before it was noted", async () => {
    const ben = await withMail().signIn("ben@acme.example");
    await given().store.database.transaction((tx) =>
      tx.writeAny(sql`update users set confirmed_email = email where email = 'ben@acme.example'`),
    );
    const arrived = server().next();
    expect((await ben.post("/notifications/test-mail", {}, german)).body.data.problem).toBeNull();
    expect((await arrived).text).toContain("Dies ist eine Test-E-Mail");
  });
});
