import { expect, test } from "bun:test";
import fc from "fast-check";
import { gt06 } from "../../../src/intake/trackers/gt06/family.ts";
import type { DecodedMessage } from "../../../src/intake/trackers/kit/family.ts";
import { forAll } from "../../support/for-all.ts";
import { fieldMessages } from "../../support/trackers/field/messages.ts";
import { receivedAt } from "../../support/trackers/field-message.ts";
import {
  encodeAlarm,
  encodeAlarm4g,
  encodeHeartbeat,
  encodeLocation,
  encodeLocation4g,
  encodeLogin,
  encodeOldLocation,
  type Gt06Fix,
  type Gt06State,
  type Gt06Zone,
} from "../../support/trackers/gt06-encoder.ts";
import { beyondRoutine } from "../../support/trackers/routine-names.ts";
import { testStreamRules } from "../../support/trackers/stream-rules.ts";

testStreamRules(
  gt06,
  fieldMessages("gt06").map(({ message }) => new Uint8Array(Buffer.from(message, "hex"))),
);

const serials = fc.integer({ min: 0, max: 0xffff });

const fixes: fc.Arbitrary<Gt06Fix> = fc.record({
  clock: fc.tuple(
    fc.integer({ min: 10, max: 60 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
    fc.integer({ min: 0, max: 23 }),
    fc.integer({ min: 0, max: 59 }),
    fc.integer({ min: 0, max: 59 }),
  ),
  satellites: fc.integer({ min: 0, max: 15 }),
  latitude: fc.integer({ min: -90 * 1_800_000, max: 90 * 1_800_000 }),
  longitude: fc.integer({ min: -180 * 1_800_000, max: 180 * 1_800_000 }),
  speedKmh: fc.integer({ min: 0, max: 255 }),
  heading: fc.integer({ min: 0, max: 360 }),
  isLocated: fc.boolean(),
});

const states: fc.Arbitrary<Gt06State> = fc.record({
  ignition: fc.boolean(),
  level: fc.integer({ min: 0, max: 6 }),
  statusAlarm: fc.constantFrom(0, 1, 2, 3, 4),
  alarm: fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 0x13, 0x19),
});

const statusEvents = [null, "vibration", "power_cut", "low_battery", "sos"] as const;
const alarmEvents: Readonly<Record<number, string>> = {
  1: "sos",
  2: "power_cut",
  3: "vibration",
  4: "geofence_enter",
  5: "geofence_exit",
  6: "overspeed",
  19: "tampering",
  25: "low_battery",
};
const percents = [0, 16, 33, 50, 66, 83, 100];

/** The message alone on a connection that has logged in with this zone. */
function decode(message: Uint8Array, zone: Gt06Zone = [0, 0, false]): DecodedMessage<unknown> {
  expect(gt06.cut(message)).toEqual({ kind: "message", length: message.length });
  const { session } = gt06.decode(encodeLogin("351608080779288", 1, zone), gt06.begin(), receivedAt);
  return gt06.decode(message, session, receivedAt);
}

function expectFix(decoded: DecodedMessage<unknown>, fix: Gt06Fix, zone: Gt06Zone = [0, 0, false]): void {
  const [year, month, ...rest] = fix.clock;
  const [hours, minutes, isWest] = zone;
  const offset = (isWest ? -1 : 1) * (hours * 60 + minutes) * 60_000;
  expect(decoded.problem).toBeNull();
  expect(beyondRoutine(decoded.unread)).toEqual([]);
  expect(decoded.leftOut).toEqual([]);
  const [frame] = decoded.frames;
  expect(frame?.recordedAt).toBe(Date.UTC(2000 + year, month - 1, ...rest) - offset);
  expect(frame?.fix).toBe(fix.isLocated);
  expect(frame?.satellites).toBe(fix.satellites);
  if (!fix.isLocated) {
    expect([frame?.latitude, frame?.longitude, frame?.speed_kmh, frame?.heading_deg]).toEqual([null, null, null, null]);
    return;
  }
  expect(frame?.latitude).toBeCloseTo(fix.latitude / 1_800_000, 6);
  expect(frame?.longitude).toBeCloseTo(fix.longitude / 1_800_000, 6);
  expect([frame?.speed_kmh, frame?.heading_deg]).toEqual([fix.speedKmh, fix.heading]);
}

function expectEvents(decoded: DecodedMessage<unknown>, { statusAlarm, alarm }: Gt06State): void {
  const expected = new Set([statusEvents[statusAlarm], alarmEvents[alarm]].filter((event) => event));
  expect(decoded.frames.map(({ event }) => event)).toEqual(expected.size === 0 ? [null] : ([...expected] as string[]));
}

test("a location that a tracker writes is read as it was meant, in the zone of its login", () => {
  const zones = fc.tuple(fc.integer({ min: 0, max: 13 }), fc.constantFrom(0, 30, 45), fc.boolean());
  forAll(300, [fixes, zones, serials], (fix, zone, serial) => {
    const decoded = decode(encodeOldLocation(fix, serial), zone);
    expectFix(decoded, fix, zone);
    expect(decoded.frames[0]?.ignition).toBeNull();
  });
});

test("ignition and mileage of a location are read in 2G and 4G", () => {
  const mileages = fc.option(fc.integer({ min: 0, max: 0xffffffff }), { nil: undefined });
  forAll(300, [fixes, fc.boolean(), mileages, serials], (fix, ignition, mileage, serial) => {
    const decoded = decode(encodeLocation(fix, ignition, serial, mileage));
    expectFix(decoded, fix);
    expect(decoded.frames[0]?.ignition).toBe(ignition);
    expect(decoded.frames[0]?.odometer_km).toBe(mileage === undefined ? null : mileage / 1000);
    const over4g = decode(encodeLocation4g(fix, ignition, serial, mileage === undefined));
    expectFix(over4g, fix);
    expect(over4g.frames[0]?.ignition).toBe(ignition);
  });
});

test("an alarm that a tracker writes is read as it was meant, in 2G and 4G", () => {
  forAll(300, [fixes, states, serials, fc.boolean()], (fix, state, serial, hasWideNetwork) => {
    for (const message of [encodeAlarm(fix, state, serial), encodeAlarm4g(fix, state, serial, hasWideNetwork)]) {
      const decoded = decode(message);
      expectFix(decoded, fix);
      expectEvents(decoded, state);
      expect(decoded.frames[0]?.ignition).toBe(state.ignition);
      expect(decoded.frames[0]?.battery_percent).toBe(percents[state.level] as number);
    }
  });
});

test("a heartbeat holds when it comes, and its last bytes are no alarm", () => {
  forAll(200, [states, serials], (state, serial) => {
    const decoded = decode(encodeHeartbeat(state, serial));
    expectEvents(decoded, { ...state, alarm: 0 });
    const [frame] = decoded.frames;
    expect(frame).toMatchObject({ recordedAt: receivedAt, ignition: state.ignition, latitude: null, fix: null });
    expect(frame?.battery_percent).toBe(percents[state.level] as number);
  });
});

test("a login names the tracker, and its answer repeats the serial number", () => {
  const imeis = fc.integer({ min: 0, max: 10 ** 15 - 1 }).map((number) => String(number).padStart(15, "0"));
  forAll(200, [imeis, serials], (imei, serial) => {
    const decoded = gt06.decode(encodeLogin(imei, serial), gt06.begin(), receivedAt);
    expect(decoded.identity).toEqual({ kind: "imei", value: imei });
    expect(decoded.reply?.subarray(0, 6)).toEqual(Uint8Array.of(0x78, 0x78, 5, 1, serial >> 8, serial & 255));
  });
});
