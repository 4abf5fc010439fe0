import { expect, test } from "bun:test";
import { gt06 } from "../../../src/intake/trackers/gt06/family.ts";
import { receivedAt } from "../../support/trackers/field-message.ts";
import { encodeAlarm, gt06Sample as fix, frame, longFrame } from "../../support/trackers/gt06-encoder.ts";
import { beyondRoutine } from "../../support/trackers/routine-names.ts";

const time = [...fix.clock];

function eventsOf(message: Uint8Array): readonly (string | null)[] {
  return gt06.decode(message, gt06.begin(), receivedAt).frames.map(({ event }) => event);
}

/** `01 sos, 02 power_cut` */
function table(text: string): readonly (readonly [number, string])[] {
  return text.split(",").map((entry) => {
    const [code = "", event = ""] = entry.trim().split(" ");
    return [Number.parseInt(code, 16), event] as const;
  });
}

test("alarms of 0x26 mean what the manuals say", () => {
  const manual = table(
    `01 sos, 02 power_cut, 03 vibration, 04 geofence_enter, 05 geofence_exit, 06 overspeed, 09 towing, 0a gps_lost, 0c power_on,
    0e low_power, 0f low_power, 11 power_off, 13 tampering, 14 door, 15 low_battery, 18 tampering, 19 low_battery, 23 fall_down,
    29 harsh_acceleration, 2a harsh_cornering, 2b harsh_cornering, 2c crash, 30 harsh_braking, 32 tampering`,
  );
  // These are in no manual that we have: the most common gateway reads them so.
  const others = table(
    `1a harsh_braking, 1b harsh_cornering, 25 tampering, 26 harsh_acceleration, 27 harsh_braking,
    2e harsh_cornering, 33 lock, 34 unlock, 53 fuel_leak, 5b temperature, 5c temperature, c9 idling, f0 harsh_acceleration,
    f1 harsh_braking, f2 crash`,
  );
  const known = new Map([...manual, ...others]);
  const silent = new Set([0x00, 0x0b, 0x0d, 0xfe, 0xff]);
  for (let alarm = 0; alarm < 256; alarm++) {
    const message = encodeAlarm(fix, { ignition: true, level: 6, statusAlarm: 0, alarm }, 1);
    expect(eventsOf(message), alarm.toString(16)).toEqual([known.get(alarm) ?? null]);
    const { unread } = gt06.decode(message, gt06.begin(), receivedAt);
    expect(beyondRoutine(unread).length, alarm.toString(16)).toBe(known.has(alarm) || silent.has(alarm) ? 0 : 1);
  }
});

test("the status byte says more alarms, and what both say is one event", () => {
  const meanings = [null, "vibration", "power_cut", "low_battery", "sos", null, "geofence", "tampering"];
  for (const [statusAlarm, event] of meanings.entries()) {
    const state = { ignition: false, level: 3, statusAlarm };
    expect(eventsOf(encodeAlarm(fix, { ...state, alarm: 0 }, 1))).toEqual([event]);
    expect(eventsOf(encodeAlarm(fix, { ...state, alarm: 6 }, 1))).toEqual(
      event === null ? ["overspeed"] : [event, "overspeed"],
    );
  }
  expect(eventsOf(encodeAlarm(fix, { ignition: false, level: 3, statusAlarm: 4, alarm: 1 }, 1))).toEqual(["sos"]);
});

test("VXT01 means speeding where others mean an opened case", () => {
  const place = [...encodeAlarm(fix, { ignition: true, level: 6, statusAlarm: 0, alarm: 0 }, 1).subarray(4, 22)];
  const cell = [1, 0xcc, 0, 0x28, 0x7d, 0, 0x1f, 0x71];
  expect(eventsOf(frame(0x12, [...place, ...cell, 0x7a, 4, 0xe4, 4, 0], 1))).toEqual(["overspeed"]);
});

test("cameras have alarms of their own", () => {
  const camera = table(
    `0e low_power, 76 temperature, 80 vibration, 87 overspeed, 88 power_cut, 90 harsh_acceleration, 91 harsh_braking,
    92 harsh_cornering, 93 crash`,
  );
  for (const [code, event] of camera) expect(eventsOf(frame(0x95, [...time, code], 1))).toEqual([event]);
  expect(eventsOf(frame(0x95, [...time, 1], 1))).toEqual(["general"]);
  // With a place, 1 is the button.
  const jc100 = frame(0x95, [...time, 0x05, 0x5d, 0x4a, 0x80, 0x02, 0x09, 0xd9, 0xc0, 0x14, 0xc5, 1, 0, 0], 1);
  expect(eventsOf(jc100)).toEqual(["sos"]);
  expect(gt06.decode(jc100, gt06.begin(), receivedAt).frames[0]).toMatchObject({ speed_kmh: null, heading_deg: 0xc5 });
});

test("so have AZ735 and modular messages", () => {
  for (const [code, event] of table("a2 low_battery, a3 low_battery, a4 general, a5 door"))
    expect(eventsOf(longFrame(0x33, [...time, 0, 0, 0, 0, code, 0], 1))).toEqual([event]);
  for (const code of [0xa0, 0xa1]) {
    const decoded = gt06.decode(longFrame(0x33, [...time, 0, 0, 0, 0, code, 0], 1), gt06.begin(), receivedAt);
    expect([decoded.frames[0]?.event, beyondRoutine(decoded.unread)]).toEqual([null, []]);
  }
  const modular = table(
    `10 door, 12 tampering, 14 geofence_enter, 15 geofence_exit, 16 temperature, 1a low_battery, 1b overspeed, 1c power_on,
    1d power_off, 20 vibration, 21 power_cut, 23 tampering`,
  );
  for (const [code, event] of modular) expect(eventsOf(longFrame(0x70, [0, 0x34, 0, 1, code], 1))).toEqual([event]);
});

test("access points can come with an alarm at their end", () => {
  const cells = [1, 0xcc, 0, 0, 1, 0x28, 0x7d, 0, 0x1f, 0x71, 0x3e, 0xff, 0];
  expect(eventsOf(frame(0xa9, [...time, ...cells, 0x01, 0x02], 1))).toEqual(["sos"]);
  expect(eventsOf(frame(0xa9, [...time, ...cells, 0x0b, 0x12], 1))).toEqual(["jamming"]);
});

test("a modern alarm has its items behind it", () => {
  const place = [...encodeAlarm(fix, { ignition: true, level: 6, statusAlarm: 0, alarm: 0 }, 1).subarray(4, 22)];
  const cells = [
    [2, 1, 0xcc, 0, 0x28, 0x7d, 0, 0x1f, 0x71, 0x3e],
    [3, 0x81, 0xcc, 0, 1, 0, 0, 0x28, 0x7d, 0, 0, 0, 0, 2, 0xea, 0x5e, 1, 0, 0x3e],
  ];
  for (const cell of cells) {
    const items = [0, 0x27, 2, 0x04, 0xe2, 0, 0x6a, 1, 77, 0, 0x18, 2, 1, 0x90];
    const message = frame(0x39, [...place, ...cell, 0x46, 5, 4, 0x01, 2, ...items], 1);
    const decoded = gt06.decode(message, gt06.begin(), receivedAt);
    expect([decoded.problem, beyondRoutine(decoded.unread)]).toEqual([null, []]);
    expect(decoded.frames[0]).toMatchObject({
      event: "sos",
      ignition: true,
      external_voltage_v: 12.5,
      battery_percent: 77,
    });
  }
});
