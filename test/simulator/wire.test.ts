import { describe, expect, test } from "bun:test";
import { gt06Frame, gt06Login } from "../../src/simulator/wire/gt06.ts";
import { jt808Authenticate, jt808Location } from "../../src/simulator/wire/jt808.ts";
import { type CanonicalFrame, createWorld } from "../../src/simulator/world.ts";

const bytes = (hex: string) => Uint8Array.fromHex(hex.replaceAll(" ", "")).toHex();

const frame: CanonicalFrame = {
  imei: "356307042441013",
  recorded_at: "2015-12-29T02:51:05.000Z",
  received_at: "2015-12-29T02:51:06.000Z",
  latitude: 41601048 / 1_800_000,
  longitude: 205936736 / 1_800_000,
  speed_kmh: 0,
  heading_deg: 0,
  satellites: 9,
  ignition: false,
  fix: undefined,
  altitude_m: undefined,
  accuracy_m: undefined,
  hdop: undefined,
  odometer_km: undefined,
  battery_percent: undefined,
  external_voltage_v: undefined,
  event: undefined,
  driver_id: undefined,
  sensors: undefined,
};

/** Frames of a day of the demo, of many vehicles. */
function someFrames(): CanonicalFrame[] {
  const from = Date.UTC(2026, 2, 17);
  const messages = [...createWorld({ seed: 1, vehicles: 20, from }).messages(from, from + 86_400_000)];
  return messages.flatMap(({ frames }) => frames).filter((_, index) => index % 50 === 0);
}

/** Examples of the maker's description, "GPS Tracker Communication Protocol" (Concox, GT06 and others), but for the place. */
describe("a tracker that speaks GT06 sends, as its description has it,", () => {
  test("its IMEI first", () => {
    expect(gt06Login("123456789012345", 1).toHex()).toBe(
      bytes("78 78 0D 01 01 23 45 67 89 01 23 45 00 01 8C DD 0D 0A"),
    );
  });

  test("its location with the ignition, and whether it was stored", () => {
    const cell = { countryCode: 0x1cc, networkCode: 0, areaCode: 0x287d, cellId: 0x1f71 };
    const late = { ...frame, received_at: "2015-12-29T03:51:05.000Z" };
    expect(gt06Frame(late, 8, cell).toHex()).toBe(
      bytes(
        "78 78 22 22 0F 0C 1D 02 33 05 C9 02 7A C8 18 0C 46 58 60 00 14 00 01 CC 00 28 7D 00 1F 71 00 00 01 00 08 20 86 0D 0A",
      ),
    );
    const driving = gt06Frame({ ...frame, ignition: true, speed_kmh: 49.6, heading_deg: 332 }, 9, cell);
    expect(driving.subarray(19, 22).toHex()).toBe(bytes("32 15 4C"));
    expect(driving.subarray(30, 33).toHex()).toBe(bytes("01 00 00"));
  });

  test("marks for the south, the west and a lost fix, and no more than fits", () => {
    const far = { ...frame, latitude: -33.5, longitude: -70.25, satellites: 20, speed_kmh: 300, heading_deg: 359.7 };
    const sent = gt06Frame({ ...far, fix: false }, 1);
    expect(sent[10]).toBe(0xcf);
    // 60,300,000 and 126,450,000.
    expect(sent.subarray(11, 22).toHex()).toBe(bytes("03 98 1A E0 07 89 79 50 FF 08 00"));
  });

  test("an alarm with its place, if what happened has a number", () => {
    const sent = gt06Frame({ ...frame, event: "sos", ignition: true }, 12);
    expect([sent[2], sent[3], sent[22], sent.length]).toEqual([0x25, 0x26, 9, 42]);
    expect(sent.subarray(31, 38).toHex()).toBe(bytes("46 06 04 01 02 00 0C"));
    expect(gt06Frame({ ...frame, event: "harsh_braking" }, 12)[3]).toBe(0x22);
  });

  test("the frames of the demo, each with its length and a checksum that comes out even", () => {
    for (const [serial, one] of someFrames().entries()) {
      const sent = gt06Frame(one, serial);
      expect(sent.length).toBe((sent[2] ?? 0) + 5);
      // Over a message with its own checksum, lowest byte first, the check always ends in this.
      const [high = 0, low = 0] = sent.subarray(-4, -2);
      expect(residue([...sent.subarray(2, -4), low, high])).toBe(0xf0b8);
      const view = new DataView(sent.buffer);
      expect(view.getUint32(11) / 1_800_000).toBeCloseTo(one.latitude ?? 0, 5);
      expect(view.getUint32(15) / 1_800_000).toBeCloseTo(one.longitude ?? 0, 5);
    }
  });
});

