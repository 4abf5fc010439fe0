import { expect, test } from "bun:test";
import { gt06 } from "../../../src/intake/trackers/gt06/family.ts";
import type { DecodedMessage } from "../../../src/intake/trackers/kit/family.ts";
import { receivedAt } from "../../support/trackers/field-message.ts";
import {
  encodeAlarm,
  encodeHeartbeat,
  encodeInformation,
  encodeLogin,
  encodeOldLocation,
  gt06Sample as fix,
  frame,
  longFrame,
} from "../../support/trackers/gt06-encoder.ts";
import { beyondRoutine } from "../../support/trackers/routine-names.ts";

const calm = { ignition: true, level: 6, statusAlarm: 0, alarm: 0 };
const begin = gt06.begin();

function decode(message: Uint8Array, session = begin): DecodedMessage<typeof begin> {
  return gt06.decode(message, session, receivedAt);
}

function replyTo(message: Uint8Array): string | null {
  return decode(message).reply?.toHex() ?? null;
}

/** Time, satellites, place, speed and course, as 18 bytes. */
const position = [...encodeOldLocation(fix, 1).subarray(4, 22)];

test("the zone of the login holds for the connection, unless there is none so far from UTC", () => {
  const west = decode(encodeLogin("351608080779288", 1, [4, 30, true]));
  expect(west.session.zoneMinutes).toBe(-270);
  const [frame] = decode(encodeOldLocation(fix, 2), west.session).frames;
  expect(new Date(frame?.recordedAt ?? 0).toISOString()).toBe("2026-11-17T13:00:15.000Z");
  expect(decode(encodeLogin("351608080779288", 1, [14, 0, false])).session.zoneMinutes).toBe(840);
  const absurd = decode(encodeLogin("351608080779288", 1, [14, 15, false]));
  expect([absurd.session.zoneMinutes, beyondRoutine(absurd.unread), absurd.problem]).toEqual([0, ["time zone"], null]);
});

test("a login whose IMEI is no number is not answered", () => {
  const decoded = decode(frame(0x01, [0x03, 0x51, 0xab, 0x08, 0x07, 0x79, 0x28, 0x82], 1));
  expect([decoded.identity, decoded.reply, decoded.problem?.kind]).toEqual([undefined, null, "malformed"]);
});

test("replies are those of the manuals, byte for byte", () => {
  expect(replyTo(Uint8Array.fromHex("78780d01012345678901234500018cdd0d0a"))).toBe("787805010001d9dc0d0a");
  expect(replyTo(encodeHeartbeat(calm, 0x100))).toBe("787805130100e1a00d0a");
  expect(replyTo(encodeAlarm(fix, calm, 0x1c))).toBe("78780526001c9d860d0a");
  const midnight = Date.UTC(2015, 11, 29, 0, 0, 21);
  const timed = gt06.decode(Uint8Array.fromHex("7878058a000688290d0a"), begin, midnight);
  expect([timed.what, timed.reply?.toHex()]).toEqual(["time request", "78780b8a0f0c1d0000150006f0860d0a"]);
});

test("an address is asked for: the place counts, and the tracker learns that there is none", () => {
  const request = Uint8Array.fromHex(
    "78782e2a0f0c1d071139ca027ac8000c4658000014d83132353230313335333231373730373900000000000001002a6ece0d0a",
  );
  const decoded = decode(request);
  expect(decoded.frames[0]?.latitude).toBeCloseTo(23.11168, 5);
  // The length of the text, four bytes of the server's own, the text.
  expect(decoded.reply?.toHex()).toBe("79790015970b000000004e4126264e412626302323002a68460d0a");
});

