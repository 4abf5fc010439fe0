import { expect, test } from "bun:test";
import { isWellFormed } from "../../src/access/credential.ts";
import { createIngestToken, listTokens, revokeToken } from "../../src/access/ingest-tokens.ts";
import { keyNameExpected } from "../../src/access/keys.ts";
import { countRows, everyRow } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { failureOf } from "../support/failures.ts";
import { load, loadedAt as now, smallFleet, uuid } from "../support/fleet.ts";

const acme = smallFleet.acme.id;
const rival = smallFleet.rival.id;

onEachEngine("an ingest token", (engine) => {
  test("is made for an account, and only its hash is stored", async () => {
    const { database } = await engine.fresh();
    await load(database, Object.values(smallFleet));
    const { token, secret } = await createIngestToken(database, { accountId: acme, name: " Gateway " }, now);
    expect(isWellFormed("ingestToken", secret)).toBe(true);
    expect(token).toEqual({
      id: token.id,
      name: "Gateway",
      prefix: secret.slice(0, 12),
      accountId: acme,
      accountName: "Acme",
      createdAt: now,
      lastUsedAt: null,
      revokedAt: null,
    });
    const stored = JSON.stringify(await everyRow(database));
    expect(stored).toContain(new Bun.CryptoHasher("sha256").update(secret).digest("hex"));
    expect(stored).not.toContain(secret.slice(12));
  });

  test("is not made without a name or an account", async () => {
    const { database } = await engine.fresh();
    await load(database, Object.values(smallFleet));
    const wrongName = `the name of a token must have ${keyNameExpected}`;
    const refused: [string, string, string, string][] = [
      [acme, " ", "INVALID_REQUEST", wrongName],
      [acme, "x".repeat(101), "INVALID_REQUEST", wrongName],
      [acme, "two\nlines", "INVALID_REQUEST", wrongName],
      [acme, "yaw\u202eetag", "INVALID_REQUEST", wrongName],
      [uuid(99), "Gateway", "NOT_FOUND", `there is no account with the id ${uuid(99)}`],
    ];
    for (const [accountId, name, code, message] of refused) {
      const failure = await failureOf(createIngestToken(database, { accountId, name }, now));
      expect([failure.code as string, failure.message]).toEqual([code, message]);
    }
    expect(await countRows(database, "ingest_tokens")).toBe(0);
  });

  test("is listed by account and revoked once", async () => {
    const { database } = await engine.fresh();
    await load(database, Object.values(smallFleet));
    const { token } = await createIngestToken(database, { accountId: acme, name: "one" }, now);
    const { token: other } = await createIngestToken(database, { accountId: rival, name: "two" }, now + 1);
    expect(await listTokens(database, null)).toEqual([token, other]);
    expect(await listTokens(database, rival)).toEqual([other]);
    expect((await failureOf(listTokens(database, uuid(99)))).code).toBe("NOT_FOUND");

    const revoked = { ...token, revokedAt: now + 2 };
    expect(await revokeToken(database, token.id, now + 2)).toEqual({ token: revoked, revokedNow: true });
    expect(await revokeToken(database, token.id, now + 3)).toEqual({ token: revoked, revokedNow: false });
    expect(await listTokens(database, null)).toEqual([revoked, other]);
    const failure = await failureOf(revokeToken(database, uuid(99), now));
    expect(failure).toMatchObject({ code: "NOT_FOUND", message: `there is no ingest token with the id ${uuid(99)}` });
  });
});
