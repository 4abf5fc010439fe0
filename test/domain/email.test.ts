import { expect, test } from "bun:test";
import { mailboxKey } from "../../src/access/mailbox.ts";
import { emailKey, emailKeys, isPlainEmail, isSameEmail, normalEmail } from "../../src/domain/text/email.ts";

test("an e-mail address is the same in either case and with space around it", () => {
  expect(emailKey(" Ana@Example.COM ")).toBe(emailKey("ana@example.com"));
  expect(isSameEmail("Ana@example.com", "ana@EXAMPLE.com")).toBe(true);
});

test("a letter with its accent is one letter in the normal form, and found in either", () => {
  expect(normalEmail(" jose\u0301@example.com ")).toBe("jos\u00e9@example.com");
  expect(emailKeys("Jose\u0301@example.com")).toEqual({
    given: "jose\u0301@example.com",
    normal: "jos\u00e9@example.com",
  });
});

test.each([
  "ana@example.com",
  "o'brien+fleet.1/x=y~z|`^$%&*!?#_-@mail.example.co.uk",
  "jos\u00e9@b\u00fccher.example",
  "\u7528\u6237@\u4f8b\u5b50.example",
  "root@localhost",
  "a@xn--bcher-kva.example",
])("%p is a plain address", (email) => expect(isPlainEmail(email)).toBe(true));

/** Each reaches the mailbox of ana@example.com at some mail server, or looks like it. */
const disguised = [
  "an\u200ba@example.com",
  "ana\u200d@example.com",
  "ana@exam\u00adple.com",
  "ana\u2060@example.com",
  "\ufeffana@example.com",
  "ana\u202e@example.com",
  "\u2066ana\u2069@example.com",
  "an\u034fa@example.com",
  "ana\ufe0f@example.com",
  "ana\u{e0041}@example.com",
  "ana\u3164@example.com",
  "ana\u2800@example.com",
  "ana\u0007@example.com",
  "<ana@example.com>",
  "ana@<example.com>",
  '"ana"@example.com',
  "an\\a@example.com",
  "[ana]@example.com",
  "{ana}@example.com",
  "(ana)@example.com",
  "ana@example.com,",
  "\uff41na@example.com",
  "ana@example.com.",
  "ana\u00a0@example.com",
];

test.each(disguised)("%j is not plain, and counts for the mailbox that it reaches", (email) => {
  expect(isPlainEmail(normalEmail(email)) && normalEmail(email) !== "ana@example.com").toBe(false);
  expect(mailboxKey(email)).toBe("ana@example.com");
});

test("mails count for one mailbox, however its address is written", () => {
  for (const email of ["Ana@Example.com", "ana+1@example.com", "ana+2+3@EXAMPLE.com"]) {
    expect(mailboxKey(email)).toBe("ana@example.com");
  }
  expect(mailboxKey("ana@b\u00fccher.example")).toBe(mailboxKey("ana@xn--bcher-kva.example"));
  expect(mailboxKey("ana@example.com")).not.toBe(mailboxKey("anna@example.com"));
  expect(mailboxKey("nonsense")).toBe("nonsense");
});
