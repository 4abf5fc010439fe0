import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { families } from "../../../src/intake/trackers/families.ts";
import { forAll } from "../../support/for-all.ts";
import { decodeAs, hex, imei, numbers, times } from "../../support/trackers/one-message.ts";
import { testStreamRules } from "../../support/trackers/stream-rules.ts";
import {
  topflytechClock,
  topflytechElements,
  topflytechMessage,
  topflytechPlace,
  topflytechPlaceElement,
} from "../../support/trackers/topflytech-encoder.ts";

const at = Date.UTC(2026, 5, 1, 12, 30, 15);
const place = { latitude: 52.5, longitude: 13.5, altitudeM: 34 };
const [vehicle, obd, portable] = [0x25, 0x26, 0x27];
const padded = imei.padStart(16, "0");
const word = (value: number) => [(value >> 8) & 255, value & 255];
const long = (value: number) => [...word(value / 65_536), ...word(value)];
const decode = (message: Uint8Array) => decodeAs("topflytech", message);

describe("lists of elements", () => {
  const sample = topflytechElements(vehicle, 0x64, imei, at, {
    settings: [
      [0x03, 25],
      [0x80, 0, 100],
      [0xc0, 0, 0, 0, 30],
    ],
    measured: [
      [0x01, 1],
      [0x07, 81],
      [0x61, 0x80, 0],
      [0x62, ...word(88)],
      [0x64, 4, 0x80 | 50],
      [0x65, 61, 25],
      [0xa0, ...long(123_456)],
      [0xa1, ...long(12_650)],
    ],
    long: [
      [0x01, topflytechPlaceElement(place, 270, 11)],
      [0x05, [1, 2, 3, 4, 5, 6]],
      [0x07, [...new Array<number>(16).fill(0xff), 0x80 | 35]],
    ],
  });

  testStreamRules(families.topflytech, [sample]);

  test("are read, whatever kind of tracker sends them; an alarm is answered with its number", () => {
    const { frames, problem, leftOut, reply, what } = decode(sample);
    expect({ problem, leftOut, what, reply: hex(reply) }).toEqual({
      ...{ problem: null, leftOut: [], what: "alarm 0x25/0x64" },
      reply: `25256400100007${padded}01`,
    });
    expect(frames).toMatchObject([
      {
        ...{ recordedAt: at, fix: true, latitude: 52.5, longitude: 13.5, altitude_m: 34, heading_deg: 270 },
        ...{ speed_kmh: 88, satellites: 11, ignition: true, battery_percent: 81, odometer_km: 123.456 },
        ...{ external_voltage_v: 12.65, event: "power_cut" },
        sensors: [
          { kind: "fuel", sensor: "obd", level_percent: null, volume_l: 35 },
          { kind: "temperature", sensor: "external", temperature_c: -4.5, humidity_percent: 61.25 },
        ],
      },
    ] as object[]);
  });

  test("a value of elements is read as it was meant", () => {
    const values = fc.record({
      ...{ at: times, percent: numbers(100), speed: numbers(250), metres: numbers(4_000_000_000, 1) },
      ...{ millivolts: numbers(36_000, 1), isOn: fc.boolean(), kind: fc.constantFrom(vehicle, obd, portable) },
    });
    forAll(200, [values], (sent) => {
      const message = topflytechElements(sent.kind, 0x62, imei, sent.at, {
        measured: [
          [0x07, sent.percent],
          [0x61, sent.isOn ? 0x80 : 0, 0],
          [0x62, ...word(sent.speed)],
          [0xa0, ...long(sent.metres)],
          [0xa1, ...long(sent.millivolts)],
        ],
        long: [[0x01, topflytechPlaceElement(place, 90, 8)]],
      });
      expect(decode(message).frames).toMatchObject([
        {
          ...{ recordedAt: sent.at, battery_percent: sent.percent, speed_kmh: sent.speed },
          ...{ odometer_km: sent.metres / 1000, external_voltage_v: sent.millivolts / 1000 },
          // A portable one has no wire to the key.
          ignition: sent.kind === portable ? null : sent.isOn,
        },
      ]);
    });
  });

  test("cells or Wi-Fi instead of a place are a frame without a fix", () => {
    const cells = topflytechElements(portable, 0x62, imei, at, { long: [[0x03, [0x81, 6, 0, 2, 0, 1, 2, 3, 0, 4]]] });
    const { frames, unread, problem } = decode(cells);
    expect(frames).toMatchObject([{ recordedAt: at, fix: false, latitude: null, speed_kmh: null }]);
    expect([unread, problem]).toEqual([["cell towers"], null]);
  });

  test("a signature behind the message belongs to it; what is encrypted is named, and not answered", () => {
    const signed = topflytechElements(obd, 0x62, imei, at, { measured: [[0x07, 50]] }, 0x10);
    const whole = Uint8Array.of(...signed, 1, 2, 3, 4, 5, 6, 7, 8);
    expect(families.topflytech.cut(whole)).toEqual({ kind: "message", length: whole.length });
    expect(decode(whole)).toMatchObject({ problem: null, frames: [{ battery_percent: 50 }] });
    const clear = topflytechElements(obd, 0x62, imei, at, { measured: [[0x07, 50]] }, 0x20);
    // In whole blocks of 16 bytes; the length is that of the clear text.
    const encrypted = Uint8Array.of(...clear, ...new Array<number>(17 + 16 - clear.length).fill(0xe7));
    expect(decode(encrypted)).toMatchObject({ frames: [], reply: null, problem: { kind: "unknown_message" } });
  });

  test("a list that says more than it has costs its message, and nothing else", () => {
    const message = topflytechElements(vehicle, 0x62, imei, at, { measured: [[0x07, 50]] });
    const lying = message.slice();
    lying[24] = 255;
    expect(decode(lying)).toMatchObject({ frames: [], problem: { kind: "malformed" } });
  });
});

