import { describe, expect, test } from "bun:test";
import { sql } from "../../src/store/sql.ts";
import { everyRow } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { load } from "../support/fleet.ts";
import { type Browser, type PortalUnderTest, password, sharedPortal } from "../support/portal.ts";

const dayMs = 86_400_000;
const next = "battery staple";

onEachEngine("a browser in which someone has signed in before", (engine) => {
  const given = sharedPortal(engine);
  const right = (email: string) => ({ email, password });
  const wrong = (email: string) => ({ email, password: "wrong horse" });

  /** Strangers give wrong passwords until nobody new can sign in with this e-mail. */
  async function lockOut({ browser }: PortalUnderTest, email: string): Promise<void> {
    for (let attempt = 0; attempt < 10; attempt++) {
      expect((await browser(`198.51.100.${attempt}`).post("/session", wrong(email))).status).toBe(401);
    }
    expect((await browser("203.0.113.77").post("/session", right(email))).status).toBe(429);
  }

  async function statuses(count: number, browser: Browser, body: unknown): Promise<number[]> {
    const seen: number[] = [];
    for (let index = 0; index < count; index++) seen.push((await browser.post("/session", body)).status);
    return seen;
  }

  test("lets its user sign in, whatever strangers do, on every node and after signing out", async () => {
    const { node } = given();
    const email = "anna@acme.example";
    const [first, second] = [node({ isQuick: true }), node({ isQuick: true })];
    const anna = await first.signIn(email);
    expect((await anna.change("DELETE", "/session")).status).toBe(204);
    for (const each of [first, second]) {
      await lockOut(each, email);
      const own = each.browser("203.0.113.77");
      own.knownCookie = anna.knownCookie;
      expect((await own.post("/session", right(email.toUpperCase()))).status).toBe(200);
      expect(own.knownCookie).not.toBe(anna.knownCookie);
    }
  });

  test("is a stranger after a change of password, but for the browser in which it was changed", async () => {
    const { node } = given();
    const world = node();
    const email = "ben@acme.example";
    const [mine, other] = [await world.signIn(email), await world.signIn(email)];
    const before = mine.knownCookie;
    const changed = await mine.post("/password", { current_password: password, new_password: next });
    expect([changed.status, changed.text]).toEqual([204, ""]);
    expect(mine.knownCookie).not.toBe(before);
    const quick = node({ isQuick: true });
    await lockOut(quick, email);
    const tried: number[] = [];
    for (const knownCookie of [other.knownCookie, before, mine.knownCookie]) {
      const visitor = quick.browser("192.0.2.7");
      visitor.knownCookie = knownCookie;
      tried.push((await visitor.post("/session", right(email))).status);
    }
    expect(tried).toEqual([429, 429, 200]);
    expect((await mine.post("/password", { current_password: next, new_password: password })).status).toBe(204);
  });

  test("is a stranger after a fleet file gave its user another password", async () => {
    const { node, store, users, accounts } = given();
    const { id, name, email } = users.otto;
    const record = { type: "user", id, account_id: accounts.polar.id, name, email, role: "owner" };
    const account = { type: "account", id: accounts.polar.id, name: "Polar" };
    const otto = await node().signIn(email);
    await load(store.database, [account, { ...record, password: next }], Date.now());
    const world = node({ isQuick: true });
    await lockOut(world, email);
    const visitor = world.browser();
    visitor.knownCookie = otto.knownCookie;
    expect((await visitor.post("/session", right(email))).status).toBe(429);
    await load(store.database, [account, { ...record, password }], Date.now());
  });

  test("leaves nothing in the store, and cannot be made up", async () => {
    const { node, store, users } = given();
    const world = node({ isQuick: true });
    const email = users.anna.email;
    const anna = await world.signIn(email);
    const proof = anna.knownCookie?.split("=")[1] ?? "";
    const [id = "", madeAt = "", mac = ""] = proof.split(".");
    const stored = JSON.stringify(await everyRow(store.database));
    for (const part of [id, mac]) expect(stored).not.toContain(part);
    await lockOut(world, email);
    const secret = await store.database.get<{ value: string }>(
      sql`select value from secrets where name = 'known_browser_signing'`,
    );
    expect(secret?.value.length).toBeGreaterThanOrEqual(43);
    const flipped = (text: string) => (text.startsWith("A") ? "B" : "A") + text.slice(1);
    const forged = [
      `${flipped(id)}.${madeAt}.${mac}`,
      `${id}.${(Number.parseInt(madeAt, 36) + 1).toString(36)}.${mac}`,
      `${id}.${madeAt}.${flipped(mac)}`,
      `${id}.${madeAt}.${mac.slice(1)}`,
      `${id}.${madeAt}`,
      "~".repeat(50),
      `${"~".repeat(4)}${proof}`,
      "x".repeat(4_000),
    ];
    for (const value of forged) {
      const visitor = world.browser();
      visitor.knownCookie = `odograph_browser=${value}`;
      expect([value, (await visitor.post("/session", right(email))).status]).toEqual([value, 429]);
    }
    expect((await anna.post("/session", right(email))).status).toBe(200);
  });

  // Proofs and attempts are of this process: the rest asks nothing else of the store.
  if (engine.name === "postgres") return;

  test("is not kept out by wrong passwords from its own address", async () => {
    const world = given().node({ isQuick: true });
    const anna = await world.signIn("anna@acme.example");
    const same = world.browser();
    for (let n = 0; n < 30; n++) await same.post("/session", wrong(`user${n}@acme.example`));
    expect((await same.post("/session", right("anna@acme.example"))).status).toBe(429);
    expect((await anna.post("/session", right("anna@acme.example"))).status).toBe(200);
  });

  test("has ten attempts of its own and then one a minute, and takes none of others", async () => {
    const world = given().node({ isQuick: true });
    const email = "ben@acme.example";
    const ben = await world.signIn(email);
    expect(await statuses(11, ben, wrong(email))).toEqual([...Array(10).fill(401), 429]);
    world.verified.count = 0;
    expect((await ben.post("/session", right(email))).status).toBe(429);
    expect(world.verified.count).toBe(0);
    expect((await world.browser().post("/session", right(email))).status).toBe(200);
    world.time.aheadMs += 60_000;
    expect(await statuses(2, ben, wrong(email))).toEqual([401, 429]);
  });

  test("is known to its own user only, and gives no access", async () => {
    const world = given().node({ isQuick: true });
    const ben = await world.signIn("ben@acme.example");
    await lockOut(world, "anna@acme.example");
    expect((await ben.post("/session", right("anna@acme.example"))).status).toBe(429);
    const visitor = world.browser();
    visitor.knownCookie = ben.knownCookie;
    expect((await visitor.get("/session")).status).toBe(401);
    expect((await visitor.get("/keys")).status).toBe(401);
    visitor.cookie = ben.knownCookie?.replace("odograph_browser", "odograph_session") ?? "";
    expect((await visitor.get("/session")).status).toBe(401);
  });

  test("may be known to four people who share it, the last four of them", async () => {
    const world = given().node({ isQuick: true });
    const shared = world.browser();
    const emails = [...["anna", "ben", "olga"].map((name) => `${name}@acme.example`), "nils@polar.example"];
    // Signing in twice takes one place.
    for (const email of ["otto@polar.example", ...emails, ...emails]) {
      expect((await shared.post("/session", right(email))).status).toBe(200);
    }
    expect(shared.knownCookie?.split("~")).toHaveLength(4);
    const known: number[] = [];
    for (const email of [...emails, "otto@polar.example"]) {
      await lockOut(world, email);
      const visitor = world.browser();
      visitor.knownCookie = shared.knownCookie;
      known.push((await visitor.post("/session", right(email))).status);
      world.time.aheadMs += 60_000;
    }
    expect(known).toEqual([200, 200, 200, 200, 429]);
  });

  test("is a stranger again after 180 days", async () => {
    const world = given().node({ isQuick: true });
    const email = "anna@acme.example";
    const anna = await world.signIn(email);
    world.time.aheadMs += 180 * dayMs - 60_000;
    await lockOut(world, email);
    const early = world.browser();
    early.knownCookie = anna.knownCookie;
    expect((await early.post("/session", right(email))).status).toBe(200);
    world.time.aheadMs += 60_000 + 20 * 60_000;
    await lockOut(world, email);
    expect((await anna.post("/session", right(email))).status).toBe(429);
  });

  describe("shows nothing of who exists", () => {
    test("a browser with a proof gets the same answers and slow hashes for an unknown e-mail", async () => {
      const { node, users } = given();
      const world = node({ isQuick: true });
      const ben = await world.signIn("ben@acme.example");
      const seen = [];
      for (const email of [users.anna.email, "nobody@acme.example", users.dora.email, users.clara.email]) {
        const answers = [];
        for (let attempt = 0; attempt < 11; attempt++) {
          world.verified.count = 0;
          const visitor = world.browser(`198.51.100.${attempt}`);
          visitor.knownCookie = ben.knownCookie;
          const { status, body, headers } = await visitor.post("/session", wrong(email));
          answers.push([status, body.error.code, headers.getSetCookie(), world.verified.count]);
        }
        seen.push(answers);
      }
      for (const answers of seen) expect(answers).toEqual(seen[0] ?? []);
      expect(seen[0]?.map(([status]) => status)).toEqual([...Array(10).fill(401), 429]);
    });
  });

  test("a password can be changed while strangers give wrong ones, and a session cannot guess it", async () => {
    const { node, store, users } = given();
    const world = node({ isQuick: true });
    const { id, email } = users.ben;
    const ben = await world.signIn(email);
    await lockOut(world, email);
    const same = world.browser();
    for (let n = 0; n < 30; n++) await same.post("/session", wrong(`user${n}@acme.example`));
    const change = (current_password: string) => ben.post("/password", { current_password, new_password: next });
    const guesses: number[] = [];
    for (let attempt = 0; attempt < 9; attempt++) guesses.push((await change(`guess ${attempt}`)).status);
    expect(guesses).toEqual(Array(9).fill(400));
    const before = await store.database.get<{ password_hash: string }>(
      sql`select password_hash from users where id = ${id}`,
    );
    expect((await change(password)).status).toBe(204);
    expect([(await change("guess")).status, (await change("guess")).status]).toEqual([400, 429]);
    await store.database.transaction((tx) =>
      tx.run(sql`update users set password_hash = ${before?.password_hash ?? null} where id = ${id}`),
    );
  });
});