/** CRC-16/X-25 by its polynomial, bit by bit, without the last inversion. */
function residue(checked: readonly number[]): number {
  let value = 0xffff;
  for (const byte of checked) {
    for (let bit = 0; bit < 8; bit++) {
      const isOdd = ((value ^ (byte >> bit)) & 1) === 1;
      value = (value >> 1) ^ (isOdd ? 0x8408 : 0);
    }
  }
  return value;
}

/** Messages from the field and from the tests of public readers: SmallChi/JT808 (location), others (code). */
describe("a tracker that speaks JT/T 808 sends, as the standard has it,", () => {
  const phone = "014571164953";

  test("the code that it was given", () => {
    expect(jt808Authenticate(phone, "83y2GgnZ", 5).toHex()).toBe(
      bytes("7E 01 02 00 08 01 45 71 16 49 53 00 05 38 33 79 32 47 67 6E 5A 63 7E"),
    );
  });

  test("its location by a clock in GMT+8, with alarm, odometer and marks that are escaped", () => {
    const there = {
      ...frame,
      latitude: 12.222222,
      longitude: 132.444444,
      altitude_m: 40,
      speed_kmh: 6,
      odometer_km: 10,
    };
    const at = { recorded_at: "2018-10-15T02:10:10.000Z", satellites: undefined, event: "sos" };
    const sent = jt808Location("123456789012", { ...there, ...at }, 0x7e);
    // The public message has a tank of 12.5 litres besides, in the last four bytes of its body.
    expect(sent.subarray(0, -2).toHex()).toBe(
      bytes(
        "7E 02 00 00 22 12 34 56 78 90 12 00 7D 02 00 00 00 01 00 00 00 02 00 BA 7F 0E 07 E4 F1 1C 00 28 00 3C 00 00 18 10 15 10 10 10 01 04 00 00 00 64",
      ),
    );
    const south = jt808Location(phone, { ...frame, latitude: -1, longitude: -1, fix: false, ignition: true }, 1);
    expect(south.subarray(17, 21).toHex()).toBe("0000000d");
  });

  test("the frames of the demo, each with the mark at its ends alone and a checksum that comes out even", () => {
    for (const [serial, one] of someFrames().entries()) {
      const sent = jt808Location(phone, one, serial);
      expect([sent.at(0), sent.at(-1), sent.subarray(1, -1).includes(0x7e)]).toEqual([0x7e, 0x7e, false]);
      const plain = Uint8Array.fromHex(
        (
          sent
            .subarray(1, -1)
            .toHex()
            .match(/7d0[12]|../g) ?? []
        )
          .map((byte) => (byte === "7d02" ? "7e" : byte === "7d01" ? "7d" : byte))
          .join(""),
      );
      expect(plain.reduce((sum, byte) => sum ^ byte, 0)).toBe(0);
      const view = new DataView(plain.buffer);
      expect(view.getUint16(2)).toBe(plain.length - 13);
      expect(view.getUint32(20) / 1e6).toBeCloseTo(one.latitude ?? 0, 6);
      expect(view.getUint32(24) / 1e6).toBeCloseTo(one.longitude ?? 0, 6);
      expect(view.getUint16(30) / 10).toBeCloseTo(one.speed_kmh ?? 0, 1);
    }
  });
});