describe("accessories", () => {
  const head = [...topflytechClock(at), 1];
  const address = (number: number) => [0xd0, 0, 0, 0, 0, number];
  const thermometer = (number: number, hundredths: number, humidity: number) => [
    ...address(number),
    ...[90, 80, ...word(hundredths), ...word(humidity), 0, 1, 70],
  ];
  const read = (content: readonly number[], type = 0x10) =>
    decode(topflytechMessage(vehicle, type, imei, 9, [...head, ...content]));

  test("all of one kind have their kind once, before the first", () => {
    const { frames, problem } = read([0, 4, ...thermometer(1, 2_150, 5_000), ...thermometer(2, 0x8000 | 425, 6_100)]);
    expect(problem).toBeNull();
    expect(frames[0]).toMatchObject({
      ignition: true,
      sensors: [
        { sensor: "d00000000001", temperature_c: 21.5, humidity_percent: 50 },
        { sensor: "d00000000002", temperature_c: -4.25, humidity_percent: 61 },
      ],
    });
  });

  test("mixed ones have each their kind before them", () => {
    const relay = [0, 6, ...address(3), 90, 80, ...word(1_900), 1, 70];
    const fuel = [0, 7, ...address(4), 90, ...word(512), ...word(1_200), 0, 0, 1, 70];
    const { frames } = read([0, 0, ...relay, 0, 4, ...thermometer(5, 0xffff, 0xffff), ...fuel]);
    expect(frames[0]?.sensors).toMatchObject([
      { sensor: "d00000000003", temperature_c: 19 },
      // A thermometer that says nothing is none.
      { sensor: "d00000000004", temperature_c: 12 },
    ]);
  });

  test("a button is a call for help, from its own place", () => {
    const button = [0, 2, ...address(6), 0x30, 0, 0x40 | 9, ...topflytechPlace(place, 123, 45)];
    expect(read(button).frames).toMatchObject([
      { event: "sos", fix: true, latitude: 52.5, longitude: 13.5, speed_kmh: 12.3, heading_deg: 45, satellites: 9 },
    ]);
    const lowBattery = [0, 2, ...address(6), 0x20, 1, 0x09, ...new Array<number>(16).fill(0x5a)];
    expect(read(lowBattery).frames).toMatchObject([{ event: "low_battery", fix: false, latitude: null }]);
  });

  test("in the newer form the place comes first, and a driver's tag has none", () => {
    const content = [0x40 | 8, ...topflytechPlace(place, 500, 90), 0, 3, ...address(7), 0x30, 0];
    const { frames, reply } = read(content, 0x12);
    expect(frames).toMatchObject([{ driver_id: "d00000000007", fix: true, latitude: 52.5, speed_kmh: 50 }]);
    expect(hex(reply)).toBe(`252512000f0009${padded}`);
  });

  test("of a portable tracker the state is no ignition", () => {
    const message = topflytechMessage(portable, 0x10, imei, 9, [...head, 0, 4, ...thermometer(1, 2_150, 5_000)]);
    expect(decode(message).frames[0]?.ignition).toBeNull();
  });
});

