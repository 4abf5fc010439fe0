import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer } from "node:net";
import { letterOf } from "../../src/portal/mail/letters.ts";
import { Mail, type MailSettings } from "../../src/portal/mail/mail.ts";
import { MailAllowances, ofLinks, ofNotices } from "../../src/portal/mail/mail-allowances.ts";
import { readSmtpAddress } from "../../src/portal/mail/smtp-address.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { freePort } from "../support/free-port.mjs";
import { type MailServer, startMailServer } from "../support/mail-server.ts";
import { until } from "../support/patience.ts";
import { password, sharedPortal } from "../support/portal.ts";

const publicUrl = "https://fleet.example";
const from = "Odograph <fleet@acme.example>";
const secret = "the mail password";

function settings(port: number, change: Partial<NonNullable<ReturnType<typeof readSmtpAddress>>> = {}): MailSettings {
  const smtp = readSmtpAddress(`smtp://postman@127.0.0.1:${port}`);
  if (smtp === null) throw new Error("no address");
  return { smtp: { ...smtp, ...change }, password: secret, from };
}

const letter = letterOf(
  {
    purpose: "reset",
    isConfirmed: true,
    name: "Anna <b>",
    accountName: "Acme & Co",
    invitedBy: null,
    address: `${publicUrl}/portal/link#TOKEN`,
    expiresAt: Date.UTC(2026, 4, 4, 8),
    timeZone: "Europe/Berlin",
  },
  "en",
);
const anna = { accountId: 1, name: "Anna", email: "anna@acme.example" };

test("the address of a mail server has no password, and a usual port", () => {
  expect(readSmtpAddress("smtp://me%40x@mail.example")).toMatchObject({ port: 587, user: "me@x", mayBePlain: false });
  expect(readSmtpAddress("smtps://mail.example")).toMatchObject({ port: 465, isTlsFromStart: true, user: null });
  expect(readSmtpAddress("smtp://mail.example:25?insecure=true")).toMatchObject({ port: 25, mayBePlain: true });
  for (const host of ["127.0.0.1", "localhost", "[::1]"]) {
    expect(readSmtpAddress(`smtp://${host}`)).toMatchObject({ mayBePlain: true });
  }
  const wrong = ["smtp://me:secret@mail.example", "mail.example", "http://mail.example", "smtp://", "smtp://x/y"];
  for (const text of [...wrong, "smtp://x?insecure=1", "smtp://x?tls=no"]) expect(readSmtpAddress(text)).toBeNull();
});

test("a letter holds its link and when it ends, and no markup of others", () => {
  expect(letter.text).toContain(`${publicUrl}/portal/link#TOKEN`);
  expect(letter.text).toContain("4 May 2026 at 10:00 (Europe/Berlin)");
  expect(letter.html).toContain(`<a href="${publicUrl}/portal/link#TOKEN" `);
  expect(letter.html).toContain("Anna &#60;b&#62;");
  expect(letter.html).not.toMatch(/<b>|<img|src=/);
});

test("three mails at once go to one address and 50 from one account, then as many an hour", () => {
  const hourMs = 3_600_000;
  const links = new MailAllowances(ofLinks);
  const times = (count: number, take: (index: number) => boolean) =>
    Array.from({ length: count }, (_, index) => take(index)).filter(Boolean).length;
  expect(times(10, () => links.take("Anna@acme.example", 1, 0))).toBe(3);
  expect(links.take("anna@ACME.example", 2, 0)).toBe(false);
  expect(times(10, () => links.take("anna@acme.example", 1, hourMs))).toBe(3);
  expect(times(100, (index) => links.take(`person-${index}@acme.example`, 3, 0))).toBe(50);
  expect(times(100, (index) => links.take(`another-${index}@acme.example`, 3, hourMs))).toBe(50);
  expect(links.take("person@else.example", 4, hourMs)).toBe(true);
  const notices = new MailAllowances(ofNotices);
  expect(times(100, (index) => notices.take(`person-${index}@acme.example`, 3, 0))).toBe(10);
});

