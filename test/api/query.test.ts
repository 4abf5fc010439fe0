import { expect, test } from "bun:test";
import fc from "fast-check";
import { valuesByName } from "../../src/api/input/read-input.ts";

const signs = ["a", "b", "&", "=", "?", "%", "%41", "%ff", "+", " ", "é", "€", "\u0000", "~", "!", "*", ",", "$", "#"];
const query = fc.oneof(
  fc.array(fc.constantFrom(...signs), { maxLength: 12 }).map((parts) => parts.join("")),
  fc.array(fc.constantFrom("a", "bc", "&", "="), { maxLength: 12 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary" }),
);

test("property: a query says what URLSearchParams reads in it", () => {
  fc.assert(
    fc.property(query, (text) => {
      const expected = new Map<string, string[]>();
      for (const [name, value] of new URLSearchParams(text)) {
        expected.set(name, [...(expected.get(name) ?? []), value]);
      }
      expect([...valuesByName(text)]).toEqual([...expected]);
    }),
    { numRuns: 2000 },
  );
});