describe("how it was driven", () => {
  const cells = new Array<number>(16).fill(0x11);
  const acceleration = [1, 2, 3, 4, 5];

  test("is read of vehicles' trackers as of those at the diagnostic socket", () => {
    const moment = (second: number) => [
      ...topflytechClock(at + second * 1000),
      ...topflytechPlace(place, 600, 10),
      8,
      0,
    ];
    for (const kind of [vehicle, obd]) {
      const { frames, reply } = decode(topflytechMessage(kind, 0x05, imei, 3, [0, ...moment(0), ...moment(5)]));
      expect(frames.map(({ event }) => event)).toEqual([null, "harsh_braking"]);
      expect(hex(reply)).toBe(`${kind.toString(16).repeat(2)}05000f0003${padded}`);
    }
  });

  test("cells are no place", () => {
    const message = (state: number, where: readonly number[]) =>
      decode(topflytechMessage(obd, 0x06, imei, 3, [1, ...topflytechClock(at), state, ...acceleration, ...where]));
    expect(message(9, cells).frames).toMatchObject([{ event: "harsh_acceleration", fix: false, latitude: null }]);
    expect(message(0x40 | 9, topflytechPlace(place, 600, 10)).frames).toMatchObject([
      { event: "harsh_acceleration", fix: true, latitude: 52.5, speed_kmh: 60, satellites: 9 },
    ]);
  });

  test("a crash is an event at its first moment", () => {
    const moment = [...topflytechClock(at), 0x40 | 9, ...acceleration, ...topflytechPlace(place, 600, 10)];
    const { frames, reply } = decode(topflytechMessage(vehicle, 0x07, imei, 3, [2, ...moment, ...moment]));
    expect(frames).toMatchObject([{ recordedAt: at, event: "crash", latitude: 52.5, speed_kmh: 60 }]);
    expect(hex(reply)).toBe(`252507000f0003${padded}`);
  });
});

describe("reports of portable trackers with Wi-Fi", () => {
  const behind = [1, 2, 3, 4, 5, 0x77, 21, 0x10, 0x39, 0x45, ...long(98_000), 0, 4, ...new Array<number>(14).fill(0)];
  const report = (state: number, alarm: number, where: readonly number[]) =>
    decode(
      topflytechMessage(portable, alarm === 0 ? 0x24 : 0x25, imei, 4, [
        state,
        alarm,
        ...topflytechClock(at),
        ...where,
        ...behind,
      ]),
    );

  test("have a place, or addresses around them, which are no place", () => {
    const placed = [...topflytechPlace(place, 70, 10), 12, 0, 9, ...new Array<number>(8).fill(0)];
    expect(report(0x40, 3, placed)).toMatchObject({
      frames: [
        { event: "sos", fix: true, latitude: 52.5, speed_kmh: 7, satellites: 12, battery_percent: 77, odometer_km: 98 },
      ],
    });
    const wifi = new Array<number>(27).fill(0x3c);
    const { frames, unread } = report(0x20, 0, wifi);
    expect(frames).toMatchObject([{ fix: false, latitude: null, battery_percent: 77, odometer_km: 98 }]);
    expect(unread).toContain("addresses of Wi-Fi");
  });

  test("an alarm is answered with its number, a report without", () => {
    const wifi = new Array<number>(27).fill(0x3c);
    expect(hex(report(0x20, 3, wifi).reply)).toBe(`27272500100004${padded}03`);
    expect(hex(report(0x20, 0, wifi).reply)).toBe(`272724000f0004${padded}`);
  });
});

test("each kind of message that the maker names is answered, so that it does not come again", () => {
  const kinds: Readonly<Record<number, readonly number[]>> = {
    37: [0x01, 0x31, 0x03, 0x09, 0x11, 0x15, 0x21, 0x22, 0x23, 0x40, 0x44],
    38: [0x01, 0x31, 0x03, 0x09, 0x11, 0x15],
    39: [0x01, 0x31, 0x03, 0x05, 0x15, 0x17, 0x20, 0x26, 0x27],
  };
  for (const [kind, types] of Object.entries(kinds)) {
    for (const type of types) {
      const { problem, reply } = decode(topflytechMessage(Number(kind), type, imei, 5, [...topflytechClock(at), 1, 2]));
      expect([type, problem]).toEqual([type, null]);
      expect(hex(reply)).toBe(`${Buffer.of(Number(kind), Number(kind), type).toString("hex")}000f0005${padded}`);
    }
  }
  expect(decode(topflytechMessage(vehicle, 0x99, imei, 5, [1])).reply).toBeNull();
});
