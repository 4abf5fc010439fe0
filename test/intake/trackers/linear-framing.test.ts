import { describe, expect, test } from "bun:test";
import { trackerProtocols } from "../../../src/domain/tracker-protocols.ts";
import { families } from "../../../src/intake/trackers/families.ts";
import type { TrackerFamily } from "../../../src/intake/trackers/kit/family.ts";
import { MessageStream } from "../../../src/intake/trackers/kit/stream.ts";
import { readProxyHeader } from "../../../src/intake/trackers/sockets/proxy-header.ts";
import { announcedSeed } from "../../support/ingest-seed.ts";
import { randomNumbers } from "../../support/random-drive.ts";
import { rounds } from "../../support/rounds.ts";
import { countedBytes, type Work } from "../../support/trackers/counted-bytes.ts";
import { fieldBytes } from "../../support/trackers/field/all.ts";

/** Several of the longest messages. What is searched over and over shows by then. */
const totalBytes = 16 * 1_024;

/** At one byte, on average: a header of ten, the digits of a number and the columns before data are looked at from every start. */
const maxLooks = 128;
/** For each piece that comes: what is at the front, and what was too short to be sure before. */
const maxLooksOfPiece = 512;

/** How often the bytes are looked at in all, while the stream is cut. */
function looksAt(family: TrackerFamily, pieces: readonly Uint8Array[]): number {
  const work: Work = { looks: 0 };
  const most = pieces.reduce((sum, { length }) => sum + maxLooks * length + maxLooksOfPiece, 0);
  const stream = new MessageStream({
    ...family,
    cut: (bytes, seen) => family.cut(countedBytes(bytes, work, most), seen),
  });
  for (const piece of pieces) for (const _ of stream.push(piece));
  return work.looks;
}

function repeated(unit: Uint8Array, bytes = totalBytes): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, at) => unit[at % unit.length] ?? 0);
}

function cutInto(bytes: Uint8Array, length: number): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) =>
    bytes.subarray(index * length, (index + 1) * length),
  );
}

describe.each(trackerProtocols)("%s: the work of cutting a stream grows with its bytes and not faster", (name) => {
  const family = families[name];
  const messages = fieldBytes(name);
  const seed = announcedSeed(`hostile bytes for ${name}`);
  const random = randomNumbers(seed);
  const any = (count: number) => Math.floor(random() * count);
  const message = () => messages[any(messages.length)] ?? Uint8Array.of(0);
  /** Half of them are taken from messages, one behind the other: those have the bytes that mean something. */
  const token = () => {
    const length = 1 + any(8);
    const from = message();
    const at = any(from.length);
    if (random() < 0.5) return Uint8Array.from({ length }, (_, index) => from[(at + index) % from.length] ?? 0);
    return Uint8Array.from({ length }, () => (random() < 0.7 ? (from[any(from.length)] ?? 0) : any(256)));
  };
  const beginning = () => {
    const whole = message();
    return whole.slice(0, 1 + any(whole.length));
  };

  test("one byte over and over", () => {
    const starts = new Set(messages.flatMap((bytes) => [...bytes.subarray(0, 4)]));
    for (const byte of starts) looksAt(family, [repeated(Uint8Array.of(byte), 8_192)]);
  });

  test("a token of one to eight bytes over and over", () => {
    for (let round = 0; round < rounds(5, 60); round++) looksAt(family, [repeated(token())]);
  });

  test("the beginning of a message over and over", () => {
    for (let round = 0; round < rounds(5, 60); round++) looksAt(family, [repeated(beginning())]);
  });

  test("beginnings of messages, tokens and whole messages in turns", () => {
    for (let round = 0; round < rounds(5, 60); round++) {
      const runs = Array.from({ length: 1 + any(4) }, () =>
        repeated(random() < 0.5 ? token() : beginning(), any(3_000)),
      );
      looksAt(family, [repeated(Uint8Array.from(Buffer.concat([beginning(), ...runs, message()])))]);
    }
  });

  test("whatever the pieces it comes in", () => {
    for (let round = 0; round < rounds(2, 20); round++) {
      const unit = Buffer.concat([beginning(), repeated(token(), any(5_000))]);
      const bytes = repeated(Uint8Array.from(unit), 6_000);
      for (const length of [1, 7, 1_460]) looksAt(family, cutInto(bytes, length));
    }
  });
});

/** What a reader of the framers finds: each of these was once searched over and over, some even after a first repair. */
const known: readonly (readonly [(typeof trackerProtocols)[number], string])[] = [
  ["gt06", "78"],
  ["gt06", "79790ff0"],
  ["gt06", "78780d0a"],
  ["gt06", "787805"],
  ["gt06", "0d0a7979"],
  ["suntech", "5354543b"],
  ["suntech", "5545583b"],
  ["suntech", "53543330305545583b"],
  ["suntech", "0d4352523b"],
  ["queclink", "2b"],
  ["queclink", "2b524553503a4754"],
  ["queclink", "2b525350"],
  ["h02", "24"],
  ["h02", "2411"],
  ["h02", "2a48512c"],
  ["h02", "232a48512c"],
  ["teltonika", "00"],
  ["teltonika", "ff"],
  ["teltonika", "000f"],
  ["gps103", "31"],
  ["gps103", "696d65693a"],
  ["tk103", "28"],
  ["tk103", "282c24"],
  ["tk103", "2829"],
  ["jt808", "7e"],
  ["jt808", "28"],
  ["meitrack", "2424"],
  ["meitrack", "2424413939392c"],
  ["meitrack", "242441392c312c"],
  ["wialon", "23"],
  ["wialon", "234123"],
  ["wialon", "41"],
  ["wialon", "ff0a00"],
  ["wialon", "0a"],
  ["ruptela", "00"],
  ["ruptela", "0700000300"],
  ["topflytech", "23"],
  ["topflytech", "2525020044"],
  ["galileosky", "01"],
  ["galileosky", "010002"],
];

test.each(known)("%s: %s over and over is looked at once, and so in single bytes", (name, unit) => {
  const bytes = Uint8Array.fromHex(unit);
  looksAt(families[name], [repeated(bytes)]);
  looksAt(families[name], cutInto(repeated(bytes, 5_000), 1));
});

test("gt06: starts that all name a length which ends near one stop cost no checksum of their own each", () => {
  const block = new Uint8Array(8_192).fill(0x41);
  const stopEnd = 4_090;
  for (let start = 0; start < stopEnd - 64; start += 4) {
    const length = stopEnd + 2 - start - 6;
    block.set([0x79, 0x79, length >> 8, length & 0xff], start);
  }
  block.set([0x0d, 0x0a], stopEnd - 2);
  looksAt(families.gt06, [repeated(block)]);
});

test("suntech: serial reports whose data hold the same line end are not searched to the end each", () => {
  const header = "UEX;;;;;+1.1;+1.1;;;;;;;1000;";
  const block = Buffer.from(`${header.repeat(30)}\r${"x".repeat(5_000)}`, "latin1");
  looksAt(families.suntech, [repeated(Uint8Array.from(block))]);
});

test("the header of a balancer is looked for in its first bytes only", () => {
  for (const start of ["PROXY ", "PROXY TCP4 ", "\r\n\r\n\0\r\nQUIT\n", "\r\n\r\n\0\r\nQUIT\n!!"]) {
    const work: Work = { looks: 0 };
    const bytes = Uint8Array.from(Buffer.concat([Buffer.from(start, "latin1"), repeated(Uint8Array.of(0x20))]));
    readProxyHeader(countedBytes(bytes, work, 4 * 1_024));
    expect(work.looks).toBeLessThan(4 * 1_024);
  }
});
