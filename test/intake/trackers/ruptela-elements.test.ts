import { describe, expect, test } from "bun:test";
import { decodeAs, imei } from "../../support/trackers/one-message.ts";
import { type RuptelaReport, ruptelaPacket } from "../../support/trackers/ruptela-encoder.ts";

const sample: RuptelaReport = {
  ...{ at: Date.UTC(2026, 5, 1), place: { latitude: 52.5, longitude: 13.4 }, altitudeTenths: 340, satellites: 9 },
  ...{ headingHundredths: 9_000, speedKmh: 50, hdopTenths: 9, ignition: true, millivolts: 12_400, metres: 1_000 },
};
const word = (value: number) => [(value >> 8) & 255, value & 255];
const text = (value: string) => [...Buffer.from(value.padEnd(8), "latin1")];

function frames(more: NonNullable<RuptelaReport["more"]>, report: Partial<RuptelaReport> = {}) {
  const decoded = decodeAs("ruptela", ruptelaPacket(imei, [{ ...sample, ...report, more }], true));
  expect(decoded.problem).toBeNull();
  return decoded.frames;
}

const events = (id: number, value: number) => frames({ 1: [[id, [value]]] }).map(({ event }) => event);

describe("elements of Ruptela", () => {
  test.each([
    [88, 1, "jamming", [0]],
    // The lower half of the byte counts harsh, the upper one extreme braking.
    [135, 0x01, "harsh_braking", [0]],
    [135, 0x20, "harsh_braking", [0]],
    [136, 3, "harsh_acceleration", [0]],
    [143, 2, "harsh_cornering", [0]],
    [410, 1, "towing", [0]],
    [411, 1, "crash", [0]],
    [415, 0, "gps_antenna_cut", [1, 2]],
    [558, 1, "sos", [0]],
    [758, 1, "tampering", [0, 255]],
    [985, 1, "power_cut", [0]],
  ])("%i of %i is %s", (id, value, event, calm) => {
    expect(events(id, value)).toEqual([event]);
    for (const other of calm) expect(events(id, other)).toEqual([null]);
  });

  test("each braking is counted, too, and is no event", () => {
    expect(events(134, 9)).toEqual([null]);
  });

  test.each([
    [{ 5: 1 }, true],
    [{ 5: 0 }, false],
    [{ 251: 0, 5: 0 }, false],
    // Driving, at 1,520 revolutions, with a custom ignition that nobody has set up.
    [{ 409: 0, 5: 1 }, true],
    [{ 5: 0, 251: 0, 409: 1 }, true],
    [{ 409: 0, 251: 1 }, true],
  ])("ignition of %p is %p", (inputs, ignition) => {
    const list = Object.entries(inputs).map(([id, value]) => [Number(id), [value]] as const);
    expect(frames({ 1: list }, { ignition: null })[0]?.ignition).toBe(ignition);
  });

  test("a voltage that is not measured is none", () => {
    expect(frames({}, { millivolts: 65_535 })[0]?.external_voltage_v).toBeNull();
    expect(frames({}, { millivolts: 65_534 })[0]?.external_voltage_v).toBe(65.534);
  });

  test.each([
    [78, "dallas_1"],
    [79, "dallas_2"],
    [80, "dallas_3"],
    [74, "dallas_4"],
  ])("thermometer %i is %s; 85.0 °C and numbers from 2,000 say that there is none", (id, sensor) => {
    const read = (tenths: number) => frames({ 2: [[id, word(tenths)]] })[0]?.sensors;
    expect(read(-215)).toMatchObject([{ sensor, temperature_c: -21.5 }]);
    expect(read(849)).toMatchObject([{ sensor, temperature_c: 84.9 }]);
    for (const none of [850, 2_000, 2_001, 2_002, 2_003, 2_004]) expect(read(none)).toEqual([]);
  });

  test("fuel comes in percent and litres, of the bus or of the diagnostic socket", () => {
    const read = frames({
      1: [
        [207, [128]],
        [98, [51]],
      ],
      2: [[205, word(180)]],
    })[0]?.sensors;
    expect(read).toEqual([
      { kind: "fuel", sensor: "can", level_percent: 51.2, volume_l: 180 },
      { kind: "fuel", sensor: "obd", level_percent: 20, volume_l: null },
    ]);
    const none = {
      1: [
        [207, [254]],
        [98, [255]],
      ],
      2: [
        [205, word(0)],
        [642, word(65_535)],
      ],
    } as const;
    expect(frames(none)[0]?.sensors).toEqual([]);
  });

  test("the driver is the key, else the first card of the tachograph, whose two halves are one number", () => {
    const card = {
      8: [
        [155, text("DF000012")],
        [156, text("345678")],
      ],
    } as const;
    expect(frames(card)[0]?.driver_id).toBe("DF000012345678");
    const key = [34, [1, 2, 3, 4, 5, 6, 7, 8]] as const;
    expect(frames({ 8: [...card[8], key] })[0]?.driver_id).toBe("0102030405060708");
    for (const none of ["FFFFFFFF", "", "*"])
      expect(
        frames({
          8: [
            [126, text(none)],
            [127, text(none)],
          ],
        })[0]?.driver_id,
      ).toBeUndefined();
    expect(frames({ 8: [[126, text("DF000012")]] })[0]?.driver_id).toBeUndefined();
  });
});
