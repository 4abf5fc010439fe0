import { expect, test } from "bun:test";
import { Seals } from "../../src/api/input/sealed.ts";

const seals = new Seals("a secret");

test("a sealed text is opened for its holder, and nobody else", () => {
  const sealed = seals.seal("anna", "1 2 3");
  expect(seals.open("anna", sealed)).toBe("1 2 3");
  expect(seals.seal("anna", "1 2 3")).toBe(sealed);
  expect(seals.open("ben", sealed)).toBeNull();
  expect(new Seals("another secret").open("anna", sealed)).toBeNull();
  expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain("1 2 3");
});

test("a changed or cut text is not opened, whichever character it is", () => {
  const sealed = seals.seal("anna", "number 4711");
  for (let at = 0; at < sealed.length; at++) {
    const other = sealed[at] === "A" ? "B" : "A";
    expect(seals.open("anna", sealed.slice(0, at) + other + sealed.slice(at + 1))).toBeNull();
    expect(seals.open("anna", sealed.slice(0, at))).toBeNull();
  }
  for (const odd of ["", "=", `${sealed}=`, `${sealed} `, "€", "x".repeat(10_000)]) {
    expect(seals.open("anna", odd)).toBeNull();
  }
});
