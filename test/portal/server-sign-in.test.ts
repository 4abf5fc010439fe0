import { describe, expect, test } from "bun:test";
import { HashQueue } from "../../src/access/hash-queue.ts";
import { noPreferences } from "../../src/domain/preferences.ts";
import { sql } from "../../src/store/sql.ts";
import { everyRow } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { until } from "../support/patience.ts";
import { password, sharedPortal } from "../support/portal.ts";
import { withUnwritable } from "../support/unwritable.ts";

/** Says how many have asked for a hash. */
class CountingQueue extends HashQueue {
  asked = 0;

  override run<Result>(...call: Parameters<typeof HashQueue.prototype.run<Result>>): Promise<Result> {
    this.asked++;
    return super.run(...call);
  }
}

onEachEngine("the portal", (engine) => {
  const given = sharedPortal(engine);

  describe("signing in", () => {
    test("gives a session that tells who it is, and signing out ends it", async () => {
      const { browser, users, accounts, store, ...world } = given();
      const visitor = browser();
      expect(await visitor.get("/session")).toMatchObject({ status: 401, body: { error: { code: "NOT_SIGNED_IN" } } });
      const before = Date.now();
      const signedIn = await visitor.post("/session", { email: " Anna@ACME.example ", password });
      expect(signedIn.status).toBe(200);
      expect(signedIn.body).toEqual({
        user: {
          user_id: users.anna.id,
          name: "Anna Ahlberg",
          email: "anna@acme.example",
          role: "sub_account",
          has_password: true,
          needs_confirmation: false,
        },
        account: {
          account_id: accounts.acme.id,
          name: "Acme",
          time_zone: "UTC",
          limits: { per_second: 1_000_000, per_day: 1_000_000_000, account_per_day: null },
        },
        preferences: { own: noPreferences, account: noPreferences },
        map: { style: null, style_dark: null, tiles: null, problem: null },
        has_vehicles: true,
        has_geocoder: false,
        has_drivers: true,
        demo: null,
        demo_history: null,
        base_url: "http://odograph.test/v1",
      });
      expect((await visitor.get("/session")).body).toEqual(signedIn.body);
      const { body } = await world.get(`/users/${users.anna.id}`);
      expect(Date.parse(body.data.last_login_at)).toBeGreaterThanOrEqual(before);

      const { cookie } = visitor;
      const out = await visitor.change("DELETE", "/session");
      expect([out.status, out.text]).toEqual([204, ""]);
      expect(out.headers.get("Set-Cookie")).toStartWith("odograph_session=; Path=/portal; Max-Age=0; HttpOnly");
      expect(visitor.cookie).toBe("odograph_session=");
      // Nor does it help to have kept the cookie.
      visitor.cookie = cookie;
      expect((await visitor.get("/session")).status).toBe(401);
      expect((await visitor.change("DELETE", "/session")).status).toBe(204);
    });

    test("sets a cookie that scripts cannot read and other sites cannot send, over TLS only where there is TLS", async () => {
      const { browser } = given();
      const credentials = { email: "olga@acme.example", password };
      const plain = await browser().post("/session", credentials);
      const proof = "[\\w-]{22}\\.[0-9a-z]{1,11}\\.[\\w-]{43}";
      const flags = "HttpOnly; SameSite=Strict";
      expect(plain.headers.getSetCookie()).toEqual([
        expect.stringMatching(new RegExp(`^odograph_session=[\\w-]{43}; Path=/portal; Max-Age=604800; ${flags}$`)),
        expect.stringMatching(new RegExp(`^odograph_browser=${proof}; Path=/portal; Max-Age=15552000; ${flags}$`)),
      ]);
      const proxied = { "X-Forwarded-Proto": "https", "X-Forwarded-Host": "fleet.example" };
      const secure = await browser().post("/session", credentials, proxied);
      for (const cookie of secure.headers.getSetCookie()) expect(cookie).toEndWith(`; ${flags}; Secure`);
      expect(secure.headers.getSetCookie()).toHaveLength(2);
      expect(secure.body.base_url).toBe("https://fleet.example/v1");
    });

    test("is refused with one text and after one slow hash, whatever the cause", async () => {
      const { node, users } = given();
      const { browser, verified } = node();
      const attempts = [
        { email: users.olga.email, password: "wrong horse" },
        { email: "nobody@acme.example", password },
        { email: users.dora.email, password },
        { email: users.clara.email, password },
      ];
      const answers = [];
      for (const attempt of attempts) {
        verified.count = 0;
        const visitor = browser();
        const { status, body, headers } = await visitor.post("/session", attempt);
        answers.push({ status, error: body.error, cookie: headers.get("Set-Cookie"), verified: verified.count });
      }
      const refused = { code: "NOT_SIGNED_IN", message: "the e-mail or the password is wrong" };
      expect(answers).toEqual(attempts.map(() => ({ status: 401, error: refused, cookie: null, verified: 1 })));
    });

    test("is impossible where no password was set, after one slow hash, too", async () => {
      const { node, users, store } = given();
      const { browser, verified } = node();
      await store.database.transaction((tx) =>
        tx.run(sql`update users set password_hash = null where id = ${users.nils.id}`),
      );
      expect((await browser().post("/session", { email: users.nils.email, password })).status).toBe(401);
      expect(verified.count).toBe(1);
    });

    test("needs both fields, and names what is missing", async () => {
      const { browser } = given();
      const refused: [unknown, string[]][] = [
        [{}, ["email", "password"]],
        [{ email: 7, password: null }, ["email", "password"]],
        [{ email: "a\0b", password }, ["email"]],
        [{ email: "a@b.example", password: "" }, ["password"]],
        [{ email: "a@b.example", password: "x".repeat(1001) }, ["password"]],
        [[], ["the body"]],
        [null, ["the body"]],
      ];
      for (const [body, fields] of refused) {
        const answer = await browser().post("/session", body);
        expect([answer.status, answer.body.error.code]).toEqual([400, "INVALID_REQUEST"]);
        expect(Object.keys(answer.body.error.fields)).toEqual(fields);
        for (const field of fields) expect(answer.body.error.message).toContain(`${field}: `);
      }
    });

    test("stores a hash of the session only", async () => {
      const { signIn, store } = given();
      const { cookie } = await signIn("ben@acme.example");
      const token = cookie?.split("=")[1] ?? "";
      const stored = JSON.stringify(await everyRow(store.database));
      expect(stored).not.toContain(token);
      expect(stored).toContain(new Bun.CryptoHasher("sha256").update(token).digest("hex"));
    });

    test("again ends what the browser had before, and gives another token", async () => {
      const { signIn, browser } = given();
      const olga = await signIn("olga@acme.example");
      const { cookie } = olga;
      expect((await olga.post("/session", { email: "anna@acme.example", password })).status).toBe(200);
      expect(olga.cookie).not.toBe(cookie);
      const other = browser();
      other.cookie = cookie;
      expect((await other.get("/session")).status).toBe(401);
      expect((await olga.get("/session")).body.user.name).toBe("Anna Ahlberg");
    });
  });

  describe("attempts to sign in", () => {
    const wrong = (email: string) => ({ email, password: "wrong horse" });

    test("cost nothing if the password is right and the store fails, however often", async () => {
      const { browser } = given().node({ isQuick: true });
      const right = { email: "ben@acme.example", password };
      await withUnwritable(given().store.database, ["sessions"], "53100", async () => {
        for (let attempt = 0; attempt < 12; attempt++) {
          expect((await browser("192.0.2.7").post("/session", right)).status).toBe(500);
        }
      });
      expect((await browser("192.0.2.7").post("/session", right)).status).toBe(200);
      // And no more is given back than was taken.
      for (let attempt = 0; attempt < 10; attempt++) {
        expect((await browser("192.0.2.7").post("/session", wrong(right.email))).status).toBe(401);
      }
      expect((await browser("192.0.2.7").post("/session", right)).status).toBe(429);
    });

    test("from one address are refused after thirty, for any person; a proxy on this machine names the address", async () => {
      const { browser } = given().node({ isQuick: true });
      const from = (client: string) => ({ "X-Forwarded-For": `10.9.9.9, ${client}` });
      for (let attempt = 0; attempt < 30; attempt++) {
        const tried = wrong(`user${attempt}@acme.example`);
        expect((await browser("127.0.0.1").post("/session", tried, from("198.51.100.7"))).status).toBe(401);
      }
      const right = { email: "anna@acme.example", password };
      expect((await browser("127.0.0.1").post("/session", right, from("198.51.100.7"))).status).toBe(429);
      expect((await browser("198.51.100.7").post("/session", right)).status).toBe(429);
      expect((await browser("127.0.0.1").post("/session", right, from("198.51.100.8"))).status).toBe(200);
      // What a client on another machine says of its address does not count.
      expect((await browser("198.51.100.7").post("/session", right, from("198.51.100.9"))).status).toBe(429);
    });

    /** Passwords are compared when the test says so, one at a time. */
    function heldNode(waitMs: number) {
      const compare: (() => void)[] = [];
      const verify = (given: string) => {
        return new Promise<boolean>((resolve) => compare.push(() => resolve(given === password)));
      };
      const hashes = new CountingQueue({ atOnce: 1, waitMs, knownWaitMs: waitMs, hashMs: 60_000 });
      return { ...given().node({ verify, hashes }), hashes, compare };
    }

    test("do not hold up people who sign in, first of all those in a browser that is known", async () => {
      const { signIn } = given().node({ isQuick: true });
      const { knownCookie } = await signIn("anna@acme.example");
      const { browser: held, hashes, compare, verified } = heldNode(60_000);
      const strangers = Array.from({ length: 80 }, (_, index) =>
        held(`198.51.100.${index % 4}`).post("/session", wrong(`user${index}@acme.example`)),
      );
      await until(() => compare.length === 1);
      const own = held("203.0.113.1");
      own.knownCookie = knownCookie;
      const order: string[] = [];
      const honest = [
        held("203.0.113.2").post("/session", { email: "ben@acme.example", password }),
        own.post("/session", { email: "anna@acme.example", password }),
      ].map(async (signedIn) => {
        const { status, body } = await signedIn;
        order.push(`${status} ${body.user.name}`);
      });
      const others = Promise.all(strangers.map(async (refused) => (await refused).status));
      await until(() => hashes.asked === 82);
      for (let compared = 0; compared < 7; compared++) {
        await until(() => compare.length > 0);
        compare.shift()?.();
      }
      // The stranger who was first, then Anna; one of each other address, then Ben.
      await Promise.all(honest);
      expect(order).toEqual(["200 Anna Ahlberg", "200 Ben Bakker"]);
      const rest = setInterval(() => compare.shift()?.(), 1);
      expect(new Set(await others)).toEqual(new Set([401]));
      clearInterval(rest);
      expect(verified.count).toBe(82);
    });

    test("for which there is no turn in time get a 503 that says why, and count as none", async () => {
      const { browser, compare, observations, verified } = heldNode(1);
      const first = browser("198.51.100.1").post("/session", wrong("person@acme.example"));
      await until(() => compare.length === 1);
      for (let attempt = 0; attempt < 12; attempt++) {
        const refused = await browser("203.0.113.2").post("/session", { email: "ben@acme.example", password });
        expect(refused).toMatchObject({ status: 503, body: { error: { code: "PASSWORDS_BUSY" } } });
        expect(refused.headers.get("Retry-After")).toBe("5");
      }
      expect(verified.count).toBe(1);
      expect(observations.filter(({ kind }) => kind === "request_failed")).toEqual([]);
      expect(observations).toContainEqual(
        expect.objectContaining({ kind: "request_refused", status: 503, code: "PASSWORDS_BUSY" }),
      );
      compare.shift()?.();
      expect((await first).status).toBe(401);
    });

    test("that succeed cost nothing", async () => {
      const { browser } = given().node({ isQuick: true });
      for (let attempt = 0; attempt < 12; attempt++) {
        expect((await browser().post("/session", { email: "anna@acme.example", password })).status).toBe(200);
      }
    });
  });
});
