import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Version, versionInForce } from "../../src/domain/versions.ts";
import { newVersions } from "../../src/fleet/apply/history.ts";

const same = (one: string, other: string) => one === other;
const now = 50;

function merged(stored: readonly Version<string>[], toSave: readonly Version<string>[]): Version<string>[] {
  const replaced = stored.filter((version) => !toSave.some(({ validFrom }) => validFrom === version.validFrom));
  return [...replaced, ...toSave].toSorted((one, other) => one.validFrom - other.validFrom);
}

const version = fc.record({ validFrom: fc.nat(100), content: fc.constantFrom("a", "b", "c") });
const histories = fc
  .uniqueArray(version, { selector: ({ validFrom }) => validFrom })
  .map((versions) => versions.toSorted((one, other) => one.validFrom - other.validFrom));
const lines = fc.uniqueArray(
  fc.record({
    validFrom: fc.option(fc.nat({ max: 100 }).map((moment) => moment + 1)),
    content: version.map((v) => v.content),
  }),
  { selector: ({ validFrom }) => validFrom, minLength: 1, maxLength: 5 },
);

describe("the lines of a file about one thing", () => {
  test("are its history, in any order, where one without a moment is the beginning", () => {
    const edits = [
      { content: "c", validFrom: 30 },
      { content: "a", validFrom: null },
      { content: "b", validFrom: 20 },
    ];
    const { toSave, outcome } = newVersions([], edits, now, same);
    expect(toSave).toEqual([
      { validFrom: 0, content: "a", holdsFrom: 0, before: null },
      { validFrom: 20, content: "b", holdsFrom: 20, before: "a" },
      { validFrom: 30, content: "c", holdsFrom: 30, before: "b" },
    ]);
    expect(outcome).toBe("added");
    expect(newVersions(toSave, edits, now, same)).toMatchObject({ toSave: [], outcome: "unchanged" });
  });

  test("do not repeat what the line before them says", () => {
    const edits = [
      { content: "a", validFrom: null },
      { content: "a", validFrom: 20 },
    ];
    expect(newVersions([], edits, now, same).toSave).toMatchObject([{ validFrom: 0, content: "a" }]);
  });

  test("that are only one hold from now", () => {
    const stored = [{ validFrom: 0, content: "a" }];
    const added = { validFrom: now, content: "b" };
    expect(newVersions(stored, [{ content: "b", validFrom: null }], now, same)).toEqual({
      toSave: [{ ...added, holdsFrom: now, before: "a" }],
      outcome: "changed",
      history: [...stored, added],
    });
  });

  test("say from when they change something, and what was in force until then", () => {
    fc.assert(
      fc.property(histories, lines, (stored, edits) => {
        const { toSave } = newVersions<string>(stored, edits, now, same);
        const history = merged(stored, toSave);
        const changesFrom = Math.min(...toSave.map(({ holdsFrom }) => holdsFrom));
        for (let at = 0; at <= 101; at++) {
          const [old, fresh] = [stored, history].map((versions) => versionInForce(versions, at)?.content);
          if (at < changesFrom) expect(fresh).toBe(old);
          // Whatever was in force until now and is no longer is named by one of them.
          if (fresh !== old && old !== undefined) expect(toSave.map(({ before }) => before)).toContain(old);
        }
      }),
    );
  });

  test("are in force afterwards, and change nothing a second time", () => {
    fc.assert(
      fc.property(histories, lines, (stored, edits) => {
        const { toSave } = newVersions(stored, edits, now, same);
        const history = merged(stored, toSave);
        const isHistory = edits.length > 1;
        for (const { content, validFrom } of edits) {
          expect(versionInForce(history, validFrom ?? (isHistory ? 0 : now))?.content).toBe(content);
        }
        expect(newVersions(history, edits, now, same).toSave).toEqual([]);
      }),
    );
  });
});
