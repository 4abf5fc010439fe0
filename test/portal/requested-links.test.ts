import { afterAll, beforeAll, expect, test } from "bun:test";
import { emailKey } from "../../src/domain/text/email.ts";
import { Mail, type MailSettings } from "../../src/portal/mail/mail.ts";
import { RequestedLinks } from "../../src/portal/mail/requested-links.ts";
import { readSmtpAddress } from "../../src/portal/mail/smtp-address.ts";
import type { Database } from "../../src/store/database.ts";
import { saveUsers, usersById } from "../../src/store/fleet/users.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { type MailServer, startMailServer } from "../support/mail-server.ts";
import { until } from "../support/patience.ts";
import { sharedPortal } from "../support/portal.ts";

const publicUrl = "https://fleet.example";
const hourMs = 3_600_000;

onEachEngine("a link for people who have forgotten the password", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });
  let server: MailServer;
  beforeAll(async () => {
    server = await startMailServer();
  });
  afterAll(() => server.close());
  const settings = (): MailSettings => {
    const smtp = readSmtpAddress(`smtp://127.0.0.1:${server.port}`);
    if (smtp === null) throw new Error("no address");
    return { smtp, password: null, from: "fleet@acme.example" };
  };

  test("is not made at first, so that what follows the answer is not slower for an address that is known", async () => {
    const { browser, signIn } = given().node({ mail: settings(), publicUrl, linksTickMs: hourMs });
    const olga = await signIn("olga@acme.example");
    const before = [await openLinks(), server.ended()];
    for (const email of ["ben@acme.example", "nobody-again@acme.example"]) {
      expect((await browser("192.0.2.70").post("/password/forgotten", { email })).status).toBe(204);
    }
    // As much work, begun later, and finished.
    for (let index = 1; index <= 3; index++) {
      const { body } = await olga.post(`/fleet/users/${given().users.anna.id}/link`);
      expect(body.link.is_mailed).toBe(true);
      await until(() => server.ended() >= (before[1] ?? 0) + index);
    }
    // Of a link that an owner makes there are two: one to see, and one that is mailed.
    expect([await openLinks(), server.ended()]).toEqual([(before[0] ?? 0) + 2, (before[1] ?? 0) + 3]);
  });

  test("is as much work for an address that nobody has, which leaves nothing that lasts", async () => {
    const counts = new Map<string, number>();
    const database = counting(given().store.database, counts);
    const mail = new Mail(settings(), () => {});
    const failed: unknown[] = [];
    const requested = new RequestedLinks({ database, mail, publicUrl, observe: (fact) => failed.push(fact) }, 20);
    const workFor = async (email: string) => {
      const [before, links] = [server.ended(), await openLinks()];
      counts.clear();
      requested.add({ email, language: null, now: Date.now() });
      await until(() => server.ended() > before);
      return [...counts, ["conversations", server.ended() - before], ["links", (await openLinks()) - links]];
    };
    const [known, unknown] = [await workFor("ben@acme.example"), await workFor("nobody@acme.example")];
    const suspended = await workFor("clara@suspended.example");
    expect(known.at(-1)).toEqual(["links", 1]);
    for (const other of [unknown, suspended]) {
      expect(other.slice(0, -1)).toEqual(known.slice(0, -1));
      expect(other.at(-1)).toEqual(["links", 0]);
    }
    expect(failed).toEqual([]);
    const all = () => given().store.database.all(sql`select 1 from one_time_links where user_id is null`);
    expect((await all()).length).toBeLessThanOrEqual(1);
  });

  test("has no text that an owner chose, and no person's name, where nobody has confirmed the address", async () => {
    const requested = linksOver(new Mail(settings(), () => {}));
    const mailTo = async (email: string) => {
      const arrived = server.next();
      requested.add({ email, language: null, now: Date.now() });
      return (await arrived).text;
    };
    const names = /Anna|Acme[^.]|Odograph Works/;
    const before = await mailTo("anna@acme.example");
    expect(before.replaceAll("fleet@acme.example", "")).not.toMatch(names);
    expect(before).toMatch(/A new password was requested for an access to Odograph with/);
    await given().store.database.transaction((tx) =>
      tx.writeAny(sql`update users set confirmed_email = email where email = 'anna@acme.example'`),
    );
    expect(await mailTo("anna@acme.example")).toMatch(/Hello Anna/);
  });

  test("goes to fifty addresses an hour that nobody of an account has confirmed, to others without that limit", async () => {
    const { database } = given().store;
    const [ben] = await usersById(database, [given().users.ben.id]);
    if (ben === undefined) throw new Error("there is no Ben");
    const strangers = Array.from({ length: 55 }, (_, index) => `stranger-${index}@elsewhere.example`);
    const rows = strangers.map((email) => ({ ...ben, id: crypto.randomUUID(), email, email_key: emailKey(email) }));
    await database.transaction((tx) => saveUsers(tx, rows, Date.now()));
    const requested = linksOver(new Mail(settings(), () => {}));
    const askAll = async () => {
      const received = server.received.length;
      for (const email of strangers) {
        const ended = server.ended();
        requested.add({ email, language: null, now: Date.now() });
        await until(() => server.ended() > ended);
      }
      return server.received.length - received;
    };
    expect(await askAll()).toBe(50);
    await database.transaction((tx) =>
      tx.writeAny(sql`update users set confirmed_email = email where email like 'stranger-%'`),
    );
    expect(await askAll()).toBe(55);
  });

  function linksOver(mail: Mail): RequestedLinks {
    return new RequestedLinks({ database: given().store.database, mail, publicUrl, observe: () => {} }, 20);
  }

  async function openLinks(): Promise<number> {
    const row = await given().store.database.get<{ n: number }>(
      sql`select count(*) as n from one_time_links where used_at is null`,
    );
    return Number(row?.n);
  }
});

/** Counts what is asked of a store. */
function counting(database: Database, counts: Map<string, number>): Database {
  return new Proxy(database, {
    get(target, name: keyof Database) {
      const member = target[name];
      if (typeof member !== "function") return member;
      return (...given: unknown[]) => {
        counts.set(name, (counts.get(name) ?? 0) + 1);
        return Reflect.apply(member, target, given);
      };
    },
  });
}
