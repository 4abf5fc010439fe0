import { describe, expect, test } from "bun:test";
import { jt808 } from "../../../src/intake/trackers/jt808/family.ts";
import { receivedAt } from "../../support/trackers/field-message.ts";
import { encodeMessage, timeDigits } from "../../support/trackers/jt808-encoder.ts";

const at = Date.UTC(2026, 4, 6, 7, 8, 9);
const eventsOf = (decoded: { readonly frames: readonly { readonly event: string | null }[] }) =>
  decoded.frames.map(({ event }) => event).toSorted();

describe("pass-through and driver cards", () => {
  const decode = (type: number, value: string) =>
    jt808.decode(encodeMessage({ type, body: Buffer.from(value, "hex") }), jt808.begin(), receivedAt);
  const time = timeDigits(at).toString("hex");
  const place = "0000000302df794000f8b7e0";

  test("events of a tracker at the diagnostic socket", () => {
    const decoded = decode(0x0900, `f0${time}00000302${"0e00"}${"1b020000"}${place}`);
    expect(eventsOf(decoded)).toEqual(["harsh_braking", "idling"]);
    expect(decoded.frames[0]).toMatchObject({ recordedAt: at, latitude: 48.2, ignition: true, fix: true });
    expect(eventsOf(decode(0x0900, `f0${time}00001500000038`))).toEqual(["crash"]);
    expect(decode(0x0900, `f0${time}000004`)).toMatchObject({ unread: ["engine report 0x04"], problem: null });
    expect(decode(0x0900, "f0").problem?.kind).toBe("malformed");
  });

  test("places in other kinds", () => {
    const [decoded] = decode(0x0900, `ff${time}fd2086c0ff07482000640032005a`).frames;
    expect(decoded).toMatchObject({ recordedAt: at, latitude: -48.2, altitude_m: 100, speed_kmh: 5, heading_deg: 90 });
    expect(decode(0x0900, `53${place}006400320000${time}00`).frames[0]).toMatchObject({
      recordedAt: at,
      longitude: 16.3,
    });
    expect(decode(0x0900, `f3${"00020002"}0100${"00060006"}${time}`).frames[0]).toMatchObject({
      recordedAt: at,
      fix: null,
    });
    expect(decode(0x0900, "41").unread).toEqual(["pass-through 0x41"]);
  });

  test("samples of the tracker's own sensors, each with its time", () => {
    const sample = `001f${time}0c4100f4011c00f3ffe80008004003fe`;
    const decoded = decode(0x0900, `54${place}006400320000${time}${sample}${sample}`);
    expect(decoded.frames.map(({ sensors }) => sensors.length)).toEqual([0, 2, 2]);
    expect(decoded.frames[1]).toMatchObject({
      recordedAt: at,
      latitude: null,
      sensors: [
        { sensor: "temp_1", temperature_c: 24.4, humidity_percent: 28.4 },
        { sensor: "temp_3", temperature_c: 24.3 },
      ],
    });
    expect(decode(0x0900, `54${place}006400320000${time}${sample.slice(0, -2)}`)).toMatchObject({
      unread: ["a cut sample"],
    });
  });

  test("a card that was taken out, or not read, names no driver", () => {
    const card = `00${"41".repeat(20)}0000000000`;
    expect(decode(0x0702, `01${time}00${card}`).frames[0]).toMatchObject({ recordedAt: at, driver_id: "A".repeat(20) });
    for (const body of [`01${time}01${card}`, `02${time}`]) {
      expect(JSON.stringify(decode(0x0702, body).frames)).not.toContain('"driver_id":"');
    }
    expect(decode(0x0702, "0441").problem?.kind).toBe("no_time");
  });

  test("what comes at once without a time has that of receipt", () => {
    const card = decode(0x0900, `400018${Buffer.from("GTSL|6|1|0|10218094|1|\r\n").toString("hex")}`);
    expect(card.frames[0]).toMatchObject({ recordedAt: receivedAt, driver_id: "10218094", latitude: null, fix: null });
    const engine = decode(0x0900, `41${Buffer.from("$OBD-RT,12.3,0,20,0.00").toString("hex")}`);
    expect(engine.frames[0]).toMatchObject({ recordedAt: receivedAt, external_voltage_v: 12.3, fix: null });
    expect(decode(0x0002, "501f01").frames[0]).toMatchObject({
      recordedAt: receivedAt,
      battery_percent: 80,
      fix: null,
    });
    expect(decode(0x0002, "").frames).toEqual([]);
    expect(decode(0x0900, "4000").unread).toEqual(["pass-through 0x40"]);
  });
});
