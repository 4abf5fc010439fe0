import { describe, expect, test } from "bun:test";
import { Seals } from "../../src/api/input/sealed.ts";

describe("a sealed text", () => {
  const seals = new Seals("a secret of 1.3");

  test("is as long for a number of one digit as for one of twelve", () => {
    const lengths = [1, 99, 1_000_000, 999_999_999_999].map(
      (number) => seals.seal("resume u", `abcdef12 devices [${number}]`).length,
    );
    expect(new Set(lengths).size).toBe(1);
  });

  test("is read as it was, by its holder alone", () => {
    for (const text of ["", "short", "x".repeat(32), "y".repeat(33), "z".repeat(700)]) {
      const sealed = seals.seal("one", text);
      expect([seals.open("one", sealed), seals.open("other", sealed)]).toEqual([text, null]);
    }
  });

  test("of 1.3 can still be read, so that its followers go on", () => {
    const sealed = "p9o3__UZDpDUkWIlas4PfG-Ic6tEZeakaesXy2FlX66N0INx3eTx";
    expect(seals.open("resume u", sealed)).toBe("abcdef12 account [1234]");
  });
});
