import { describe, expect, test } from "bun:test";
import { formatInstant } from "../../src/domain/time/time.ts";
import { knownFrameFields } from "../../src/fleet/parse/frame-lines.ts";
import { readCanonicalFrame } from "../../src/intake/formats/canonical.ts";
import { readCsv } from "../../src/intake/formats/csv.ts";
import { readOsmandQuery, readTraccarClient } from "../../src/intake/formats/osmand.ts";
import { readTraccarEvent, readTraccarPosition } from "../../src/intake/formats/traccar.ts";
import type { FormatResult, IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { readBrokerMessage } from "../../src/intake/mqtt/broker-message.ts";
import { trackerFrames } from "../../src/intake/trackers/kit/frame.ts";

const imei = "356307042441013";
const then = Date.UTC(2026, 2, 14, 8);
const time = formatInstant(then);
const longest = "0123456789abcdef".repeat(4);

/** Those that a frame may have, and what is no text of 1 to 64 visible characters. */
const good: readonly string[] = ["00F1A2B3", "7", "0", "null", "Ana Ruiz, 12", "🚚".repeat(64), longest];
const bad: readonly string[] = ["   ", `${longest}x`, "a\u0000b", "a\tb", "\u200b"];

function driversOf(decoded: FormatResult | undefined): (string | undefined)[] {
  if (decoded?.kind !== "frames") throw new Error(`refused: ${JSON.stringify(decoded)}`);
  return decoded.frames.map(({ driver_id }) => driver_id);
}

const traccar = (driverUniqueId: unknown, alarm?: string) => ({
  device: { uniqueId: imei },
  position: { fixTime: time, latitude: 52, longitude: 13, valid: true, attributes: { driverUniqueId, alarm } },
  event: { type: "alarm", attributes: { alarm } },
});

/** Formats of others: what does not fit is left out. */
const foreign: Readonly<Record<string, (driver: string) => (string | undefined)[]>> = {
  Traccar: (driver) => driversOf(readTraccarPosition(traccar(driver), then)[0]),
  "Traccar, with two alarms": (driver) => {
    const [one, other] = driversOf(readTraccarPosition(traccar(driver, "sos,powerCut"), then)[0]);
    expect(other).toBe(one);
    return [one];
  },
  "an event of Traccar": (driver) => driversOf(readTraccarEvent(traccar(driver, "sos"), then)[0]),
  OsmAnd: (driver) => {
    const query = new URLSearchParams({ id: imei, lat: "52", lon: "13", timestamp: time, driverUniqueId: driver });
    return driversOf(readOsmandQuery(String(query), then));
  },
  "the Traccar Client": (driver) => {
    const location = { timestamp: time, coords: { latitude: 52, longitude: 13 }, extras: { driverUniqueId: driver } };
    return driversOf(readTraccarClient({ device_id: imei, location }, then));
  },
  "a broker, from Traccar": (driver) => {
    const { event: _, ...position } = traccar(driver);
    const [part] = readBrokerMessage("odograph/traccar/frames", Buffer.from(JSON.stringify(position)), then);
    return [(part as IncomingFrame).driver_id];
  },
  "a tracker itself": (driver) => trackerFrames(then, { driver_id: driver }, [], []).map(({ driver_id }) => driver_id),
};

describe.each(Object.entries(foreign))("a driver from %s", (_, read) => {
  test.each(good)("%p is the frame's", (driver) => expect(read(driver)).toEqual([driver]));
  test.each(bad)("%p is left out, and the frame is not", (driver) => expect(read(driver)).toEqual([undefined]));
  test("is named without spaces around it", () => expect(read("  00F1 A2 ")).toEqual(["00F1 A2"]));
});

describe("a driver in our own frames", () => {
  const frame = (driver_id: unknown) => ({ imei, recorded_at: time, driver_id });
  const read = (driver: unknown) => readCanonicalFrame(frame(driver), then);

  test.each(good)("%p is the frame's, from a body and from a broker", (driver) => {
    expect(read(driver)).toMatchObject({ driver_id: driver });
    const lines = `${JSON.stringify(frame(driver))}\n${JSON.stringify(frame(null))}\n`;
    const parts = readBrokerMessage("odograph/gateway/frames", Buffer.from(lines), then) as IncomingFrame[];
    expect(parts.map(({ driver_id }) => driver_id)).toEqual([driver, undefined]);
  });

  test.each([...bad, "", 7, true, {}])("%p is refused, and the reason names it", (driver) => {
    expect(read(driver)).toStartWith("driver_id: expected text of 1 to 64 visible characters, got ");
  });

  test("is named without spaces around it", () => expect(read("  00F1 A2 ")).toMatchObject({ driver_id: "00F1 A2" }));

  test("is a field that fleet files know", () => expect(knownFrameFields).toHaveProperty("driver_id"));
});

describe("a driver in a table", () => {
  const rowsOf = async (header: string, ...cells: readonly string[]) => {
    const text = `time,lat,lon,${header}\n${cells.map((cell) => `${time},52,13,${cell}\n`).join("")}`;
    return Array.fromAsync(readCsv([text], { imei, speedUnit: "kmh" }));
  };

  test.each(["driver_id", "Driver ID", "driverUniqueId", "driver unique id"])("is called %s", async (header) => {
    expect(await rowsOf(header, "00017", '"a, ""b"""', "-", "")).toMatchObject([
      { frame: { driver_id: "00017" } },
      { frame: { driver_id: 'a, "b"' } },
      { frame: { driver_id: undefined } },
      { frame: { driver_id: undefined } },
    ]);
  });

  test("that is too long costs its row, which is named", async () => {
    expect(await rowsOf("driver_id", `${longest}x`, "7")).toMatchObject([
      { line: 2, reason: expect.stringMatching(/^driver_id: expected text of 1 to 64/) },
      { line: 3, frame: { driver_id: "7" } },
    ]);
  });
});

test("of a tracker's driver that does not fit, the name is noted once for all events, and null is none", () => {
  const leftOut: string[] = [];
  const frames = trackerFrames(
    then,
    { latitude: 52, longitude: 13, driver_id: "\u0000" },
    ["sos", "power_cut"],
    leftOut,
  );
  expect(frames.map(({ driver_id, latitude }) => [driver_id, latitude])).toEqual([
    [undefined, 52],
    [undefined, 52],
  ]);
  expect(leftOut).toEqual(["driver_id"]);
  expect(trackerFrames(then, { driver_id: null }, [], leftOut)[0]?.driver_id).toBeUndefined();
  expect(leftOut).toEqual(["driver_id"]);
});
