import { expect, test } from "bun:test";
import { createKey, type KeyRequest, listKeys, revokeKey, rotateKey } from "../../src/access/keys.ts";
import { allScopes } from "../../src/domain/scopes.ts";
import { countRows, everyRow } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { failureOf } from "../support/failures.ts";
import { hourMs, load, loadedAt, smallFleet, user } from "../support/fleet.ts";

const { ann, bob, rita } = smallFleet;
const now = loadedAt + hourMs;

function request(fields: Partial<KeyRequest> = {}): KeyRequest {
  const unset = { perSecond: null, perDay: null, expiresAt: null };
  return { email: ann.email, name: "TMS", scopes: ["trips:read"], ...unset, ...fields };
}

onEachEngine("a key", (engine) => {
  const disabled = user(15, { email: "gone@acme.test", status: "disabled" });
  const copied = engine.copies(({ database }) => load(database, [...Object.values(smallFleet), disabled]));
  const storeWithFleet = async () => (await copied()).database;

  test("is stored as a hash only: its secret is in no table", async () => {
    const database = await storeWithFleet();
    const made = [await createKey(database, request(), now), await createKey(database, request(), now)];
    const stored = JSON.stringify(await everyRow(database));
    for (const { secret, key } of made) {
      expect(stored).toContain(key.prefix);
      expect(stored).toContain(new Bun.CryptoHasher("sha256").update(secret).digest("hex"));
      // Nothing but what is shown of it: not one character more.
      expect(stored).not.toContain(secret.slice(0, key.prefix.length + 1));
      expect(stored).not.toContain(secret.slice(key.prefix.length));
    }
  });

  test("that may not be is refused with the reason", async () => {
    const database = await storeWithFleet();
    const refused: [Partial<KeyRequest>, string, string][] = [
      [{ name: "  " }, "INVALID_REQUEST", "the name of a key must have 1 to 100 characters"],
      [{ name: "x".repeat(101) }, "INVALID_REQUEST", "the name of a key must have 1 to 100 characters"],
      [{ scopes: [] }, "INVALID_REQUEST", "a key needs at least one scope"],
      [{ expiresAt: now }, "INVALID_REQUEST", "the expiry must be in the future"],
      [{ perSecond: 21 }, "INVALID_REQUEST", "at most 20 requests per second"],
      [{ perDay: 1001 }, "INVALID_REQUEST", "at most 1000 requests per day"],
      [{ email: "gone@acme.test" }, "FORBIDDEN", "the user gone@acme.test is disabled"],
      [{ email: "x@y.test" }, "NOT_FOUND", "there is no user with the e-mail x@y.test"],
    ];
    for (const [fields, code, text] of refused) {
      const failure = await failureOf(createKey(database, request(fields), now));
      expect(failure.code as string).toBe(code);
      expect(failure.message).toContain(text);
    }
    expect(await countRows(database, "api_keys")).toBe(0);
  });

  test("is listed with all others, or with those of its creator, oldest first", async () => {
    const database = await storeWithFleet();
    for (const [index, email] of [ann.email, bob.email, ann.email, rita.email].entries()) {
      await createKey(database, request({ email, name: `k${index}`, scopes: allScopes }), now + index);
    }
    const names = async (email: string | null) => (await listKeys(database, email)).map(({ name }) => name);
    expect(await names(null)).toEqual(["k0", "k1", "k2", "k3"]);
    expect(await names("Ann@Acme.test")).toEqual(["k0", "k2"]);
    expect(await names("gone@acme.test")).toEqual([]);
    expect((await listKeys(database, rita.email))[0]).toMatchObject({
      account_name: "Rival",
      scopes: allScopes.join(" "),
    });
    expect((await failureOf(listKeys(database, "x@y.test"))).code).toBe("NOT_FOUND");
  });

  test("is refused to a user who has as many working keys as allowed, however many are asked for at once", async () => {
    const store = await engine.fresh();
    const databases = [store.database, await store.open()];
    await load(store.database, Object.values(smallFleet));
    const made = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) => createKey(databases[index % 2] ?? store.database, request(), now, 7)),
    );
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(7);
    expect(await listKeys(store.database, ann.email)).toHaveLength(7);
    const failure = await failureOf(createKey(store.database, request(), now, 7));
    expect(failure.code).toBe("CONFLICT");
    expect(failure.message).toBe("this user has 7 working keys, and may have 7; revoke keys that are no longer used");
    // Others have keys of their own, and what is revoked or over makes room.
    await createKey(store.database, request({ email: bob.email }), now, 7);
    const [first] = await listKeys(store.database, ann.email);
    await revokeKey(store.database, first?.id ?? "", now);
    await createKey(store.database, request({ expiresAt: now + 1 }), now, 7);
    await failureOf(createKey(store.database, request(), now, 7));
    await createKey(store.database, request(), now + 1, 7);
    // A user who has more than is allowed since then keeps them, and gets no more.
    expect((await failureOf(createKey(store.database, request(), now + 1, 3))).message).toContain("has 7 working keys");
  });

  test("can be replaced at the limit, but not by ever more keys that work beside each other", async () => {
    const database = await storeWithFleet();
    const keys = [await createKey(database, request(), now, 2), await createKey(database, request(), now, 2)];
    const successors = [];
    for (const { key } of keys) successors.push(await rotateKey(database, key.id, hourMs, now, 2));
    const [successor] = successors;
    const failure = await failureOf(rotateKey(database, successor?.key.id ?? "", hourMs, now, 2));
    expect([failure.code, failure.message]).toEqual([
      "CONFLICT",
      "this user has 2 keys that still work beside a successor; revoke one of them, or replace this key without an overlap",
    ]);
    expect((await failureOf(createKey(database, request(), now, 2))).code).toBe("CONFLICT");
    // Without an overlap there is never one more, and after it the others are over.
    const next = await rotateKey(database, successor?.key.id ?? "", 0, now, 2);
    await rotateKey(database, next.key.id, hourMs, now + hourMs, 2);
  });

  test("has no more requests a day than all keys of its account together", async () => {
    const database = await storeWithFleet();
    await load(database, [{ ...smallFleet.acme, limits: { per_second: 20, per_day: 1000, account_per_day: 300 } }]);
    const failure = await failureOf(createKey(database, request({ perDay: 301 }), now));
    expect(failure.message).toBe("the account allows at most 300 requests per day");
    await createKey(database, request({ perDay: 300 }), now);
  });
});
