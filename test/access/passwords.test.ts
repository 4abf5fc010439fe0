import { expect, test } from "bun:test";
import { hashPassword, isPasswordHash, verifyPassword } from "../../src/access/passwords.ts";

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