test("answers to commands, photos and unknown messages are named", () => {
  const what = (message: Uint8Array) => [decode(message).what, replyTo(message), decode(message).problem?.kind ?? null];
  expect(what(frame(0x81, [1, 2, 3], 1))).toEqual(["answer to a command 0x81", null, null]);
  expect(decode(frame(0x81, [1, 2, 3], 1)).unread).toEqual(["answer to a command 0x81"]);
  expect(what(longFrame(0x36, [1, 2, 3], 1))).toEqual(["photo 0x36", null, null]);
  expect(what(frame(0x7b, [1, 2, 3], 0x1c))[0]).toBe("message 0x7b");
  expect(what(frame(0x7b, [1, 2, 3], 0x1c))[2]).toBe("unknown_message");
  expect(replyTo(frame(0x7b, [1, 2, 3], 0x1c))).toMatch(/^7878057b001c....0d0a$/);
  expect(what(longFrame(0x7b, [1, 2, 3], 0x1c))).toEqual(["message 0x7b", null, "unknown_message"]);
  const information = decode(encodeInformation(0x77, [1, 2], 1));
  expect([information.frames, information.problem]).toEqual([
    [],
    { kind: "unknown_message", detail: "information 0x77" },
  ]);
});

test("information that has no field is named by its kind", () => {
  const door = decode(Uint8Array.fromHex("7979000794050100acd8490d0a"));
  expect([door.what, door.frames, door.problem, door.unread]).toEqual([
    "information 0x94",
    [],
    null,
    ["information 0x05"],
  ]);
  const cards = "79790020940a035985708236675805200502187214018966051912408052452f000355560d0a";
  expect(decode(Uint8Array.fromHex(cards)).unread).toEqual(["information 0x0a"]);
  for (const kind of [0x04, 0x08, 0x09, 0x0b])
    expect(decode(encodeInformation(kind, [1], 1)).unread).toEqual([`information 0x0${kind.toString(16)}`]);
  const timed = decode(Uint8Array.fromHex("7979000d940516090908081c030defbd2d0d0a"));
  expect([timed.frames.length, timed.unread]).toEqual([1, ["information 0x05"]]);
});

test("one byte of information is no voltage", () => {
  const short = decode(Uint8Array.fromHex("78780794000002c55a4a0d0a"));
  expect([short.frames, short.unread]).toEqual([[], ["information 0x00"]]);
  expect(decode(encodeInformation(0, [0], 1))).toMatchObject({ frames: [], problem: { kind: "malformed" } });
  expect(decode(encodeInformation(0, [0, 0], 1)).frames[0]?.external_voltage_v).toBe(0);
});

test("a time that is none gives no frame, and is answered as handled", () => {
  const unset = encodeOldLocation({ ...fix, clock: [0, 0, 0, 0, 0, 0] }, 5);
  const decoded = decode(unset);
  expect([decoded.frames, decoded.problem?.kind]).toEqual([[], "no_time"]);
  expect(decoded.reply).not.toBeNull();
  expect(decode(encodeOldLocation({ ...fix, clock: [26, 2, 30, 8, 0, 0] }, 5)).problem?.kind).toBe("no_time");
});

test("a message that ends too early keeps what came before its end", () => {
  const decoded = decode(frame(0x26, [...position, 9, 1], 5));
  expect(decoded.problem?.kind).toBe("malformed");
  expect(decoded.frames[0]).toMatchObject({ speed_kmh: 48, heading_deg: 271, ignition: null, event: null });
  expect(decoded.reply).not.toBeNull();
  expect(decode(frame(0x12, [26, 11], 5))).toMatchObject({ frames: [], problem: { kind: "malformed" } });
});

test("a course beyond 360 degrees is left out, and the place stays", () => {
  const decoded = decode(encodeOldLocation({ ...fix, heading: 361 }, 5));
  expect(decoded.leftOut).toEqual(["heading_deg"]);
  expect(decoded.frames[0]).toMatchObject({ latitude: 52.5, longitude: 13.4, heading_deg: null });
});

test("the battery is a level up to 6, a percentage up to 100, and nothing above", () => {
  const percent = (level: number) => decode(encodeHeartbeat({ ...calm, level }, 1)).frames[0]?.battery_percent;
  expect([0, 1, 3, 6, 7, 100, 101, 255].map(percent)).toEqual([0, 16, 50, 100, 7, 100, null, null]);
});