describe("a mail", () => {
  let server: MailServer;
  beforeAll(async () => {
    server = await startMailServer({ password: secret, refused: ["gone@acme.example"] });
  });
  afterAll(() => server.close());

  test("is handed over encrypted, with the sign-in, as text and as HTML", async () => {
    const arrived = server.next();
    expect(await new Mail(settings(server.port), () => {}).send(anna, letter)).toBeNull();
    const { text, isEncrypted, user, to } = await arrived;
    expect([isEncrypted, user, to]).toEqual([true, "postman", ["anna@acme.example"]]);
    expect(text).toContain("From: Odograph <fleet@acme.example>");
    expect(text).toMatch(/Message-ID: <[\w-]{36}@acme\.example>\r/);
    for (const part of ["text/plain", "text/html", "Choose a new password"]) expect(text).toContain(part);
  });

  test("is not handed over to a server that cannot prove who it is, unless it is on this machine", async () => {
    const before = server.received.length;
    const strict = new Mail(settings(server.port, { mayBePlain: false }), () => {});
    expect(await strict.send(anna, letter)).toBe("unreachable");
    const plain = await startMailServer({ isPlain: true });
    const toPlain = new Mail({ ...settings(plain.port, { mayBePlain: false, user: null }) }, () => {});
    expect(await toPlain.send(anna, letter)).toBe("unreachable");
    expect([server.received.length - before, plain.received.length]).toEqual([0, 0]);
    await plain.close();
  });

  test("that fails says why, and the log holds neither the address nor the password nor the link", async () => {
    const seen: unknown[] = [];
    const send = (changed: MailSettings, email = anna.email) =>
      new Mail(changed, (fact) => seen.push(fact)).send({ accountId: 1, name: "Anna", email }, letter);
    expect(await send(settings(server.port), "gone@acme.example")).toBe("address_refused");
    expect(await send({ ...settings(server.port), password: "wrong" })).toBe("sign_in_refused");
    expect(await send(settings(await freePort()))).toBe("unreachable");
    expect(seen.length).toBe(3);
    expect(JSON.stringify(seen)).not.toMatch(/gone|acme|wrong|TOKEN|mail password/);
  });

  test("to a server that says nothing keeps nobody waiting", async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as { port: number };
    const mail = new Mail(settings(port), () => {}, { stepMs: 200, waitMs: 100 });
    expect(await mail.send(anna, letter)).toBe("unreachable");
    silent.close();
  });
});

