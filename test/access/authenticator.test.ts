import { expect, test } from "bun:test";
import { Authenticator } from "../../src/access/authenticate.ts";
import { newCredential } from "../../src/access/credential.ts";
import { createKey, revokeKey } from "../../src/access/keys.ts";
import { allScopes } from "../../src/domain/scopes.ts";
import type { Database, Reader } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { load, smallFleet } from "../support/fleet.ts";

const { acme, ann, bob, olga } = smallFleet;
const now = Date.UTC(2026, 5, 15, 12);

async function makeKey(database: Database, fields: { email?: string; expiresAt?: number } = {}) {
  const { key, secret } = await createKey(
    database,
    {
      email: fields.email ?? ann.email,
      name: "TMS",
      scopes: ["trips:read", "devices:read"],
      perSecond: null,
      perDay: null,
      expiresAt: fields.expiresAt ?? null,
    },
    now,
  );
  return { id: key.id, secret };
}

/** Counts the questions that the store is asked. */
function counted(database: Database): Reader & { asked: number } {
  return {
    engine: database.engine,
    asked: 0,
    all(query) {
      this.asked++;
      return database.all(query);
    },
    get(query) {
      this.asked++;
      return database.get(query);
    },
  };
}

const withKey = (secret: string) => new Headers({ "X-API-Key": secret });

onEachEngine("the authenticator", (engine) => {
  const copied = engine.copies(({ database }) => load(database, Object.values(smallFleet)));
  const storeWithFleet = async () => (await copied()).database;

  test("finds who calls by either header, in every way in which they may be written", async () => {
    const database = await storeWithFleet();
    const { secret, id } = await makeKey(database);
    const other = await makeKey(database);
    const authenticator = new Authenticator(database);
    const caller = async (headers: [string, string][]) =>
      (await authenticator.principal(new Headers(headers), now))?.keyId ?? null;
    const working: [string, string][][] = [
      [["Authorization", `Bearer ${secret}`]],
      [["authorization", `bearer ${secret}`]],
      [["Authorization", `BEARER   ${secret}  `]],
      [["X-API-Key", secret]],
      [["x-api-key", `  ${secret} `]],
      [
        ["Authorization", `Bearer ${secret}`],
        ["X-API-Key", secret],
      ],
      // Another scheme may be a proxy's own business, as long as the key comes in its own header.
      [
        ["Authorization", "Basic YTpi"],
        ["X-API-Key", secret],
      ],
      [
        ["Authorization", `Bearer ${secret}`],
        ["X-API-Key", ""],
      ],
    ];
    for (const headers of working) expect([headers, await caller(headers)]).toEqual([headers, id]);
    const wrong: [string, string][][] = [
      [],
      [["Authorization", secret]],
      [["Authorization", `Basic ${secret}`]],
      [["Authorization", `Bearer${secret}`]],
      [["Authorization", `Bearer ${secret} ${secret}`]],
      [["Authorization", "Bearer"]],
      [["X-API-Key", `Bearer ${secret}`]],
      [["X-API-Key", ""]],
      [
        ["X-API-Key", secret],
        ["X-API-Key", other.secret],
      ],
      [
        ["Authorization", `Bearer ${secret}`],
        ["X-API-Key", other.secret],
      ],
      [
        ["Authorization", `Bearer ${other.secret}x`],
        ["X-API-Key", secret],
      ],
    ];
    for (const headers of wrong) expect([headers, await caller(headers)]).toEqual([headers, null]);
  });

  test("tells a typo without asking the store, and asks it about a key that it does not know", async () => {
    const database = await storeWithFleet();
    const { secret } = await makeKey(database);
    const reader = counted(database);
    const authenticator = new Authenticator(reader);
    for (let index = 0; index < secret.length; index++) {
      const typo = `${secret.slice(0, index)}${secret[index] === "7" ? "8" : "7"}${secret.slice(index + 1)}`;
      expect(await authenticator.principal(withKey(typo), now)).toBeNull();
    }
    for (const text of [secret.slice(1), `${secret}0`, secret.toUpperCase(), newCredential("ingestToken").secret]) {
      expect(await authenticator.principal(withKey(text), now)).toBeNull();
    }
    expect(reader.asked).toBe(0);
    expect(await authenticator.principal(withKey(newCredential("apiKey").secret), now)).toBeNull();
    expect(reader.asked).toBe(1);
  });

  test("knows what a key may do: its creator's sight, its scopes, the narrower of its limits and the account's", async () => {
    const database = await storeWithFleet();
    const authenticator = new Authenticator(database);
    const limited = { perSecond: 2, perDay: 30 };
    const request = { name: "x", scopes: allScopes, expiresAt: null };
    const [own, ofAccount] = await Promise.all([
      createKey(database, { ...request, ...limited, email: olga.email }, now),
      createKey(database, { ...request, perSecond: null, perDay: null, email: bob.email }, now),
    ]);
    expect(await authenticator.principal(withKey(own.secret), now)).toMatchObject({
      visibility: { sees: "account", userId: olga.id },
      scopes: [...allScopes],
      limits: limited,
    });
    expect(await authenticator.principal(withKey(ofAccount.secret), now)).toMatchObject({
      visibility: { sees: "assigned", userId: bob.id },
      limits: { perSecond: 20, perDay: 1000 },
    });
    // The account's limit comes down below the key's: the account's holds.
    await load(database, [{ ...acme, limits: { per_second: 1, per_day: 20, account_per_day: 9 } }]);
    expect((await authenticator.principal(withKey(own.secret), now + 1_000))?.limits).toEqual({
      perSecond: 1,
      perDay: 20,
      accountPerDay: 9,
    });
  });

  test("believes what it knows for less than a second, and at once what it has to forget", async () => {
    const database = await storeWithFleet();
    const { secret, id } = await makeKey(database);
    const reader = counted(database);
    const authenticator = new Authenticator(reader);
    const isKnown = async (at: number) => (await authenticator.principal(withKey(secret), at)) !== null;
    expect([await isKnown(now), await isKnown(now + 400), reader.asked]).toEqual([true, true, 1]);
    await revokeKey(database, id, now);
    expect(await isKnown(now + 1_000)).toBe(false);

    const second = await makeKey(database);
    expect(await authenticator.principal(withKey(second.secret), now)).not.toBeNull();
    await revokeKey(database, second.id, now);
    authenticator.forget();
    expect(await authenticator.principal(withKey(second.secret), now)).toBeNull();
  });

  test("does not go on believing when the clock is set back", async () => {
    const database = await storeWithFleet();
    const { secret, id } = await makeKey(database);
    const authenticator = new Authenticator(database);
    expect(await authenticator.principal(withKey(secret), now)).not.toBeNull();
    await revokeKey(database, id, now);
    expect(await authenticator.principal(withKey(secret), now - 3_600_000)).toBeNull();
  });

  test("a key ends at its expiry, even one that it still knows", async () => {
    const database = await storeWithFleet();
    const { secret } = await makeKey(database, { expiresAt: now + 100 });
    const authenticator = new Authenticator(database);
    expect(await authenticator.principal(withKey(secret), now + 99)).not.toBeNull();
    expect(await authenticator.principal(withKey(secret), now + 100)).toBeNull();
  });

  test("when the store fails, it fails: an unknown state is no permission", async () => {
    const database = await storeWithFleet();
    const { secret } = await makeKey(database);
    const authenticator = new Authenticator(database);
    await database.transaction((tx) => tx.run(sql`alter table api_keys rename to away`));
    await expect(authenticator.principal(withKey(secret), now)).rejects.toThrow();
  });
});
