import { describe, expect, test } from "bun:test";
import { jt808 } from "../../../src/intake/trackers/jt808/family.ts";
import type { TrackerEvent } from "../../../src/intake/trackers/kit/events.ts";
import { receivedAt } from "../../support/trackers/field-message.ts";
import { encodeMessage, itemsOfHex, locationBody } from "../../support/trackers/jt808-encoder.ts";

const at = Date.UTC(2026, 4, 6, 7, 8, 9);
const text = (characters: string) => Buffer.from(characters, "latin1").toString("hex");

function located(alarms: number, items: readonly (readonly [number, string])[], version?: number) {
  const body = locationBody({ at, latitude: 48.2, longitude: 16.3, alarms, items: itemsOfHex(items) });
  const message = encodeMessage({ type: 0x0200, body, ...(version === undefined ? {} : { version }) });
  return jt808.decode(message, jt808.begin(), receivedAt);
}

const eventsOf = (decoded: ReturnType<typeof located>) => decoded.frames.map(({ event }) => event).toSorted();

describe("alarm bits", () => {
  const byBit: readonly (readonly [number, TrackerEvent | null, (TrackerEvent | null)?])[] = [
    [0, "sos"],
    [1, "overspeed"],
    [2, "fatigue_driving"],
    [3, null],
    [4, "fault"],
    [5, "gps_antenna_cut"],
    [6, "gps_antenna_cut"],
    [7, "low_battery"],
    [8, "power_cut"],
    [9, "fault"],
    [10, "fault"],
    [11, "fault"],
    [12, null],
    [13, null],
    [14, null],
    [15, "vibration", "general"],
    [16, "tampering", "fault"],
    [17, "tampering", null],
    [18, "fatigue_driving"],
    [19, "parking"],
    [20, "geofence"],
    [21, "geofence"],
    [22, null],
    [23, "geofence"],
    [24, "fault"],
    [25, "fuel_leak"],
    [26, "general"],
    [27, "general"],
    [28, "movement"],
    [29, "crash"],
    [30, "crash"],
    [31, "door"],
  ];
  for (const [bit, event, event2019 = event] of byBit) {
    test(`${bit}: ${event}, in 2019 ${event2019}`, () => {
      const [older, newer] = [located(2 ** bit, []), located(2 ** bit, [], 1)];
      expect(eventsOf(older)).toEqual([event]);
      expect(eventsOf(newer)).toEqual([event2019]);
      // What has no event is named.
      expect(older.unread).toEqual(event === null ? [`alarm bit ${bit}`] : []);
      expect(newer.unread).toEqual(event2019 === null ? [`alarm bit ${bit}`] : []);
    });
  }

  test("several alarms are several frames, of which the first has the sensors", () => {
    const { frames } = located(0b11, [[0x51, "0123"]]);
    expect(frames.map(({ event, sensors }) => [event, sensors.length])).toEqual([
      ["sos", 1],
      ["overspeed", 0],
    ]);
  });
});

describe("items that are alarms", () => {
  const cases: readonly (readonly [number, string, readonly TrackerEvent[]])[] = [
    [0x11, "00", ["overspeed"]],
    [0x11, "0100000001", ["overspeed"]],
    [0x12, "010000000100", ["geofence_enter"]],
    [0x12, "010000000101", ["geofence_exit"]],
    [0x57, "0100000000000000", ["harsh_acceleration"]],
    [0x57, "0600000000000000", ["harsh_braking", "harsh_cornering"]],
    [0x65, `000000010101${"00".repeat(41)}`, ["fatigue_driving"]],
    [0x70, `000000010116${"00".repeat(10)}`, ["crash"]],
    [0x70, `000000010202${"00".repeat(10)}`, []],
    [0xd0, "00000008", ["vibration"]],
    [0xe7, "0001000000000000", ["vibration"]],
    [0xe7, "0004000000000000", ["sos"]],
    [0xe8, `0c0e10${"31".repeat(16)}`, ["power_cut"]],
    [0xe8, `040701${"31".repeat(1)}`, ["towing"]],
    [0xeb, "00060089ffffefee", ["tampering"]],
    [0xeb, "00060089fdfffcff", ["harsh_acceleration", "harsh_braking", "harsh_cornering"]],
    [0xeb, "000600c5ffffbfff", ["tampering"]],
    [0xeb, "000600c5ffffffaf", ["vibration"]],
    [0xeb, "000300c603", ["low_battery"]],
    [0xf4, "0021", ["crash", "harsh_acceleration"]],
    [0xfa, "0001000101000112021122", ["harsh_braking", "towing"]],
    [0xfe, "7c010400000006", ["harsh_braking", "harsh_cornering"]],
  ];
  for (const [id, value, events] of cases) {
    test(`0x${id.toString(16)} ${value}: ${events}`, () => {
      expect(eventsOf(located(0, [[id, value]]))).toEqual(events.length === 0 ? [null] : ([...events] as never));
    });
  }

  test("the state of a padlock is no alarm of a dashcam", () => {
    expect(located(0, [[0xe8, "000100"]])).toMatchObject({ frames: [{ event: null }], unread: ["item 0xe8"] });
    expect(located(0, [[0xe8, "0e83"]]).unread).toEqual(["item 0xe8"]);
  });

  test("all bits set mean that the terminal does not use them", () => {
    for (const version of [undefined, 1]) {
      const decoded = located(0xffff_ffff, [], version);
      expect([eventsOf(decoded), decoded.unread]).toEqual([[null], ["alarms, all bits set"]]);
    }
    expect(eventsOf(located(0xffff_ffff, [[0x12, "010000000101"]]))).toEqual(["geofence_exit"]);
    expect(eventsOf(located(0xffff_fffe, [])).length).toBeGreaterThan(1);
  });

  test("the item of an area says more than the alarm bit", () => {
    expect(eventsOf(located(1 << 20, [[0x12, "010000000101"]]))).toEqual(["geofence_exit"]);
  });

  test("locators that send their battery as a level use the free bits otherwise", () => {
    const battery = [[0x56, "0900"]] as const;
    expect(eventsOf(located(1 << 15, battery))).toEqual(["low_battery"]);
    expect(eventsOf(located(1 << 16, battery))).toEqual(["vibration"]);
    expect(eventsOf(located(1 << 17, battery))).toEqual(["tampering"]);
  });

  test("locators of AOVX have one alarm bit, which is movement", () => {
    expect(eventsOf(located(1 << 16, [[0xf2, text("AOVX_AL300-LA_H2.0")]]))).toEqual(["movement"]);
    expect(eventsOf(located((1 << 29) | 1, [[0xf2, text("AOVX_VL300-LA_H2.1")]]))).toEqual(["sos"]);
  });
});
