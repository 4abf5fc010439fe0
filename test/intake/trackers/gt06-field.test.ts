import { expect, test } from "bun:test";
import { gt06 } from "../../../src/intake/trackers/gt06/family.ts";
import { fieldMessages } from "../../support/trackers/field/messages.ts";
import { receivedAt, testFieldMessages } from "../../support/trackers/field-message.ts";

const gt06FieldMessages = fieldMessages("gt06");

testFieldMessages(gt06, "hex", gt06FieldMessages);

const begin = gt06.begin();

function decode(message: Uint8Array, session: typeof begin) {
  return gt06.decode(message, session, receivedAt);
}

test("what the messages from the field hold beyond our fields is named, and nothing else", () => {
  const named = gt06FieldMessages.flatMap(({ message }) => decode(Uint8Array.fromHex(message), begin).unread);
  expect([...new Set(named)].sort()).toEqual([
    "OBD values",
    "address request 0xa7",
    "alarm 0x11",
    "alarm 0x1c",
    "alarm 0x21",
    "alarm 0xe8",
    "answer to a command 0x15",
    "information 0x05",
    "information 0x0a",
    "information 0x0b",
    "peripherals 0xf2",
    "photo 0x35",
    "serial data 0344373532304136320d0a",
  ]);
});

test("it listens where people know it from other gateways", () => {
  expect(gt06).toMatchObject({ name: "gt06", port: 5023, transports: ["tcp"] });
});
