import { describe, expect, test } from "bun:test";
import { parseFleetLine } from "../../src/fleet/parse/parse.ts";

const id = "0b5f1c1e-0000-4000-8000-000000000001";
const ana = { type: "user", id, account_id: id, name: "Ana", email: "ana@acme.test", role: "owner" };

function problem(fields: Record<string, unknown>): string {
  try {
    parseFleetLine(7, JSON.stringify({ ...ana, ...fields }));
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}

describe("a wrong password", () => {
  test.each([
    { password: "short" },
    { password: "x".repeat(201) },
    { password: "tab	in the middle" },
    { password: 1234567890 },
    { password: ["hunter2hunter2"] },
    { password: { a: "hunter2" } },
    { password: true },
  ])("is never told: %j", ({ password }) => {
    const message = problem({ password, role: "hunter3" });
    expect(message).toContain('field "password": expected 8 to 200 characters, none of them a control character');
    for (const secret of ["short", "xxx", "tab", "1234", "hunter2", "true"]) expect(message).not.toContain(secret);
  });
});

describe("the hash of a password", () => {
  // 32 bytes of salt, 32 of hash.
  const [salt, hash] = ["c2FsdHNhbHRzYWx0c2FsdHNhbHRzYWx0c2FsdHNhbHQ", "aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g"];
  const written = (cost: string, tail = `${salt}$${hash}`) => `$argon2id$v=19$${cost}$${tail}`;

  test("is taken as export writes it", () => {
    expect(problem({ password_hash: written("m=19456,t=2,p=1") })).toBe("");
  });

  test.each([
    { what: "a password", password_hash: "aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g" },
    { what: "bcrypt", password_hash: `$2b$10$${"aGFz".repeat(13)}x` },
    { what: "argon2i", password_hash: written("m=19456,t=2,p=1").replace("argon2id", "argon2i") },
    { what: "another version", password_hash: written("m=19456,t=2,p=1").replace("v=19", "v=16") },
    { what: "more memory", password_hash: written("m=4194304,t=2,p=1") },
    { what: "more passes", password_hash: written("m=19456,t=4294967295,p=1") },
    { what: "more threads", password_hash: written("m=19456,t=2,p=255") },
    { what: "less work", password_hash: written("m=8,t=1,p=1") },
    { what: "no salt", password_hash: written("m=19456,t=2,p=1", `$${hash}`) },
    { what: "a long salt", password_hash: written("m=19456,t=2,p=1", `${salt.repeat(1000)}$${hash}`) },
    { what: "another text before", password_hash: `x${written("m=19456,t=2,p=1")}` },
    { what: "another text after", password_hash: `${written("m=19456,t=2,p=1")}\n` },
    { what: "no text", password_hash: ["aGFzaGhhc2hoYXNoaGFz"] },
  ])("of another form is refused and never told: $what", ({ password_hash }) => {
    const message = problem({ password_hash });
    expect(message).toBe(
      'line 7: field "password_hash": expected a hash as `odograph fleet export` writes it (argon2id)',
    );
  });

  test("beside a password is one too many, and neither is told", () => {
    expect(problem({ password: "hunter2hunter2", password_hash: written("m=19456,t=2,p=1") })).toBe(
      'line 7: field "password_hash": expected either password or password_hash, not both',
    );
  });
});
