import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { credentialPrefixes, hashCredential, isWellFormed, newCredential } from "../../src/access/credential.ts";

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

  test("is told from any typo of one character, without a look-up", () => {
    const { secret } = newCredential("apiKey");
    for (const [place, right] of [...secret].entries()) {
      for (const wrong of [...alphabet, "_", " ", "ä"]) {
        if (wrong === right) continue;
        expect(isWellFormed("apiKey", secret.slice(0, place) + wrong + secret.slice(place + 1))).toBe(false);
      }
      expect(isWellFormed("apiKey", secret.slice(0, place) + secret.slice(place + 1))).toBe(false);
    }
  });

  test("is told from two neighbours swapped, from itself with more around it, and from anything else", () => {
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
