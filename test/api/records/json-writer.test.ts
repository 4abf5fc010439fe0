import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { instantWriter } from "../../../src/api/records/frames-json.ts";
import { JsonWriter, Literal, writeLiteral } from "../../../src/api/records/json-writer.ts";
import { any } from "../../support/seed-rows.ts";

function textOf(write: (json: JsonWriter) => void): string {
  const json = new JsonWriter();
  json.start();
  write(json);
  return new TextDecoder().decode(json.written());
}

function writeText(json: JsonWriter, text: string): void {
  const literal = new Literal(text);
  json.at = writeLiteral(json.reserved(literal.length).view, json.at, literal);
}

test("a literal is written whole, of any length and in any script", () => {
  const literals = [
    ...Array.from({ length: 40 }, (_, length) => "abcdefgh".repeat(5).slice(0, length)),
    "°C ÿÿÿ 🚚 漢字",
  ];
  for (const text of literals) expect(textOf((json) => writeText(json, text))).toBe(text);
});

test("property: times are written as JavaScript does, without the Z, whatever was written before", () => {
  fc.assert(
    fc.property(fc.array(any.instant), (times) => {
      const texts = times.map((ms) => new Date(ms).toISOString().slice(0, -1));
      const written = textOf((json) => {
        const write = instantWriter();
        for (const ms of times) json.at = write(json.reserved(32).view, json.at, ms);
      });
      expect(written).toBe(texts.join(""));
    }),
  );
});

describe("a writer", () => {
  test("grows with what is written", () => {
    const json = new JsonWriter();
    for (const length of [10, 300_000, 2_000_000, 20]) {
      json.start();
      const texts = ["漢".repeat(length), '"漢'.repeat(length)];
      for (const text of texts) json.json(text);
      const taken = json.written().slice();
      json.start();
      json.json("overwritten");
      expect(new TextDecoder().decode(taken) === texts.join("")).toBeTrue();
    }
  });

  test("values have room for their keys wherever in the buffer they begin", () => {
    const json = new JsonWriter();
    const keys = Array.from({ length: 13 }, (_, index) => new Literal(`,"a_key_of_some_length_${index}":`));
    const values = [...Array(12).fill(-Number.MAX_SAFE_INTEGER), "漢,".repeat(60)];
    const one = values.map((value, index) => `,"a_key_of_some_length_${index}":${JSON.stringify(value)}`).join("");
    json.start();
    for (let index = 0; index < 1_000; index++) json.values(keys, JSON.stringify(values));
    expect(new TextDecoder().decode(json.written()) === one.repeat(1_000)).toBeTrue();
  });
});
