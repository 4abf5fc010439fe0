import { expect, test } from "bun:test";
import { jsonParts } from "../../src/api/reference/json-text.ts";
import { nextCursor, shownAnswer, shownHeaders, sizeText, timeText } from "../../src/api/reference/page/answer-text.ts";
import { type SearchEntry, search, snippetOf, split, wordsOf } from "../../src/api/reference/search-index.ts";
import { stylesheet } from "../../src/api/reference/stylesheet.ts";

function entry(kind: SearchEntry["kind"], name: string, text: string, context = "", path = ""): SearchEntry {
  return { kind, name, context, path, text };
}

const entries = [
  entry("operation", "List trips", "Trips in ascending start.", "", "/trips"),
  entry("parameter", "imei", "Narrows to one device.", "List trips", "/trips"),
  entry("field", "record.max_speed_kmh", "The highest speed believed.", "Follow a fleet", "/changes"),
  entry("field", "max_speed_kmh", "The highest speed believed.", "List trips", "/trips"),
  entry("field", "imei", "The tracker's IMEI.", "List trips", "/trips"),
  entry("field", "imei", "The tracker's IMEI.", "List alerts", "/alerts"),
  entry("error", "CURSOR_EXPIRED", "A removal since `after` is no longer remembered."),
  entry("guide", "Limits", "A key has a limit per second and one per UTC day."),
];

function found(query: string): string[] {
  return search(entries, query).map(
    ({ entry: { kind, name }, others }) => `${kind} ${name}${others ? ` +${others}` : ""}`,
  );
}

test("a search finds operations, fields, parameters, errors and the guide, by name and by text", () => {
  expect(found("trips")[0]).toBe("operation List trips");
  expect(found("/trips")).toEqual(["operation List trips"]);
  expect(found("cursor_exp")).toEqual(["error CURSOR_EXPIRED"]);
  expect(found("utc day")).toEqual(["guide Limits"]);
  expect(found("believed")).toEqual(["field max_speed_kmh", "field record.max_speed_kmh"]);
  expect(found("nowhere")).toEqual([]);
  expect(found("  ")).toEqual([]);
});

test("every word must occur, and where something belongs narrows the search", () => {
  expect(found("imei")).toEqual(["field imei +1", "parameter imei"]);
  expect(found("imei alerts")).toEqual(["field imei"]);
  expect(search(entries, "imei alerts")[0]?.entry.path).toBe("/alerts");
  expect(found("imei kilometres")).toEqual([]);
  // The operation's name alone does not find all of its fields.
  expect(found("alerts")).toEqual([]);
});

test("what was found is marked, whatever was entered", () => {
  expect(split("max_speed_kmh", ["speed"])).toEqual(["max_", "speed", "_kmh"]);
  expect(split("a.b (c) [d]", wordsOf("(c) A.B"))).toEqual(["", "a.b", " ", "(c)", " [d]"]);
  for (const word of ["\\", "[", "*", "a|b", "$", "/"]) expect(split(word, [word])).toEqual(["", word, ""]);
});

test("a snippet shows where a long text says it", () => {
  const text = `${"one two three ".repeat(20)}needle ${"four five six ".repeat(20)}`;
  expect(snippetOf(text, ["needle"])).toMatch(/^… .*needle.* …$/);
  expect(snippetOf(text, ["needle"]).length).toBeLessThan(130);
  expect(snippetOf("short", ["needle"])).toBe("short");
  expect(snippetOf("x".repeat(500), ["needle"]).length).toBeLessThan(130);
});

test("JSON is laid out, with short lists on one line", () => {
  const { text, cut } = shownAnswer('{"a":[1,2.5],"b":[],"c":"[\\n1\\n]","d":[{"e":null}]}', "application/geo+json");
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
    expect(shownAnswer("a,b\n1,2\n", type)).toEqual({ text: "a,b\n1,2\n", cut: null });
  }
});

test("a long answer is cut, and says so", () => {
  const lines = shownAnswer(JSON.stringify(Array.from({ length: 5000 }, () => ({}))), "application/json");
  expect(lines.text.split("\n")).toHaveLength(1000);
  expect(lines.cut).toBe("The first 1,000 of 5,002 lines. Save the answer to see all.");
  const oneLine = shownAnswer("x".repeat(300_000), "text/csv");
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
  expect(shownHeaders(headers)).toEqual([
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

/** What WCAG 2.2 asks for text (level AA). */
const leastContrast = 4.5;

/** Colours that words have, and what they stand on. */
const inks = ["text", "text-2", "accent", "string", "number", "literal", "danger"];

const papers = ["paper", "panel"];

/** The colours of the light theme, and those of the dark one. Two sheets declare them: the brand's and the reference's own. */
function themes(css: string): Map<string, string>[] {
  const blocks = [...css.matchAll(/:root \{([^}]*)\}/g)].map(([, block = ""]) =>
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = "", hex = ""]): [string, string] => [name, hex]),
  );
  expect(blocks).toHaveLength(4);
  return [0, 1].map((theme) => new Map([...(blocks[theme] ?? []), ...(blocks[theme + 2] ?? [])]));
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((left, right) => left - right);
  return (lighter + 0.05) / (darker + 0.05);
}

test("words stand out from what they stand on, in light and in dark", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
  const found = themes(stylesheet);
  for (const theme of found) {
    const colour = (name: string) => theme.get(name) ?? "";
    for (const ink of inks) {
      for (const paper of papers) {
        expect(contrast(colour(ink), colour(paper)), `${ink} on ${paper}`).toBeGreaterThan(leastContrast);
      }
    }
    for (const [ink, paper] of [
      ["text", "accent-soft"],
      ["accent", "accent-soft"],
      ["on-accent", "accent"],
      ["text", "found"],
    ] as const) {
      expect(contrast(colour(ink), colour(paper)), `${ink} on ${paper}`).toBeGreaterThan(leastContrast);
    }
    for (const ink of ["text", "text-2"]) {
      expect(contrast(colour(ink), colour("mark")), `${ink} on mark`).toBeGreaterThan(leastContrast);
    }
  }
});
