import { describe, expect, test } from "bun:test";
import { h02 } from "../../../src/intake/trackers/h02/family.ts";
import { bytesOf, textOf } from "../../../src/intake/trackers/kit/bytes.ts";
import { MessageStream } from "../../../src/intake/trackers/kit/stream.ts";
import { fieldMessages } from "../../support/trackers/field/messages.ts";
import { h02Binary, h02Text, h02Sample as sample } from "../../support/trackers/h02-encoder.ts";
import { testStreamRules } from "../../support/trackers/stream-rules.ts";

testStreamRules(h02, [
  ...fieldMessages("h02-text")
    .slice(0, 40)
    .map(({ message }) => bytesOf(message.trimEnd())),
  ...fieldMessages("h02-binary").map(({ message }) => Uint8Array.fromHex(message)),
]);

describe("h02: the stream", () => {
  const cutAll = (bytes: Uint8Array) => [...new MessageStream(h02).push(bytes)].map((message) => textOf(message));

  test("finds the message after noise, a lost end and bytes that look like a start", () => {
    const message = h02Text(sample);
    expect(cutAll(bytesOf(`noise $$X*H,${message}`))).toEqual([message]);
    expect(cutAll(bytesOf(`${message.slice(0, 40)}${message}`))).toEqual([message]);
    expect(cutAll(Buffer.concat([bytesOf(message.slice(0, 40)), h02Binary(sample)])).length).toBe(1);
    expect(cutAll(bytesOf(`*HQ,${"1".repeat(5_000)}${message}`))).toEqual([message]);
  });

  test("a binary message starts only where the digits can be a time and a date", () => {
    const impossible = { hour: [6, 0x24], minute: [7, 0x60], second: [8, 0x60], day: [9, 0x32], month: [10, 0x13] };
    for (const [at = 0, byte = 0] of Object.values(impossible)) {
      const message = h02Binary(sample);
      message[at] = byte;
      expect(h02.cut(message).kind).toBe("noise");
      expect(h02.decode(message, null, 0).problem?.kind).toBe("malformed");
    }
  });

  test("takes line ends as part of the message before them", () => {
    expect(cutAll(bytesOf(`${h02Text(sample)} \r\n${h02Text(sample)}\r\n`)).length).toBe(2);
  });

  test("leaves binary messages of any length whole, one behind the other", () => {
    const messages = ["ff0024", "ff0015060000002c02dc0c000000001f", "ff001506000000000000ea1e00000000210075", "ff"].map(
      (more) => h02Binary(sample, more.padEnd(6, "0")),
    );
    expect(cutAll(Buffer.concat(messages))).toEqual(messages.map((message) => textOf(message)));
  });
});
