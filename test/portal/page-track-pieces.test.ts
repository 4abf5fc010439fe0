import { expect, test } from "bun:test";
import { readCsv } from "../../src/intake/formats/csv.ts";
import { readGpx } from "../../src/intake/formats/gpx.ts";
import type { ImportedPoint } from "../../src/intake/incoming-frame.ts";
import { trackPieces } from "../../src/portal/page/start/track-pieces.ts";

const imei = "356307042441013";
const at = (index: number) => new Date(Date.UTC(2026, 9, 1) + index * 10_000).toISOString();
const point = (index: number) => `<trkpt lat="52.${1000 + index}" lon="13.4"><time>${at(index)}</time></trkpt>`;
const indexes = Array.from({ length: 60 }, (_, index) => index);

const segments = [indexes.slice(0, 20), indexes.slice(20, 50), indexes.slice(50)];
const gpx = `<?xml version="1.0"?>
<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>Drive</name><trkseg>
${segments.map((segment) => segment.map(point).join("\n")).join("\n</trkseg></trk>\n<trk><trkseg>\n")}
</trkseg></trk></gpx>
`;
const table = `time,lat,lon\r\n${indexes.map((index) => `${at(index)},52.${1000 + index},13.4`).join("\r\n")}\r\n`;

async function pointsOf(text: string, skippedLines = 0): Promise<ImportedPoint[]> {
  const points = text.startsWith("<") ? readGpx([text], imei) : readCsv([text], { imei, speedUnit: "kmh" });
  return (await Array.fromAsync(points)).map((read) => ({ ...read, line: read.line + skippedLines }));
}

test.each([
  ["a GPX file", gpx],
  ["a table", table],
])("%s comes in pieces with the same points in the same lines, wherever it is cut", async (_, text) => {
  const whole = await pointsOf(text);
  expect(whole.length).toBe(indexes.length);
  for (let maxLength = 250; maxLength < text.length + 50; maxLength += 97) {
    const pieces = trackPieces(text, maxLength) ?? [];
    expect(pieces.length > 1).toBe(text.length > maxLength);
    expect(pieces.every((piece) => piece.text.length <= maxLength)).toBe(true);
    const points = await Promise.all(pieces.map((piece) => pointsOf(piece.text, piece.skippedLines)));
    expect(points.flat()).toEqual(whole);
  }
});

test("a file without a place to cut it is not sent", () => {
  expect(trackPieces("x".repeat(100), 50)).toBeNull();
  expect(trackPieces(`<gpx>${"x".repeat(100)}</gpx>`, 50)).toBeNull();
  expect(trackPieces(gpx, 120)).toBeNull();
});
