import { expect, test } from "bun:test";
import fc from "fast-check";
import { eachParameter } from "../../src/http/url.ts";
import { forAll } from "../support/for-all.ts";

function parametersOf(text: string): [string, string][] {
  const found: [string, string][] = [];
  eachParameter(text, (name, value) => found.push([name, value]));
  return found;
}

test("a query is read as URLSearchParams reads it", () => {
  for (const text of [
    "",
    "&",
    "=",
    "?",
    "a",
    "a=",
    "=b",
    "a=b=c",
    "&&a=1&a=2&",
    "?a=1",
    "a?=1",
    "a=%41+b",
    "a=%",
    "é=ü",
  ]) {
    expect(parametersOf(text)).toEqual([...new URLSearchParams(text)]);
  }
  const piece = fc.constantFrom("a", "id", "=", "&", "?", "%", "%41", "+", "ü", "#", ".", "12");
  forAll(1_000, [fc.array(piece, { maxLength: 12 })], (pieces) => {
    const text = pieces.join("");
    expect(parametersOf(text)).toEqual([...new URLSearchParams(text)]);
  });
});
