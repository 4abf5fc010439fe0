import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { credentialPrefixes, hashCredential, isWellFormed, newCredential } from "../../src/access/credential.ts";
import { createLink, findLink, linkAddress, linkLifetimeMs, useLink } from "../../src/access/one-time-links.ts";
import { hashPassword, isPasswordHash, verifyPassword } from "../../src/access/passwords.ts";
import { offerSetup } from "../../src/cli/serving/setup-link.ts";
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

  test("for the first run is left to its node; with SQLite, where there is one, the next start replaces it", async () => {
    const { database, directory } = await engine.fresh();
    const terminal = { out() {}, note() {}, progress() {} };
    const start = { database, origin: "https://fleet.example", dataDirectory: directory, terminal, observe() {} };
    const ends = [await offerSetup(start), await offerSetup(start)];
    for (const end of ends) await end();
    const links = await database.all(sql`select purpose from one_time_links`);
    expect(links).toHaveLength(engine.name === "sqlite" ? 1 : 2);
  });
});

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const kinds = ["apiKey", "ingestToken"] as const;

describe("a credential", () => {
  test("of each kind says what it is and how long its parts are", () => {
    expect(newCredential("apiKey").secret).toMatch(/^odo_[0-9A-Za-z]{40}[0-9A-Za-z]{6}$/);
    expect(newCredential("ingestToken").secret).toMatch(/^odi_[0-9A-Za-z]{40}[0-9A-Za-z]{6}$/);
  });

  test("ends with the CRC-32 of its random part in base 62, so that a scanner can check it", () => {
    const { secret } = newCredential("apiKey");
    const value = [...secret.slice(44)].reduce((sum, digit) => sum * 62 + alphabet.indexOf(digit), 0);
    expect(value).toBe(Bun.hash.crc32(secret.slice(4, 44)));
  });

  test("is recognised, and only as its own kind", () => {
    for (const kind of kinds) {
      const { secret } = newCredential(kind);
      expect(kinds.filter((other) => isWellFormed(other, secret))).toEqual([kind]);
    }
  });

  test("differs from any typo of one character, without a look-up", () => {
    const { secret } = newCredential("apiKey");
    for (const [place, right] of [...secret].entries()) {
      for (const wrong of [...alphabet, "_", " ", "ä"]) {
        if (wrong === right) continue;
        expect(isWellFormed("apiKey", secret.slice(0, place) + wrong + secret.slice(place + 1))).toBe(false);
      }
      expect(isWellFormed("apiKey", secret.slice(0, place) + secret.slice(place + 1))).toBe(false);
    }
  });

  test("differs from two neighbours swapped, from itself with more around it, and from anything else", () => {
    const { secret } = newCredential("apiKey");
    for (let place = 0; place < secret.length - 1; place++) {
      const [one = "", other = ""] = secret.slice(place, place + 2);
      if (one === other) continue;
      const swapped = secret.slice(0, place) + other + one + secret.slice(place + 2);
      expect(isWellFormed("apiKey", swapped)).toBe(false);
    }
    for (const text of [`${secret}\n`, ` ${secret}`, secret.toUpperCase(), secret.replace("odo_", "odi_"), ""]) {
      expect(isWellFormed("apiKey", text)).toBe(false);
    }
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 46, maxLength: 46 }), (text, tail) => {
        expect(isWellFormed("apiKey", text)).toBe(false);
        expect(isWellFormed("apiKey", credentialPrefixes.apiKey + tail)).toBe(false);
      }),
    );
  });

  test("is never made twice, and uses every character in every place", () => {
    const secrets = Array.from({ length: 5000 }, () => newCredential("apiKey").secret);
    expect(new Set(secrets).size).toBe(secrets.length);
    for (let place = 4; place < 44; place++) {
      expect(new Set(secrets.map((secret) => secret[place])).size).toBe(alphabet.length);
    }
  });

  test("shows its first characters and is stored as a SHA-256", () => {
    const { secret, hash, displayPrefix } = newCredential("apiKey");
    expect(displayPrefix).toBe(secret.slice(0, 12));
    expect(hash).toBe(new Bun.CryptoHasher("sha256").update(secret).digest("hex"));
    expect(hashCredential(secret)).toBe(hash);
  });
});

test("a password is kept as argon2id with 19 MiB and two passes, each time with another salt", async () => {
  const [one, other] = await Promise.all([hashPassword("correct horse"), hashPassword("correct horse")]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(other);
  expect([one, other].map(isPasswordHash)).toEqual([true, true]);
});

test("only the password itself opens", async () => {
  const hash = await hashPassword("pässwörd 🚚");
  const tries = ["pässwörd 🚚", "pässwörd 🚛", "Pässwörd 🚚", "pässwörd", ""];
  expect(await Promise.all(tries.map((text) => verifyPassword(text, hash)))).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
