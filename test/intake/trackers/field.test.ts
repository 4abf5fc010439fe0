import { expect, test } from "bun:test";
import { trackerProtocols } from "../../../src/domain/tracker-protocols.ts";
import { families } from "../../../src/intake/trackers/families.ts";
import { gt06 } from "../../../src/intake/trackers/gt06/family.ts";
import { fieldFiles } from "../../support/trackers/field/all.ts";
import { fieldMessages } from "../../support/trackers/field/messages.ts";
import { receivedAt, testFieldMessages } from "../../support/trackers/field-message.ts";

for (const name of trackerProtocols) {
  for (const { file, form } of fieldFiles[name]) testFieldMessages(families[name], form, fieldMessages(file));
}

test("gt06: the numbers that the messages from the field hold and that have no meaning for us", () => {
  const named = fieldMessages("gt06").flatMap(
    ({ message }) => gt06.decode(Uint8Array.fromHex(message), gt06.begin(), receivedAt).unread,
  );
  expect([...new Set(named)].filter((name) => name.includes("0x")).sort()).toEqual([
    "address request 0xa7",
    "alarm 0x11",
    "alarm 0x1c",
    "alarm 0x21",
    "alarm 0xe8",
    "answer to a command 0x15",
    "information 0x05",
    "information 0x0a",
    "information 0x0b",
    "item 0x0005",
    "item 0x000a",
    "item 0x0029",
    "item 0x002a",
    "item 0x002b",
    "item 0x0030",
    "item 0x0034",
    "item 0x0035",
    "item 0x007f",
    "peripherals 0xf2",
    "photo 0x35",
  ]);
});

test("gt06: it listens where people know it from other gateways", () => {
  expect(gt06).toMatchObject({ name: "gt06", port: 5023, transports: ["tcp"] });
});
