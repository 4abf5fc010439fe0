import { describe, expect, test } from "bun:test";
import { jt808 } from "../../../src/intake/trackers/jt808/family.ts";
import { receivedAt } from "../../support/trackers/field-message.ts";
import { encodeMessage, itemsOfHex, locationBody } from "../../support/trackers/jt808-encoder.ts";

const at = Date.UTC(2026, 4, 6, 7, 8, 9);
const here = { at, latitude: 48.2, longitude: 16.3 };
const text = (characters: string) => Buffer.from(characters, "latin1").toString("hex");

function located(items: readonly (readonly [number, string])[]) {
  const body = locationBody({ ...here, items: itemsOfHex(items) });
  return jt808.decode(encodeMessage({ type: 0x0200, body }), jt808.begin(), receivedAt);
}

describe("items of the vehicle", () => {
  const fuel = (read: object) => ({
    sensors: [{ kind: "fuel", sensor: "tank_1", level_percent: null, volume_l: null, ...read }],
  });
  const temperature = (sensor: string, temperature_c: number | null, humidity_percent: number | null = null) => ({
    kind: "temperature",
    sensor,
    temperature_c,
    humidity_percent,
  });
  const tyre = (number: number, axle: number, wheel: number, pressure_kpa: number, temperature_c: number) => ({
    kind: "tyre",
    sensor: `tyre_${number}`,
    axle,
    wheel,
    pressure_kpa,
    temperature_c,
  });
  const cases: readonly (readonly [number, string, object])[] = [
    [0x01, "000004d2", { odometer_km: 123.4 }],
    [0x02, "01f4", fuel({ volume_l: 50 })],
    [0x02, "8032", fuel({ level_percent: 50 })],
    [0x06, "3e", { battery_percent: 62 }],
    [0x06, "00", { battery_percent: null }],
    [0x06, "8005", { sensors: [temperature("temp_1", -5)] }],
    [0x31, "0e", { satellites: 14 }],
    [0x51, "8000", { sensors: [temperature("temp_1", 0)] }],
    [0x51, "8017", { sensors: [temperature("temp_1", -2.3)] }],
    [0x51, "0123ffff8001ffffffffffffffffffff", { sensors: [temperature("temp_1", 29.1), temperature("temp_3", -0.1)] }],
    [0x56, "0900", { battery_percent: 90 }],
    [0x56, "095f", { battery_percent: 95 }],
    [0x56, "0acd", { battery_percent: 100 }],
    [0x60, `006500001234567890${text("90017383")}`, { driver_id: "90017383" }],
    [0x61, "04b0", { external_voltage_v: 12 }],
    [0x68, "1d4c", { battery_percent: 75 }],
    [0x77, "0177300100381e4d00", {}],
    [0x77, "0177300100384d00", { sensors: [tyre(1, 1, 1, 140, 27)] }],
    [0x77, "0477300100384d000500000000000000", { sensors: [tyre(4, 2, 2, 140, 27)] }],
    [0x82, "0092", { external_voltage_v: 14.6 }],
    [0x8c, "000004d2", { odometer_km: 123.4 }],
    [0x8e, "3d", fuel({ level_percent: 61 })],
    [0xac, "0000012c", { odometer_km: 0.3 }],
    [0xbd, `${text("D-17")}0000`, { driver_id: "D-17" }],
    [0xd3, "0027", { external_voltage_v: null }],
    [0xd3, "007c", { external_voltage_v: 12.4 }],
    [0xd4, "3f", { battery_percent: 63 }],
    [0xe1, "2d", { battery_percent: 45 }],
    [0xe1, "ff", { battery_percent: null }],
    [0xe1, "0072", { external_voltage_v: 11.4 }],
    [0xe1, "00735443", { driver_id: "7558211" }],
    [0xe2, "00001211", fuel({ volume_l: 462.5 })],
    [0xe3, "0064019a0000", { battery_percent: 100, external_voltage_v: null }],
    [0xe3, "000000000000", { battery_percent: null, external_voltage_v: null }],
    [0xe3, "000005050000", { battery_percent: null, external_voltage_v: 12.85 }],
    [0xe4, "0163", { battery_percent: 99 }],
    [0xe6, text("$OBD-RT,12.3,0,20"), { external_voltage_v: 12.3 }],
    [0xe6, "03bc572900ce2eef183200", { sensors: [temperature("temp_3", -17 - 24 / 255, 50)] }],
    [0xe8, "2003070105019f030190", { battery_percent: 83, external_voltage_v: 4 }],
    [0xe8, "20050e200102008c000601040007020006", { external_voltage_v: 14, hdop: 0.6 }],
    [0xe8, "0c040100", { ignition: false }],
    [0xea, "0015020200160202ee", { sensors: [temperature("temp_1", 25, 51.2)] }],
    [0xeb, "000300a85c", { battery_percent: 92 }],
    [0xeb, "0006002d00002db4", { external_voltage_v: 11.7 }],
    [0xeb, "0004002d0fa5", { external_voltage_v: null }],
    [0xeb, "0004002d304c", { external_voltage_v: 12.364 }],
    [0xeb, "000400ce1d46", { external_voltage_v: 74.94 }],
    [0xea, "000305010001e240001202007b0018010c", { odometer_km: 123.456, external_voltage_v: 12.3, satellites: 12 }],
    [0xeb, "62f002012c", fuel({ level_percent: 30 })],
    [0xeb, "62f0028190", fuel({ volume_l: 40 })],
    [0xee, "1f2ee00fa00a", { external_voltage_v: 12, satellites: 10 }],
    [0xf1, "0000308c", { external_voltage_v: 12.428 }],
    [0xf3, "00040237dc000504000004d2", { external_voltage_v: 14.3, odometer_km: 123.4 }],
    [0xf6, "070600d3026b", { sensors: [temperature("temp_1", 21.1, 61.9)] }],
    [0xf7, "00000e870246", { battery_percent: 70 }],
    [0xf7, "01f4", { sensors: [temperature("temp_2", null, 50)] }],
    [0xf9, "000f00000001000000000018240825170407", { hdop: 2.4 }],
    [0xf9, "004000f500000000", { sensors: [temperature("temp_3", 24.5)] }],
    [0xfe, "45", { battery_percent: 69 }],
    [0xfe, "007b", { external_voltage_v: 12.3 }],
    [0xfe, "001e", { external_voltage_v: null }],
  ];
  for (const [id, value, meant] of cases) {
    test(`0x${id.toString(16)} ${value}`, () => {
      const decoded = located([[id, value]]);
      expect(decoded.frames.length).toBe(1);
      expect(decoded.frames[0]).toMatchObject(meant);
    });
  }

  test("tyres of the safety standard, from the front left to and fro", () => {
    const head = `${"00".repeat(5)}00${"00".repeat(34)}`;
    const value = `${head}02${"0000010320001e0064"}${"0300010310fff60064"}`;
    expect(located([[0x66, value]]).frames[0]?.sensors).toEqual([
      tyre(1, 1, 1, 800, 30),
      tyre(4, 2, 2, 784, -10),
    ] as never);
  });

  test("the mileage of the standard is not replaced by one of a vendor", () => {
    const items = [
      [0x01, "000004d2"],
      [0x8c, "0000ffff"],
    ] as const;
    expect(located(items).frames[0]?.odometer_km).toBe(123.4);
  });

  test("a value out of bounds is left out, and the frame stays", () => {
    const decoded = located([[0x31, "f8"]]);
    expect(decoded.frames[0]).toMatchObject({ satellites: null, latitude: 48.2 });
    expect(decoded.leftOut).toEqual(["satellites"]);
  });

  test("a battery that is charging has no level, and nothing is wrong with that", () => {
    expect(located([[0xe1, "ff"]])).toMatchObject({ leftOut: [], unread: [] });
  });

  test("what a mask announces must be there, or it is an item of another maker", () => {
    for (const item of [[0xf6, "01020001"] as const, [0xf6, "010600d3"] as const, [0xf9, "0007"] as const]) {
      expect(located([item])).toMatchObject({ unread: [`item 0x${item[0].toString(16)}`], frames: [{ sensors: [] }] });
    }
  });

  test("items that we do not know, or of an unexpected length, are named", () => {
    const items = [
      [0x30, "1f"],
      [0xc9, "00"],
      [0x01, "00"],
    ] as const;
    expect(located(items).unread).toEqual(["item 0x30 (signal strength)", "item 0xc9", "item 0x01"]);
    const cut = locationBody({ ...here, items: [[0x31, Buffer.from("0e", "hex")]] }).subarray(0, -1);
    const decoded = jt808.decode(encodeMessage({ type: 0x0200, body: cut }), jt808.begin(), receivedAt);
    expect(decoded.unread).toEqual(["a cut item"]);
    expect(decoded.frames.length).toBe(1);
  });

  test("standard items of 18 bytes are not the fixed tail of one vendor", () => {
    const items = [
      [0x01, "000004d2"],
      [0x02, "01f4"],
      [0x03, "0000"],
      [0x2a, "0000"],
    ] as const;
    expect(located(items).frames[0]?.odometer_km).toBe(123.4);
  });

  test("a zone that an item names is that of the time", () => {
    expect(located([[0xeb, text("UTC+08:00")]]).frames[0]?.recordedAt).toBe(at);
    expect(located([[0xeb, text("UTC-04:30")]]).frames[0]?.recordedAt).toBe(at + 12.5 * 3_600_000);
  });
});
