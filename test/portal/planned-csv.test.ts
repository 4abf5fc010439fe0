import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Show, usualUnits } from "../../src/portal/both-sides/reading/show.ts";
import {
  dayCell,
  durationCell,
  figureCell,
  measureCell,
  timeCell,
} from "../../src/portal/both-sides/reports/files/file-cells.ts";
import * as en from "../../src/portal/both-sides/texts/en/index.ts";
import { csvFile } from "../../src/portal/planned-reports/csv-file.ts";
import { forAll } from "../support/for-all.ts";

const berlin = new Show("en", en, usualUnits, "Europe/Berlin");
const at = Date.parse("2026-11-17T05:05:59Z");
const row = [
  timeCell(at, "minute", berlin),
  timeCell(at, "time", berlin),
  dayCell("2026-11-17"),
  durationCell(3_725),
  measureCell(12.34),
  figureCell(1_234_567),
  "=1+1",
  'a "b"; c, d',
];
const table = { heads: row.map((_, index) => `H${index}`), rows: [row], totals: null };

describe("a file of a planned report", () => {
  test("has the signs of the language, times as every spreadsheet reads them, and texts that nobody runs", () => {
    expect(csvFile(table, "de").text).toBe(
      `\uFEFFH0;H1;H2;H3;H4;H5;H6;H7\r\n2026-11-17 06:05;06:05;2026-11-17;1:02;12,3;1234567;'=1+1;"a ""b""; c, d"\r\n`,
    );
    expect(csvFile(table, "en").text).toBe(
      `\uFEFFH0,H1,H2,H3,H4,H5,H6,H7\r\n2026-11-17 06:05,06:05,2026-11-17,1:02,12.3,1234567,'=1+1,"a ""b""; c, d"\r\n`,
    );
  });

  test("keeps within its size, with the heads and the totals, and says how many rows it has", () => {
    forAll(200, [fc.array(fc.string({ maxLength: 40 }), { maxLength: 60 }), fc.nat(2_000)], (texts, bytes) => {
      const many = { heads: ["H"], rows: texts.map((text) => [text]), totals: ["Total"] };
      const { text, rowCount } = csvFile(many, "en", 20 + bytes);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20 + bytes);
      expect(text.endsWith("Total\r\n")).toBe(true);
      expect(rowCount).toBeLessThanOrEqual(texts.length);
      const whole = csvFile(many, "en");
      expect(whole.rowCount).toBe(texts.length);
      expect(rowCount === texts.length).toBe(text === whole.text);
    });
  });
});
