import { expect, test } from "bun:test";
import { createLink, findLink, linkAddress, linkLifetimeMs, useLink } from "../../src/access/one-time-links.ts";
import { openLinks } from "../../src/store/access/one-time-links.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { hourMs, load, smallFleet, user, uuid } from "../support/fleet.ts";

const now = Date.UTC(2026, 4, 4, 8);
const both = ["invitation", "reset"] as const;

onEachEngine("a one-time link", (engine) => {
  const prepare = async () => {
    const store = await engine.fresh();
    await load(store.database, [smallFleet.acme, user(11), user(12)], now);
    const row = await store.database.get<{ account_id: number }>(
      sql`select account_id from users where id = ${uuid(11)}`,
    );
    const accountId = row?.account_id ?? 0;
    const made = (number: number, purpose: "invitation" | "reset" = "reset") =>
      store.database.transaction((tx) => createLink(tx, { purpose, accountId, userId: uuid(number) }, now));
    return { ...store, accountId, made };
  };

  test("is 256 random bits, of which only a hash is stored", async () => {
    const { database, made } = await prepare();
    const tokens = await Promise.all([made(11), made(12)].map(async (link) => (await link).token));
    expect(new Set(tokens).size).toBe(2);
    for (const token of tokens) expect(Buffer.from(token, "base64url").length).toBe(32);
    const stored = JSON.stringify(await database.all(sql`select * from one_time_links`));
    for (const token of tokens) expect(stored).not.toContain(token);
    expect(linkAddress("https://fleet.example/", tokens[0] ?? "")).toBe(
      `https://fleet.example/portal/link#${tokens[0]}`,
    );
  });

  test("is not used up by a transaction that fails", async () => {
    const { database, made } = await prepare();
    const { token } = await made(11);
    const failing = database.transaction(async (tx) => {
      await useLink(tx, token, both, now);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await findLink(database, token, both, now)).not.toBeNull();
  });

  test("expires, works for its own purpose only, and is replaced by the next one of its user", async () => {
    const { database, made, accountId } = await prepare();
    const invitation = await made(11, "invitation");
    expect([linkLifetimeMs.invitation, linkLifetimeMs.reset, linkLifetimeMs.setup]).toEqual(
      [7 * 24, 24, 24].map((hours) => hours * hourMs),
    );
    const last = now + linkLifetimeMs.invitation - 1;
    expect(await findLink(database, invitation.token, both, last)).not.toBeNull();
    expect(await findLink(database, invitation.token, both, last + 1)).toBeNull();
    expect(await findLink(database, invitation.token, ["reset", "setup"], now)).toBeNull();
    const wrong = await database.transaction((tx) => useLink(tx, invitation.token, ["setup"], now));
    expect(wrong).toBeNull();
    const of12 = await made(12);
    const next = await made(11);
    expect(await findLink(database, invitation.token, both, now)).toBeNull();
    for (const { token } of [of12, next]) expect(await findLink(database, token, both, now)).not.toBeNull();
    expect((await openLinks(database, accountId, now)).map((link) => link.user_id).sort()).toEqual([
      uuid(11),
      uuid(12),
    ]);
    for (const token of ["", "x", "%", `${next.token}x`, "A".repeat(43)]) {
      expect(await findLink(database, token, both, now)).toBeNull();
    }
  });

  test("for the first run needs neither an account nor a user", async () => {
    const { database } = await engine.fresh();
    const setup = { purpose: "setup", accountId: null, userId: null } as const;
    const first = await database.transaction((tx) => createLink(tx, setup, now));
    const second = await database.transaction((tx) => createLink(tx, setup, now));
    expect(await findLink(database, first.token, ["setup"], now)).toBeNull();
    expect(await database.transaction((tx) => useLink(tx, second.token, ["setup"], now))).not.toBeNull();
  });
});