test("a heartbeat has a level or a voltage: where it may be either, neither is stored", () => {
  const read = (hex: string) => {
    const { frames, unread } = decode(Uint8Array.fromHex(hex));
    return [frames[0]?.battery_percent, frames[0]?.external_voltage_v, unread[0]];
  };
  const others = "signal, port or voltage, language";
  expect(read("78780a1304060300020003691c0d0a")).toEqual([100, null, others]);
  // 12.58 V and four bars: 0xea is no signal.
  expect(read("78780a130604ea04000006bc8a0d0a")).toEqual([null, 12.58, others]);
  // An R11 with 28.34 V, or a tracker with 11 % and a signal of 18.
  expect(read("78780a13460b120400160642c20d0a")).toEqual([
    ...[null, null, "level of the battery or voltage of the vehicle"],
  ]);
  // Seeworld's 11 V and LW4G's 13.1 V stand where others have a port's state.
  expect(read("78780a134506560b0102242b850d0a")).toEqual([100, null, others]);
  expect(read("78780a13560604f0830ccf986f0d0a")).toEqual([100, null, others]);
});

test("an alarm that we do not know is named, and the frame stays", () => {
  const decoded = decode(encodeAlarm(fix, { ...calm, alarm: 0x7e }, 1));
  expect([beyondRoutine(decoded.unread), decoded.frames.length, decoded.frames[0]?.event]).toEqual([
    ["alarm 0x7e"],
    1,
    null,
  ]);
  for (const silent of [0x00, 0xfe, 0xff]) {
    const read = decode(encodeAlarm(fix, { ...calm, alarm: silent }, 1));
    expect([beyondRoutine(read.unread), read.problem]).toEqual([[], null]);
  }
});

test("more bits of an alarm stand in the upper half of the language", () => {
  const cell = [9, 1, 0xcc, 0, 0x28, 0x7d, 0, 0x1f, 0x71];
  const decoded = decode(frame(0x27, [...position, ...cell, 0x46, 6, 4, 0x07, 0x12, 0xff], 1));
  expect(decoded.frames.map(({ event }) => event)).toEqual(["jamming"]);
});

test("a cell of length 0 leaves the state where it belongs", () => {
  const none = decode(frame(0x26, [...position, 0, 0x46, 6, 4, 0x01, 2], 1));
  const zeros = decode(frame(0x26, [...position, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x46, 6, 4, 0x01, 2], 1));
  for (const { frames } of [none, zeros]) expect(frames[0]).toMatchObject({ event: "sos", battery_percent: 100 });
});

test("an old location may end with ignition, with mileage, or with both", () => {
  const cell = [1, 0xcc, 0, 0x28, 0x7d, 0, 0x1f, 0x71];
  const read = (...tail: readonly number[]) => {
    const [frame] = decode(frameOf(tail)).frames;
    return [frame?.ignition, frame?.odometer_km];
  };
  const frameOf = (tail: readonly number[]) => frame(0x12, [...position, ...cell, ...tail], 1);
  expect(read(1, 0, 0)).toEqual([true, null]);
  expect(read(0, 1, 0xe2, 0x40)).toEqual([null, 123.456]);
  expect(read(0, 0, 0, 0, 1, 0xe2, 0x40)).toEqual([false, 123.456]);
  expect(beyondRoutine(decode(frameOf([9])).unread)).toEqual(["1 more bytes"]);
});

test("GK310 has the ignition in the second bit of its heartbeat", () => {
  const ignition = (bits: number) => decode(frame(0x23, [bits, 1, 0x22, 4, 0, 1], 1)).frames[0]?.ignition;
  expect([0, 1, 2, 4, 0xfd, 0xff].map(ignition)).toEqual([false, false, true, false, false, true]);
});

test("the satellites of two systems are added", () => {
  const state = [0x40, 0x14, 0x60, 0, 2, 50, 1, 0, 0, 0, 0, 0, 0, 0];
  expect(decode(frame(0x13, state, 1)).frames[0]).toMatchObject({
    satellites: 5 + 3,
    battery_percent: 50,
    sensors: [],
  });
});

test("bytes behind a known message are named", () => {
  const cell = [1, 0xcc, 0, 0x28, 0x7d, 0, 0x1f, 0x71];
  const decoded = decode(frame(0x22, [...position, ...cell, 1, 0, 0, 1, 2, 3, 4, 5], 1));
  expect(decoded.frames[0]?.ignition).toBe(true);
  expect(beyondRoutine(decoded.unread)).toEqual(["5 more bytes"]);
});

