import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fromTheBeginning, startOfEdit, type Version, versionInForce } from "../../src/domain/versions.ts";
import { forAll } from "../support/for-all.ts";

const same = (one: string, other: string) => one === other;
const at = (validFrom: number, content: string): Version<string> => ({ validFrom, content });

const histories = fc
  .uniqueArray(fc.record({ validFrom: fc.nat(20), content: fc.constantFrom("a", "b", "c") }), {
    selector: ({ validFrom }) => validFrom,
  })
  .map((versions) => versions.toSorted((one, other) => one.validFrom - other.validFrom));
const edits = fc.record({ content: fc.constantFrom("a", "b", "c"), validFrom: fc.option(fc.nat(20)) });

describe("the version in force", () => {
  test("is the last that has begun", () => {
    const versions = [at(10, "a"), at(20, "b")];
    expect([9, 10, 19, 20, 99].map((moment) => versionInForce(versions, moment)?.content)).toEqual([
      "a",
      "a",
      "a",
      "b",
      "b",
    ]);
  });

  test("is none where there never was one", () => expect(versionInForce([], 5)).toBeNull());
});

describe("an edit", () => {
  test("that is the first holds from the beginning, unless it names a moment", () => {
    expect(startOfEdit([], { content: "a", validFrom: null }, 50, same)).toBe(fromTheBeginning);
    expect(startOfEdit([], { content: "a", validFrom: 70 }, 50, same)).toBe(70);
  });

  test("holds from now, unless it names a moment", () => {
    expect(startOfEdit([at(10, "a")], { content: "b", validFrom: null }, 50, same)).toBe(50);
    expect(startOfEdit([at(10, "a")], { content: "b", validFrom: 30 }, 50, same)).toBe(30);
  });

  test("that says what is in force already is none", () => {
    const versions = [at(10, "a"), at(20, "b")];
    expect(startOfEdit(versions, { content: "b", validFrom: null }, 50, same)).toBeNull();
    expect(startOfEdit(versions, { content: "a", validFrom: 15 }, 50, same)).toBeNull();
    expect(startOfEdit(versions, { content: "a", validFrom: null }, 50, same)).toBe(50);
  });

  test("is judged by what is in force now, not by what is still to come", () => {
    const versions = [at(10, "a"), at(90, "b")];
    expect(startOfEdit(versions, { content: "a", validFrom: null }, 50, same)).toBeNull();
    expect(startOfEdit(versions, { content: "b", validFrom: null }, 50, same)).toBe(50);
  });

  test("is in force from its beginning, and is no edit a second time", () => {
    forAll(100, [histories, edits, fc.nat(20), fc.nat(20)], (versions, edit, now, wait) => {
      const begin = startOfEdit(versions, edit, now, same);
      const kept = versions.filter(({ validFrom }) => validFrom !== begin);
      const edited = begin === null ? versions : [...kept, at(begin, edit.content)];
      edited.sort((one, other) => one.validFrom - other.validFrom);
      expect(versionInForce(edited, edit.validFrom ?? now)?.content).toBe(edit.content);
      // Unless a version that was to come has come meanwhile.
      const arrived = versions.some(({ validFrom }) => validFrom > now && validFrom <= now + wait);
      if (edit.validFrom !== null || !arrived) expect(startOfEdit(edited, edit, now + wait, same)).toBeNull();
    });
  });
});
