import { expect, test } from "bun:test";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { load } from "../support/fleet.ts";
import { until } from "../support/patience.ts";
import { type Browser, type PortalUnderTest, password, sharedPortal } from "../support/portal.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

onEachEngine("a session", (engine) => {
  const given = sharedPortal(engine);
  const isIn = async (browser: Browser) => (await browser.get("/session")).status === 200;

  /** No answer waits until it is stored that the session was used. */
  const isUsed = async ({ time }: PortalUnderTest, browser: Browser) => {
    expect(await isIn(browser)).toBe(true);
    const hash = new Bun.CryptoHasher("sha256").update(browser.cookie?.split("=")[1] ?? "").digest("hex");
    await until(async () => {
      const row = await given().store.database.get<{ last_seen_at: number }>(
        sql`select last_seen_at from sessions where token_hash = ${hash}`,
      );
      return (row?.last_seen_at ?? 0) > Date.now() + time.aheadMs - hourMs;
    });
  };

  test("ends after twelve hours without use, and not before", async () => {
    const world = given().node();
    const anna = await world.signIn("anna@acme.example");
    world.time.aheadMs += 12 * hourMs - minuteMs;
    await isUsed(world, anna);
    // It was used, so the twelve hours begin anew.
    world.time.aheadMs += 12 * hourMs - minuteMs;
    await isUsed(world, anna);
    world.time.aheadMs += 12 * hourMs;
    expect(await isIn(anna)).toBe(false);
  });

  test("is not kept alive by a page that asks on its own", async () => {
    const world = given().node();
    const anna = await world.signIn("anna@acme.example");
    const unattended = { "X-Odograph-Unattended": "1" };
    const poll = async () => (await anna.get("/data/positions/latest", unattended)).status;
    for (let hours = 0; hours < 11; hours++) {
      world.time.aheadMs += hourMs;
      expect(await poll()).toBe(200);
    }
    world.time.aheadMs += hourMs;
    expect(await poll()).toBe(401);
    expect(await isIn(anna)).toBe(false);
  });

  test("ends after seven days, however much it is used", async () => {
    const world = given().node();
    const anna = await world.signIn("anna@acme.example");
    for (let hours = 0; hours < 7 * 24 - 8; hours += 8) {
      world.time.aheadMs += 8 * hourMs;
      await isUsed(world, anna);
    }
    world.time.aheadMs += 8 * hourMs;
    expect(await isIn(anna)).toBe(false);
    expect(world.time.aheadMs).toBe(7 * dayMs);
  });

  test("is good for reading while another writes for long", async () => {
    const { node, store } = given();
    const world = node();
    const anna = await world.signIn("anna@acme.example");
    world.time.aheadMs += hourMs;
    const other = await store.open();
    const reading = Promise.withResolvers<void>();
    const writing = other.transaction(async (tx) => {
      await tx.run(sql`update sessions set last_seen_at = last_seen_at`);
      await reading.promise;
    });
    try {
      expect(await isIn(anna)).toBe(true);
    } finally {
      reading.resolve();
      await writing;
    }
  });

  test("that is over leaves no row once its user signs in again", async () => {
    const { store, users, ...shared } = given();
    const world = shared.node();
    await world.signIn("ben@acme.example");
    world.time.aheadMs += 12 * hourMs;
    await world.signIn("ben@acme.example");
    const rows = await store.database.all(sql`select created_at from sessions where user_id = ${users.ben.id}`);
    expect(rows.length).toBe(1);
  });

  test("of a user who is disabled or whose account is suspended is over at once, and back when they are", async () => {
    const { signIn, store, users, accounts } = given();
    const otto = await signIn("otto@polar.example");
    const set = (user: string, account: string) =>
      store.database.transaction(async (tx) => {
        await tx.run(sql`update users set status = ${user} where id = ${users.otto.id}`);
        await tx.run(sql`update accounts set status = ${account} where id = ${accounts.polar.id}`);
      });
    const seen: number[] = [];
    for (const [user, account] of [
      ["disabled", "active"],
      ["active", "suspended"],
      ["active", "active"],
    ] as const) {
      await set(user, account);
      seen.push((await otto.get("/session")).status);
    }
    expect(seen).toEqual([401, 401, 200]);
  });

  test("survives a change of password in its own browser and in no other", async () => {
    const { node } = given();
    const { signIn, browser } = node();
    const [mine, other, someoneElse] = [
      await signIn("ben@acme.example"),
      await signIn("ben@acme.example"),
      await signIn("anna@acme.example"),
    ];
    const next = "battery staple";
    const change = (current_password: string, new_password: string) =>
      mine.post("/password", { current_password, new_password });
    const wrong = await change("wrong horse", next);
    expect(wrong.status).toBe(400);
    expect(wrong.body.error.fields).toEqual({ current_password: "this is not your password" });
    for (const poor of ["short", "x".repeat(201), "with\nline end"]) {
      expect(Object.keys((await change(password, poor)).body.error.fields)).toEqual(["new_password"]);
    }
    expect((await change(password, password)).body.error.fields).toEqual({
      new_password: "this is the password you have; choose another",
    });
    expect((await other.get("/session")).status).toBe(200);
    const changed = await change(password, next);
    expect([changed.status, changed.text]).toEqual([204, ""]);
    const statuses = await Promise.all([mine, other, someoneElse].map((one) => one.get("/session")));
    expect(statuses.map(({ status }) => status)).toEqual([200, 401, 200]);
    expect((await browser().post("/session", { email: "ben@acme.example", password })).status).toBe(401);
    expect((await browser().post("/session", { email: "ben@acme.example", password: next })).status).toBe(200);
    expect((await change(next, password)).status).toBe(204);
  });

  test("ends when a fleet file gives its user another password, and not when it gives the same", async () => {
    const { signIn, store, users, accounts } = given();
    const { id, name, email } = users.otto;
    const record = { type: "user", id, account_id: accounts.polar.id, name, email, role: "owner" };
    const account = { type: "account", id: accounts.polar.id, name: "Polar" };
    const otto = await signIn(email);
    const statuses: number[] = [];
    for (const given of [password, "battery staple"]) {
      await load(store.database, [account, { ...record, password: given }], Date.now());
      statuses.push((await otto.get("/session")).status);
    }
    await load(store.database, [account, { ...record, password }], Date.now());
    expect(statuses).toEqual([200, 401]);
  });
});
