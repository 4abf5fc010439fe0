import { expect, test } from "bun:test";
import type { DecodedMessage, TrackerFamily } from "../../../src/intake/trackers/kit/family.ts";
import { MessageStream } from "../../../src/intake/trackers/kit/stream.ts";
import { announcedSeed } from "../ingest-seed.ts";
import { randomNumbers } from "../random-drive.ts";
import { receivedAt } from "./field-message.ts";

const rounds = 1_000;

/**
 * What must hold for every family, tried with messages that are right: any cuts give the same, bytes between messages that belong
 * to none cost none of them, and nothing that comes makes it throw, wait for ever or hold more than a message.
 */
export function testStreamRules<S>(family: TrackerFamily<S>, messages: readonly Uint8Array[]): void {
  const seed = announcedSeed(`streams of ${family.name}`);
  const whole = Buffer.concat(messages);

  test(`${family.name}: any cut of the stream gives the same messages`, () => {
    const random = randomNumbers(seed);
    const expected = decodeAll(family, [whole]);
    expect(expected.length).toBe(messages.length);
    for (let round = 0; round < 100; round++) expect(decodeAll(family, pieces(whole, random))).toEqual(expected);
    expect(
      decodeAll(
        family,
        Array.from(whole, (byte) => Uint8Array.of(byte)),
      ),
    ).toEqual(expected);
  });

  test(`${family.name}: a message sent twice is decoded twice`, () => {
    for (const message of messages) expect(decodeAll(family, [Buffer.concat([message, message])]).length).toBe(2);
  });

  test(`${family.name}: a datagram that was cut anywhere is read as far as it came`, () => {
    for (const message of messages) {
      // Where a message begins, most is decided.
      for (let length = 1; length < message.length; length += length < 32 ? 1 : 7) {
        decodeDatagram(family, message.slice(0, length));
      }
    }
  });

  test(`${family.name}: whatever comes, it goes on and holds no more than a message`, () => {
    const random = randomNumbers(seed + 1);
    for (let round = 0; round < rounds; round++) fuzzOnce(family, messages, random);
  });
}

/** One mutated stream, cut anywhere. Also for `bench/`, which does it a million times. */
export function fuzzOnce<S>(family: TrackerFamily<S>, messages: readonly Uint8Array[], random: () => number): void {
  const chosen = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
    mutated(messages[Math.floor(random() * messages.length)] as Uint8Array, random),
  );
  const stream = new MessageStream(family);
  let session = family.begin();
  for (const piece of pieces(Buffer.concat(chosen), random)) {
    for (const message of stream.push(piece)) {
      const decoded = family.decode(message, session, receivedAt);
      ({ session } = decoded);
      requireSound(decoded);
    }
    if (stream.heldBytes >= family.maxMessageBytes) throw new Error(`${family.name} holds ${stream.heldBytes} bytes`);
  }
  for (const bytes of chosen) decodeDatagram(family, bytes);
}

/** What is left behind its last message is one, too. */
function decodeDatagram<S>(family: TrackerFamily<S>, bytes: Uint8Array): void {
  const stream = new MessageStream(family);
  stream.add(bytes);
  let session = family.begin("udp");
  const next = () => stream.take() ?? stream.takeLast();
  for (let taken = next(); taken !== null; taken = next()) {
    if (taken.message === null) continue;
    const decoded = family.decode(taken.message, session, receivedAt);
    ({ session } = decoded);
    requireSound(decoded);
  }
}

/** Every value of a frame is one that can be stored. */
function requireSound({ frames, what, reply }: DecodedMessage<unknown>): void {
  for (const frame of frames) {
    for (const [name, value] of Object.entries(frame)) {
      if (typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0)))
        throw new Error(`${what}: ${name} is ${value}`);
    }
    if (!Number.isSafeInteger(frame.recordedAt)) throw new Error(`${what}: the time is ${frame.recordedAt}`);
    if ((frame.latitude === null) !== (frame.longitude === null)) throw new Error(`${what}: half a place`);
    // It goes to the thread that stores as JSON.
    if (!Bun.deepEquals(JSON.parse(JSON.stringify(frame)), frame)) throw new Error(`${what}: not all of it is JSON`);
  }
  if (reply !== null && reply.length > 1_024) throw new Error(`${what}: a reply of ${reply.length} bytes`);
}

function decodeAll<S>(family: TrackerFamily<S>, chunks: readonly Uint8Array[]): readonly DecodedMessage<S>[] {
  const stream = new MessageStream(family);
  const decoded: DecodedMessage<S>[] = [];
  let session = family.begin();
  for (const chunk of chunks) {
    for (const message of stream.push(chunk)) {
      const next = family.decode(message, session, receivedAt);
      ({ session } = next);
      decoded.push(next);
    }
  }
  expect(stream.heldBytes).toBe(0);
  return decoded;
}

function pieces(bytes: Uint8Array, random: () => number): readonly Uint8Array[] {
  const cut: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + Math.floor(random() * random() * 64);
    cut.push(bytes.slice(at, at + length));
    at += length;
  }
  return cut;
}

/** Changed, cut, doubled or stuffed bytes; now and then left as it is. */
function mutated(message: Uint8Array, random: () => number): Uint8Array {
  const bytes = [...message];
  const changes = Math.floor(random() * 4);
  for (let change = 0; change < changes; change++) {
    const at = Math.floor(random() * (bytes.length + 1));
    const kind = Math.floor(random() * 5);
    if (kind === 0) bytes[Math.min(at, bytes.length - 1)] = Math.floor(random() * 256);
    else if (kind === 1) bytes.splice(at, 1 + Math.floor(random() * 8));
    else if (kind === 2)
      bytes.splice(at, 0, ...Array.from({ length: Math.floor(random() * 9) }, () => Math.floor(random() * 256)));
    else if (kind === 3) bytes.splice(at, 0, ...bytes.slice(at, at + 8));
    else bytes.length = at;
    if (bytes.length === 0) break;
  }
  return Uint8Array.from(bytes);
}
