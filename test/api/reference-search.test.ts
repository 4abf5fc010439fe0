import { expect, test } from "bun:test";
import { type Entry, search, snippetOf, split, wordsOf } from "../../src/api/reference/search-index.ts";

function entry(kind: Entry["kind"], name: string, text: string, context = "", path = ""): Entry {
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

test("what was found is told apart from the rest, whatever was entered", () => {
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