onEachEngine("the portal with mail", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });
  let server: MailServer;
  beforeAll(async () => {
    server = await startMailServer({ password: secret, refused: ["refused@acme.example"] });
  });
  afterAll(() => server.close());
  const withMail = () => given().node({ mail: settings(server.port), publicUrl });
  const tokenIn = (text: string) => /https:\/\/fleet\.example\/portal\/link#([\w-]{43})/.exec(text)?.[1] ?? "";

  test("mails an invitation in the account's language, with another link than the one that the owner sees", async () => {
    const { signIn, browser } = withMail();
    const olga = await signIn("olga@acme.example");
    expect((await olga.change("PUT", "/account/preferences", { language: "de" })).status).toBe(200);
    const arrived = server.next();
    const { body } = await olga.post("/fleet/users", { fields: { name: "Eva", email: "eva@acme.example" } });
    expect([body.link.is_mailed, body.link.mail_problem]).toEqual([true, null]);
    const { text, to } = await arrived;
    expect(to).toEqual(["eva@acme.example"]);
    expect(text).toContain("Guten Tag Eva,");
    expect(text).toContain("Olga Orlova lädt Sie ein");
    const token = tokenIn(text);
    const seen = body.link.url.split("#")[1];
    expect(body.link.url).toBe(`${publicUrl}/portal/link#${seen}`);
    expect(seen).not.toBe(token);
    for (const either of [seen, token]) expect((await browser().post("/link", { token: either })).status).toBe(200);
    expect((await browser().post("/link/use", { token, new_password: "a good password" })).status).toBe(200);
    // Of the two, one can be used.
    expect((await browser().post("/link/use", { token: seen, new_password: "another password" })).status).toBe(404);
    await olga.change("PUT", "/account/preferences", {});
  });

  test("mails a link to people who have forgotten the password, and never says whether anybody has the address", async () => {
    const { signIn, browser } = withMail();
    const olga = await signIn("olga@acme.example");
    expect((await browser().get("/sign-in")).body).toMatchObject({ sends_mail: true });
    const invited = await olga.post("/fleet/users", { fields: { name: "Ida", email: "ida@acme.example" } });
    const arrived = server.next();
    const ask = (email: string, address = "192.0.2.9") =>
      browser(address).post("/password/forgotten", { email, language: "es" });
    const known = await ask("Anna@Acme.example");
    const { text, to } = await arrived;
    expect(to).toEqual(["anna@acme.example"]);
    expect(text).toContain("Hola:");
    const unknown = await ask("nobody@acme.example");
    const disabled = await ask("clara@suspended.example");
    for (const other of [unknown, disabled]) expect([other.status, other.text]).toEqual([known.status, known.text]);
    expect(known.status).toBe(204);
    // Invited people keep the link of the owner, whatever strangers ask for.
    const again = server.next();
    await ask("ida@acme.example");
    await again;
    const token = invited.body.link.url.split("#")[1];
    expect((await browser().post("/link", { token })).status).toBe(200);
    const used = await browser().post("/link/use", { token: tokenIn(text), new_password: "a new password" });
    expect([used.status, used.body.user.email]).toEqual([200, "anna@acme.example"]);
    expect(server.received.filter((mail) => mail.to[0]?.startsWith("nobody"))).toEqual([]);
  });

  test("writes into the log that nobody who was signed in asked for it", async () => {
    const { browser, signIn } = withMail();
    const arrived = server.next();
    await browser("192.0.2.71").post("/password/forgotten", { email: "anna@acme.example" });
    await arrived;
    const olga = await signIn("olga@acme.example");
    const { body } = await olga.get("/fleet/log?by=stranger");
    expect(body.data[0]).toMatchObject({
      actor: { kind: "stranger", id: null, name: null },
      action: "link.created",
      name: "Anna Ahlberg",
      details: { purpose: "reset", via: "mail" },
    });
    const mine = (await olga.get(`/fleet/log?by=${given().users.anna.id}`)).body.data;
    expect(mine.filter(({ action }: { action: string }) => action === "link.created")).toEqual([]);
  });

  test("does not let an owner fill a mailbox by writing its address in other ways", async () => {
    const { signIn, browser } = withMail();
    const olga = await signIn("olga@acme.example");
    const invite = (email: string) => olga.post("/fleet/users", { fields: { name: "Zoe", email } });
    for (const email of [
      "zo\u200be@mail.example",
      "<zoe@mail.example>",
      "zoe\u202e@mail.example",
      '"zoe"@mail.example',
    ]) {
      const { status, body } = await invite(email);
      expect([email, status]).toEqual([email, 400]);
      expect(body.error.fields.email).toContain("without invisible characters, brackets");
    }
    const mailed: boolean[] = [];
    const ids: string[] = [];
    for (const email of ["zoe@mail.example", "Zoe+1@mail.example", "zoe+2@MAIL.example", "zoe+3@mail.example"]) {
      const { body } = await invite(email);
      mailed.push(body.link.is_mailed);
      ids.push(body.data.user_id);
    }
    expect(mailed).toEqual([true, true, true, false]);
    // An earlier version has stored such addresses. Its users are still found, and their mails count for the mailbox.
    const stored = ["yo\u200be@mail.example", "<yoe@mail.example>", "yoe@mail.example", "yoe\u202e@mail.example"];
    await given().store.database.transaction(async (tx) => {
      for (const [index, email] of stored.entries()) {
        await tx.run(sql`update users set email = ${email}, email_key = ${email} where id = ${ids[index] ?? ""}`);
      }
    });
    const problems: unknown[] = [];
    for (const id of ids) problems.push((await olga.post(`/fleet/users/${id}/link`)).body.link.mail_problem);
    expect(problems).toEqual(["address_refused", null, null, "too_many"]);
    const asked: number[] = [];
    for (const [index, email] of stored.entries()) {
      asked.push((await browser(`198.51.100.${index}`).post("/password/forgotten", { email })).status);
    }
    expect(asked).toEqual([204, 204, 204, 429]);
    // The mail server took two of three each time.
    const toYoe = () => server.received.filter(({ to }) => to[0] === "yoe@mail.example");
    await until(() => toYoe().length === 4);
    expect(toYoe().every(({ to }) => to.length === 1)).toBe(true);
  });

  // The rest is of mails and their limits, which no store knows.
  if (engine.name === "postgres") return;

  test("shows the owner the link if the mail fails, and says so", async () => {
    const { signIn, browser } = withMail();
    const olga = await signIn("olga@acme.example");
    const { status, body } = await olga.post("/fleet/users", {
      fields: { name: "Rea", email: "refused@acme.example" },
    });
    expect([status, body.link.is_mailed, body.link.mail_problem]).toEqual([201, false, "address_refused"]);
    expect((await browser().post("/link", { token: body.link.url.split("#")[1] })).status).toBe(200);
  });

  test("lets nobody fill a mailbox, nor ask for ever from one address", async () => {
    const { browser } = withMail();
    const toBen = () => server.received.filter(({ to }) => to[0] === "ben@acme.example").length;
    const before = toBen();
    for (const email of ["ben@acme.example", "no-such@acme.example"]) {
      const statuses: number[] = [];
      for (let index = 0; index < 4; index++) {
        const { status } = await browser(`198.51.100.${index}`).post("/password/forgotten", { email });
        statuses.push(status);
      }
      expect([email, ...statuses]).toEqual([email, 204, 204, 204, 429]);
    }
    const statuses: number[] = [];
    for (let index = 0; index < 12; index++) {
      const { status } = await browser("203.0.113.77").post("/password/forgotten", { email: `x${index}@acme.example` });
      statuses.push(status);
    }
    expect([statuses[0], statuses.at(-1)]).toEqual([204, 429]);
    // They come later, and must not be taken for those of the next test.
    await until(() => toBen() === before + 3);
  });

  test("does not let an owner fill a mailbox: the link is made and shown, and it is said that it was not mailed", async () => {
    const { browser, signIn, time } = withMail();
    const olga = await signIn("olga@acme.example");
    const link = async () => (await olga.post(`/fleet/users/${given().users.ben.id}/link`)).body.link;
    const made = [];
    for (let index = 0; index < 4; index++) made.push(await link());
    expect(made.map(({ is_mailed, mail_problem }) => [is_mailed, mail_problem])).toEqual([
      [true, null],
      [true, null],
      [true, null],
      [false, "too_many"],
    ]);
    expect((await browser().post("/link", { token: made[3].url.split("#")[1] })).status).toBe(200);
    time.aheadMs += 20 * 60_000;
    expect((await link()).is_mailed).toBe(true);
  });

  test("tells the old address that its e-mail was changed, without the new one", async () => {
    const { signIn } = withMail();
    const olga = await signIn("olga@acme.example");
    const { user_id, revision } = (await olga.get("/fleet/users")).body.data[0];
    const arrived = server.next();
    const change = (email: string, at: number) =>
      olga.change("PUT", `/fleet/users/${user_id}`, { revision: at, fields: { email }, current_password: password });
    expect((await change("olga@moved.example", revision)).status).toBe(200);
    const { text, to } = await arrived;
    expect(to).toEqual(["olga@acme.example"]);
    expect(text).toContain("The e-mail of your access to the fleet portal was changed");
    expect(text).not.toContain("moved.example");
    // Nobody has confirmed the others, which may be strangers': no more go there today.
    expect((await change("olga@stranger.example", revision + 1)).status).toBe(200);
    expect((await change("olga@home.example", revision + 2)).status).toBe(200);
    const isOlga = sql`id = ${user_id}`;
    await given().store.database.transaction((tx) =>
      tx.writeAny(sql`update users set confirmed_email = email where ${isOlga}`),
    );
    const before = server.received.length;
    const back = server.next();
    expect((await change("olga@acme.example", revision + 3)).status).toBe(200);
    expect([(await back).to, server.received.length]).toEqual([["olga@home.example"], before + 1]);
    expect(server.received.flatMap((mail) => mail.to)).not.toContain("olga@stranger.example");
  });

  test("takes the address of a link from its settings, not from a request that a stranger may have made up", async () => {
    const { browser } = withMail();
    const arrived = server.next();
    const forged = { "X-Forwarded-Host": "evil.example", Origin: "http://evil.example" };
    const answer = await browser("192.0.2.44").post("/password/forgotten", { email: "anna@acme.example" }, forged);
    expect(answer.status).toBe(204);
    const { text } = await arrived;
    expect(text).not.toContain("evil.example");
    expect(tokenIn(text)).not.toBe("");
  });
});
