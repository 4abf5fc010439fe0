import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Failure } from "../../src/domain/errors.ts";
import { readCanonicalFrame } from "../../src/intake/formats/canonical.ts";
import { readCsv } from "../../src/intake/formats/csv.ts";
import { readGpx } from "../../src/intake/formats/gpx.ts";
import { readOsmandQuery, readTraccarClient } from "../../src/intake/formats/osmand.ts";
import { readOwnTracks } from "../../src/intake/formats/owntracks.ts";
import { readTraccarEvent, readTraccarPosition } from "../../src/intake/formats/traccar.ts";
import type { FormatResult, ImportedPoint, IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { readFrameBody } from "../../src/intake/read-frames.ts";
import { frameDigest } from "../../src/store/blocks/frame-digest.ts";
import { forAll } from "../support/for-all.ts";

const now = Date.UTC(2026, 2, 14, 8, 30);
const imei = "356307042441013";

/** Whatever JSON can say, with a leaning to what comes near a frame. */
const times = fc.constantFrom(
  "2026-03-14T08:15:30Z",
  "0000-01-01",
  "9999-12-31",
  0,
  1773476130,
  1773476130000,
  1e300,
  -1,
);
const numbers = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(0, -0, 1e308, Number.POSITIVE_INFINITY, "1e400", "12.5", "NaN", " 7 "),
);
const values = fc.oneof(times, numbers, fc.jsonValue(), fc.constantFrom(imei, null, true, false, "gps", "", "\ud800"));

const texts = values.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));

function records(...names: string[]): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(Object.fromEntries(names.map((name) => [name, values])), { requiredKeys: [] });
}

const sensors = fc.array(
  fc.oneof(
    values,
    records("sensor", "level_percent", "volume_l").map((sensor) => ({ kind: "fuel", ...sensor })),
  ),
  { maxLength: 3 },
);
const frames = fc
  .tuple(
    records("recorded_at", "received_at", "latitude", "longitude", "speed_kmh", "satellites", "event", "fix"),
    sensors,
  )
  .map(([fields, list]) => ({ imei, ...fields, sensors: list }));
const attributes = records(
  "ignition",
  "sat",
  "hdop",
  "odometer",
  "power",
  "fuel",
  "temp1",
  "alarm",
  "distance",
  "approximate",
);
const positions = fc
  .tuple(
    records("fixTime", "deviceTime", "valid", "outdated", "latitude", "longitude", "speed", "accuracy"),
    attributes,
  )
  .map(([position, said]) => ({
    position: { fixTime: now, latitude: 1, longitude: 2, ...position, attributes: said },
    device: { uniqueId: imei },
    event: { type: "alarm", attributes: { alarm: "sos" } },
  }));
const locations = records("tst", "lat", "lon", "acc", "vel", "topic", "t", "imei").map((said) => ({
  _type: "location",
  ...said,
}));
const clients = fc
  .tuple(
    records("timestamp", "odometer", "battery", "extras", "alarm"),
    records("latitude", "longitude", "speed", "accuracy"),
  )
  .map(([location, coords]) => ({ device_id: imei, location: { timestamp: now, ...location, coords } }));

/** Every number is finite and not -0, every time can be written, and the frame survives being stored. */
function requireSound(frame: IncomingFrame): void {
  expect(JSON.parse(JSON.stringify(frame))).toEqual(frame as never);
  const numbersIn = [frame, ...frame.sensors]
    .flatMap((part) => Object.values(part))
    .filter((value) => typeof value === "number");
  expect(numbersIn.filter((number) => !Number.isFinite(number) || Object.is(number, -0))).toEqual([]);
  expect(frame.imei).toMatch(/^\d{14,16}$/);
  expect(Number.isSafeInteger(frameDigest(frame))).toBe(true);
  for (const at of [frame.recordedAt, frame.receivedAt]) {
    if (at !== null) expect(new Date(at).toISOString()).toMatch(/^\d{4}-/);
  }
}

function requireSoundResult(result: FormatResult): void {
  if (result.kind === "frames") result.frames.forEach(requireSound);
  else expect(result.kind === "refused" ? result.reason : result.why).toMatch(/^[^\n]+$/);
}

describe("whatever is sent", () => {
  test("a canonical frame is sound, or refused in one line", () => {
    forAll(500, [fc.oneof(values, frames)], (value) => {
      const frame = readCanonicalFrame(value, now);
      if (typeof frame === "string") expect(frame).toMatch(/^[^\n]+$/);
      else requireSound(frame);
    });
  });

  test("a body is read, or is a failure that names the request", () => {
    const lines = fc.oneof(
      fc.string({ unit: "binary" }),
      frames.map((frame) => JSON.stringify(frame)),
      fc.json(),
    );
    const bodies = fc.oneof(
      fc.uint8Array(),
      fc.array(lines).map((sent) => new TextEncoder().encode(sent.join("\n"))),
      fc.array(fc.json()).map((items) => new TextEncoder().encode(`[${items}]`)),
    );
    forAll(500, [bodies, fc.option(fc.constantFrom("application/json", "application/x-ndjson", ";"))], (body, type) => {
      try {
        for (const frame of readFrameBody(body, type, now)) if (typeof frame !== "string") requireSound(frame);
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
        expect((error as Failure).code).toBe("INVALID_REQUEST");
      }
    });
  });

  test("a foreign message is sound frames, nothing, or refused in one line", () => {
    forAll(1000, [fc.oneof(values, positions, locations, clients)], (body) => {
      readTraccarPosition(body, now).forEach(requireSoundResult);
      readTraccarEvent(body, now).forEach(requireSoundResult);
      requireSoundResult(readOwnTracks(body, [imei], now));
      requireSoundResult(readTraccarClient(body, now));
    });
  });

  test("parameters are sound frames, or refused in one line", () => {
    const names = fc.constantFrom(
      "lat",
      "lon",
      "location",
      "timestamp",
      "speed",
      "valid",
      "batt",
      "alarm",
      "fuel",
      "id",
    );
    const pairs = fc.array(fc.tuple(names, texts), { maxLength: 8 });
    forAll(500, [pairs], (sent) => {
      requireSoundResult(readOsmandQuery(String(new URLSearchParams([["id", imei], ...sent])), now));
    });
  });

  test("a file is sound frames, rows refused in one line, or a failure", async () => {
    const cells = fc.array(fc.oneof(texts, fc.constantFrom('"', '""', ",", "<", ">")), { maxLength: 4 });
    const tables = fc.array(cells).map((rows) => `time,lat,lon,speed\n${rows.join("\n")}`);
    const tags = fc.constantFrom(
      '<trkpt lat="1" lon="2">',
      "</trkpt>",
      "<time>",
      "</time>",
      "<!--",
      "-->",
      "2026-03-14",
      "<a/>",
      "&#x110000;",
    );
    const tracks = fc.array(fc.oneof(tags, fc.string())).map((parts) => `<gpx>${parts.join("")}</gpx>`);
    const read = async (points: AsyncIterable<ImportedPoint>) => {
      try {
        for await (const point of points) {
          if ("frame" in point) requireSound(point.frame);
          else expect(point.reason).toMatch(/^[^\n]+$/);
        }
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
      }
    };
    await fc.assert(
      fc.asyncProperty(tables, tracks, fc.string(), async (table, track, text) => {
        for (const pieces of [[table], [track], [text]]) {
          await read(readCsv(pieces, { imei, speedUnit: "kmh" }));
          await read(readGpx(pieces, imei));
        }
      }),
      { numRuns: 200 },
    );
  });
});
