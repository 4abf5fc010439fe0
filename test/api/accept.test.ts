import { expect, test } from "bun:test";
import fc from "fast-check";
import { acceptedFormat } from "../../src/api/formats/accept.ts";
import { formatNames, mediaTypes } from "../../src/api/formats/format.ts";
import { valuesByName } from "../../src/api/input/read-input.ts";

const cases: readonly [accept: string | null, format: string][] = [
  [null, "json"],
  ["", "json"],
  ["*/*", "json"],
  ["text/*", "json"],
  ["image/png", "json"],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "json"],
  ["application/json, text/plain, */*", "json"],
  ["text/csv", "csv"],
  ["TEXT/CSV; charset=utf-8", "csv"],
  ["text/csvx", "json"],
  ["text/csv, */*", "csv"],
  ["*/*, text/csv", "csv"],
  ["text/csv;q=0.5, */*", "json"],
  ["text/csv, */*;q=0.1", "csv"],
  ["text/csv;q=0", "json"],
  ["text/csv;q=0, application/x-ndjson;q=0.1", "ndjson"],
  ["text/csv;q=0.5, application/json;q=0.4", "csv"],
  ["text/csv;q=0.5, application/json", "json"],
  ["application/json, text/csv", "json"],
  ["text/csv, application/json", "csv"],
  ["text/csv;q=0.4, application/json;q=0.1, */*", "csv"],
  ["text/csv, application/geo+json;q=0.9", "csv"],
  ["application/geo+json, text/csv;q=0.9", "geojson"],
  ["application/gpx+xml", "gpx"],
  ["application/geo json", "json"],
  ["text/csv;q=nonsense", "csv"],
  [";;,,text/csv", "csv"],
];

test.each(cases)("Accept: %s gets %s", (accept, format) => {
  expect(acceptedFormat(accept, formatNames)).toBe(format as never);
});

test("a format that the list does not have is as if it were not named", () => {
  expect(acceptedFormat("application/gpx+xml, text/csv;q=0.1", ["json", "csv", "ndjson"])).toBe("csv");
  expect(acceptedFormat("application/gpx+xml", ["json", "csv", "ndjson"])).toBe("json");
});

test("whatever a client sends, the answer is one of the formats, and JSON where none is named", () => {
  const words = fc.constantFrom(
    ...Object.values(mediaTypes),
    "*/*",
    "text/*",
    ";q=0.3",
    ";q=",
    ",",
    " ",
    "x/y",
    "\u00e9",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(words).map((all) => all.join("")),
      ),
      (accept) => {
        const format = acceptedFormat(accept, formatNames);
        expect(formatNames).toContain(format);
        if (format !== "json") expect(accept.toLowerCase()).toContain(mediaTypes[format]);
      },
    ),
  );
});

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
