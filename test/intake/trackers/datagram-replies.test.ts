import { expect, test } from "bun:test";
import { trackerProtocols } from "../../../src/domain/tracker-protocols.ts";
import { repliesWithin } from "../../../src/intake/trackers/datagram-replies.ts";
import { families } from "../../../src/intake/trackers/families.ts";
import { fieldBytes } from "../../support/trackers/field/all.ts";
import { receivedAt } from "../../support/trackers/field-message.ts";

for (const name of trackerProtocols) {
  const family = families[name];
  if (!(family.transports as readonly string[]).includes("udp")) continue;
  test(`${name}: no reply to what real trackers send is longer than the message`, () => {
    let replies = 0;
    for (const bytes of fieldBytes[name]) {
      const { reply } = family.decode(bytes, family.begin("udp") as never, receivedAt);
      if (reply === null) continue;
      replies++;
      expect([bytes.toHex(), reply.length <= bytes.length]).toEqual([bytes.toHex(), true]);
    }
    expect(replies).toBeGreaterThan(0);
  });
}

test("what is longer than what is left is withheld, and a shorter one may follow", () => {
  const sent: number[] = [];
  let withheld = 0;
  const send = repliesWithin(
    38,
    ({ length }) => sent.push(length) > 0,
    () => withheld++,
  );
  // With the header of each: 66 bytes came.
  for (const length of [39, 6, 5, 4, 1]) send(new Uint8Array(length));
  expect([sent, withheld]).toEqual([[6, 4], 3]);
});
