import { expect, test } from "bun:test";
import fc from "fast-check";
import { gt06 } from "../../../src/intake/trackers/gt06/family.ts";
import { MessageStream } from "../../../src/intake/trackers/kit/stream.ts";
import { forAll } from "../../support/for-all.ts";
import { fieldMessages } from "../../support/trackers/field/messages.ts";
import { receivedAt } from "../../support/trackers/field-message.ts";
import {
  encodeHeartbeat,
  encodeInformation,
  encodeLogin,
  frame,
  longFrame,
} from "../../support/trackers/gt06-encoder.ts";

const state = { ignition: true, level: 6, statusAlarm: 0, alarm: 0 };
const login = encodeLogin("351608080779288", 1);
const heartbeat = encodeHeartbeat(state, 2);
const voltage = encodeInformation(0, [0x04, 0x9f], 3);

/** Hex of the messages that are found, and how many bytes are in none. */
function found(...pieces: readonly Uint8Array[]) {
  const stream = new MessageStream(gt06);
  const messages: string[] = [];
  for (const piece of pieces) for (const message of stream.push(piece)) messages.push(message.toHex());
  return { messages, noise: stream.noiseBytes, held: stream.heldBytes };
}

function joined(...pieces: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(pieces));
}

function problemOf(message: Uint8Array): string | undefined {
  return gt06.decode(message, gt06.begin(), receivedAt).problem?.kind;
}

test("messages that come together are taken apart", () => {
  const whole = [login, heartbeat, voltage].map((message) => message.toHex());
  expect(found(joined(login, heartbeat, voltage))).toEqual({ messages: whole, noise: 0, held: 0 });
});

test("stop bytes that are left out or sent twice cost no message", () => {
  const withoutStop = login.subarray(0, -2);
  expect(found(joined(withoutStop, heartbeat)).messages).toEqual([withoutStop.toHex(), heartbeat.toHex()]);
  expect(gt06.decode(withoutStop, gt06.begin(), receivedAt).identity?.value).toBe("351608080779288");
  const twice = found(joined(login, Uint8Array.of(0x0d, 0x0a), heartbeat));
  expect(twice).toEqual({ messages: [login.toHex(), heartbeat.toHex()], noise: 2, held: 0 });
  const half = joined(login.subarray(0, -1), heartbeat);
  expect(found(half).messages).toEqual([withoutStop.toHex(), heartbeat.toHex()]);
});

test("stop bytes within a message do not end it", () => {
  const text = longFrame(0x9b, [3, 0x0d, 0x0a, 0x41, 0x0d, 0x0a], 7);
  expect(found(joined(text, heartbeat)).messages).toEqual([text.toHex(), heartbeat.toHex()]);
});

test("a message that was cut off does not take the next one along", () => {
  for (let length = 1; length < voltage.length - 2; length++) {
    const { messages } = found(joined(voltage.subarray(0, length), login, heartbeat));
    expect(messages.slice(-2), `cut at ${length}`).toEqual([login.toHex(), heartbeat.toHex()]);
  }
});

test("bytes before the first message are skipped, even if they look like a start", () => {
  for (const noise of ["00ff", "78", "7879", "787878", "0d0a", "7978", "474554202f0d0a"]) {
    const { messages } = found(joined(Uint8Array.fromHex(noise), login));
    expect(messages.at(-1), noise).toBe(login.toHex());
  }
});

test("a length that is too large is noise, and the next message is found", () => {
  const tooLong = Uint8Array.of(0x79, 0x79, 0xff, 0xff, 0x94);
  expect(found(joined(tooLong, login))).toEqual({ messages: [login.toHex()], noise: 5, held: 0 });
  const endless = joined(Uint8Array.of(0x79, 0x79, 0x0f, 0xf0), new Uint8Array(2 * gt06.maxMessageBytes).fill(0x41));
  expect(found(endless, login).messages).toEqual([login.toHex()]);
  const stops = joined(Uint8Array.of(0x79, 0x79, 0x0f, 0xf0), Uint8Array.fromHex("0d0a".repeat(1_000)));
  expect(found(stops, login)).toMatchObject({ messages: [login.toHex()], held: 0 });
});