test("Benway's measurement is a temperature if its bit says so", () => {
  const cell = [1, 0xcc, 0, 0x28, 0x7d, 0, 0x1f, 0x71];
  const sensors = (high: number, low: number) =>
    decode(frame(0x12, [...position, ...cell, high, low], 1)).frames[0]?.sensors;
  expect(sensors(0x90, 25)).toMatchObject([{ temperature_c: 25 }]);
  expect(sensors(0x92, 5)).toMatchObject([{ temperature_c: -5 }]);
  expect(sensors(0x80, 25)).toEqual([]);
});

test("a modular message without a clock has no time", () => {
  const unset = longFrame(0x70, [0, 0x33, 0, 18, ...Array.from({ length: 18 }, () => 0)], 1);
  expect(decode(unset)).toMatchObject({ frames: [], problem: { kind: "no_time" } });
  const unknown = longFrame(0x70, [0, 0x2c, 0, 4, 0x69, 0x19, 0xc6, 0x41, 0x77, 0x77, 0, 1, 9], 1);
  expect(beyondRoutine(decode(unknown).unread)).toEqual(["item 0x7777"]);
});

test("without a checksum only Topin's forms are read, and any message after its login", () => {
  const login = decode(Uint8Array.fromHex("78780d010359339075005244340d0a"));
  const battery = Uint8Array.fromHex("78780513571d0a05000d0a".replace("0a05", "0105"));
  const state = decode(battery, login.session);
  expect([state.what, state.frames[0]?.battery_percent, state.problem]).toEqual(["heartbeat 0x13", 0x57, null]);
  expect(state.reply?.toHex()).toBe("78780613571d0105000d0a");
  expect(decode(battery)).toMatchObject({ what: "message 0x13", problem: { kind: "checksum" } });
  expect(decode(Uint8Array.fromHex("787801300d0a"), login.session).reply?.toHex()).toBe("7878073007ea0b110c00000d0a");
  expect(decode(Uint8Array.fromHex("787801550d0a"), login.session).problem?.kind).toBe("unknown_message");
});

test("Topin's places have alarms in their last byte", () => {
  const events = (bits: string) =>
    decode(Uint8Array.fromHex(`78781511170103100e1f9904efe30400a97f88003410ffdd${bits}0d0a`)).frames.map(
      ({ event }) => event,
    );
  expect(["00", "01", "02", "10", "13"].map(events)).toEqual([
    [null],
    ["vibration"],
    ["overspeed"],
    ["low_power"],
    ["vibration", "overspeed", "low_power"],
  ]);
});

test("Topin's alarms have a length of 1: anything else is what is left of another message", () => {
  const decoded = decode(Uint8Array.fromHex("78781f990d0a"));
  expect([decoded.frames, decoded.unread]).toEqual([[], ["alarm"]]);
});

test("what Topin's dialect has beyond a heartbeat is named", () => {
  const login = decode(Uint8Array.fromHex("78780d010359339075005244340d0a"));
  const message = "7878200813081a0733211608c8d1710ded1d1608dffb710e06d51039050100286489000d0a";
  expect(decode(Uint8Array.fromHex(message), login.session).unread).toEqual(["heartbeat 0x08"]);
  expect(decode(Uint8Array.fromHex("787801080d0a"), login.session).unread).toEqual([]);
});

test("a place as text is read with and without a unit of its speed", () => {
  const answer = (text: string) => decode(longFrame(0x21, [0, 0, 0, 0, 1, ...Buffer.from(text)], 1));
  const start = "Current position! Lat:S22.577156,Lon:W113.916748,Course:10.50,Speed:31.20";
  for (const unit of ["", "Km/h"]) {
    expect(answer(`${start}${unit},DateTime:2013-01-08 17:35:32`).frames[0]).toMatchObject({
      recordedAt: Date.UTC(2013, 0, 8, 17, 35, 32),
      latitude: -22.577156,
      longitude: -113.916748,
      speed_kmh: 31.2,
      heading_deg: 10.5,
    });
  }
  expect(answer(`${start},DateTime:soon`).problem?.kind).toBe("no_time");
  expect(answer("OK!")).toMatchObject({ frames: [], problem: null, what: "answer to a command 0x21" });
});
