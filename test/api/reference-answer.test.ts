import { expect, test } from "bun:test";
import {
  jsonParts,
  nextCursor,
  shownText,
  sizeText,
  tellingHeaders,
  timeText,
} from "../../src/api/reference/page/answer-text.ts";

test("JSON is laid out, with short lists on one line", () => {
  const { text, cut } = shownText('{"a":[1,2.5],"b":[],"c":"[\\n1\\n]","d":[{"e":null}]}', "application/geo+json");
  expect(text).toBe(`{
  "a": [1, 2.5],
  "b": [],
  "c": "[\\n1\\n]",
  "d": [
    {
      "e": null
    }
  ]
}`);
  expect(cut).toBeNull();
});

test("other formats, and what only claims to be JSON, are shown as they came", () => {
  for (const type of ["text/csv", "application/x-ndjson", "application/json"]) {
    expect(shownText("a,b\n1,2\n", type)).toEqual({ text: "a,b\n1,2\n", cut: null });
  }
});

test("a long answer is cut, and says so", () => {
  const lines = shownText(JSON.stringify(Array.from({ length: 5000 }, () => ({}))), "application/json");
  expect(lines.text.split("\n")).toHaveLength(1000);
  expect(lines.cut).toBe("The first 1,000 of 5,002 lines. Save the answer to see all.");
  const oneLine = shownText("x".repeat(300_000), "text/csv");
  expect(oneLine.text).toHaveLength(200_000);
  expect(oneLine.cut).toBe("The first 200,000 of 300,000 characters. Save the answer to see all.");
});

test("the parts of JSON are marked by what they are, and are the whole text, cut or not", () => {
  const text = '{\n  "a\\"b": -1.5e3,\n  "c": "d: true",\n  "e": [true, null]\n}';
  for (const shown of [text, text.slice(0, 30)])
    expect(
      jsonParts(shown)
        .map(([, part]) => part)
        .join(""),
    ).toBe(shown);
  expect(jsonParts(text).filter(([kind]) => kind !== "plain")).toEqual([
    ["key", '"a\\"b"'],
    ["number", "-1.5e3"],
    ["key", '"c"'],
    ["string", '"d: true"'],
    ["key", '"e"'],
    ["literal", "true"],
    ["literal", "null"],
  ]);
});

test("headers that say something are shown in order, and the next page is found in Link", () => {
  const headers = new Headers({ "X-Request-Id": "r", ETag: '"t"', Vary: "Accept", Date: "now" });
  expect(tellingHeaders(headers)).toEqual([
    ["ETag", '"t"'],
    ["X-Request-Id", "r"],
  ]);
  expect(nextCursor(headers)).toBeNull();
  headers.set("Link", '<trips?cursor=a.b%2Bc&format=csv>; rel="next"');
  expect(nextCursor(headers)).toBe("a.b+c");
});

test("sizes and times are short", () => {
  expect([999, 1234, 2_500_000].map(sizeText)).toEqual(["999 bytes", "1.2 KB", "2.5 MB"]);
  expect([12.6, 1250].map(timeText)).toEqual(["13 ms", "1.3 s"]);
});