test("a message with a wrong checksum is named, and answered with nothing", () => {
  const broken = Uint8Array.from(heartbeat);
  broken[5] = 0x55;
  expect(found(joined(broken, login)).messages).toEqual([broken.toHex(), login.toHex()]);
  const decoded = gt06.decode(broken, gt06.begin(), receivedAt);
  expect(decoded).toMatchObject({ frames: [], reply: null, problem: { kind: "checksum" } });
  expect(decoded.problem?.detail).toMatch(/^the checksum is 0x[0-9a-f]{4}, not 0x[0-9a-f]{4}$/);
});

test("a length that is wrong by a few bytes is forgiven if the checksum is right, and not otherwise", () => {
  // The length is part of what the checksum covers, so this is what such firmware sends.
  const early = Uint8Array.fromHex("787808134606020002044dc5050d0a");
  expect(found(joined(early, login)).messages).toEqual([early.toHex(), login.toHex()]);
  expect(problemOf(early)).toBeUndefined();
  const wrong = Uint8Array.from(heartbeat);
  wrong[2] = 0x08;
  expect(problemOf(wrong)).toBe("checksum");
});

test("stop bytes among Topin's cells do not end its message", () => {
  const wifi = Uint8Array.fromHex("7878006917102311092002" + "00cc08" + "0c0d0a0000" + "0c4e2fa55a" + "0d0a");
  const wide = Uint8Array.fromHex("7878001917102311092001" + "00cc08" + "00000d0a00000d0a5a" + "00" + "0d0a");
  for (const message of [wifi, wide]) {
    expect(found(joined(message, login)).messages).toEqual([message.toHex(), login.toHex()]);
    expect(problemOf(message)).toBeUndefined();
  }
});

test("a wrong checksum of a long message is named with its number", () => {
  const broken = Uint8Array.from(voltage);
  broken[6] = 0x55;
  expect(gt06.decode(broken, gt06.begin(), receivedAt).what).toBe("message 0x94");
});

test("whatever is lost or added, the pieces in which it comes make no difference", () => {
  const messages = fieldMessages("gt06").map(({ message }) => Uint8Array.fromHex(message));
  const parts = fc.oneof(
    fc.constantFrom(...messages),
    fc.tuple(fc.constantFrom(...messages), fc.nat(60)).map(([message, lost]) => message.subarray(0, -1 - lost)),
    fc.tuple(fc.constantFrom(...messages), fc.nat(60)).map(([message, lost]) => message.subarray(1 + lost)),
    fc.uint8Array({ maxLength: 9 }),
    fc.constantFrom("7878", "7979", "0d0a", "78", "787800", "79790fff").map((hex) => Uint8Array.fromHex(hex)),
  );
  const streams = fc.array(parts, { minLength: 1, maxLength: 8 });
  forAll(300, [streams, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 })], (pieces, lengths) => {
    const whole = joined(...pieces);
    const chunks: Uint8Array[] = [];
    for (let at = 0, turn = 0; at < whole.length; turn++) {
      const length = lengths[turn % lengths.length] as number;
      chunks.push(whole.subarray(at, at + length));
      at += length;
    }
    expect(found(...chunks)).toEqual(found(whole));
    expect(found(...Array.from(whole, (byte) => Uint8Array.of(byte)))).toEqual(found(whole));
  });
});

test("a short frame holds 255 bytes, a long one more", () => {
  const short = frame(
    0x15,
    Array.from({ length: 250 }, () => 0x41),
    9,
  );
  const long = longFrame(
    0x21,
    Array.from({ length: 3_000 }, () => 0x41),
    9,
  );
  expect(found(joined(short, long, login)).messages).toEqual([short, long, login].map((message) => message.toHex()));
});
