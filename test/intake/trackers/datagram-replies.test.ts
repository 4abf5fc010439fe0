import { expect, test } from "bun:test";
import { repliesWithin } from "../../../src/intake/trackers/datagram-replies.ts";
import { families } from "../../../src/intake/trackers/families.ts";
import { gps103Messages } from "../../support/trackers/field/gps103.ts";
import { h02Binary, h02Text } from "../../support/trackers/field/h02.ts";
import { queclinkMessages } from "../../support/trackers/field/queclink.ts";
import { suntechBytes, suntechTexts } from "../../support/trackers/field/suntech.ts";
import { teltonikaFieldMessages } from "../../support/trackers/field/teltonika.ts";
import { teltonikaOfTraccar } from "../../support/trackers/field/teltonika-traccar.ts";
import { tk103Messages } from "../../support/trackers/field/tk103.ts";
import { receivedAt } from "../../support/trackers/field-message.ts";

const ofFamilies = {
  gps103: [{ form: "latin1", messages: gps103Messages }],
  h02: [
    { form: "latin1", messages: h02Text },
    { form: "hex", messages: h02Binary },
  ],
  queclink: [{ form: "latin1", messages: queclinkMessages }],
  suntech: [
    { form: "latin1", messages: suntechTexts },
    { form: "hex", messages: suntechBytes },
  ],
  teltonika: [{ form: "hex", messages: [...teltonikaFieldMessages, ...teltonikaOfTraccar] }],
  tk103: [{ form: "latin1", messages: tk103Messages }],
} as const;

test("every family that has datagrams is looked at", () => {
  const overUdp = Object.values(families).filter(({ transports }) => (transports as readonly string[]).includes("udp"));
  expect(overUdp.map(({ name }) => name).toSorted()).toEqual(Object.keys(ofFamilies).toSorted());
});

for (const [name, lists] of Object.entries(ofFamilies)) {
  test(`${name}: no reply to what real trackers send is longer than the message`, () => {
    const family = families[name as keyof typeof ofFamilies];
    let replies = 0;
    for (const { form, messages } of lists) {
      for (const { message } of messages) {
        const bytes = new Uint8Array(Buffer.from(message, form));
        const { reply } = family.decode(bytes, family.begin("udp") as never, receivedAt);
        if (reply === null) continue;
        replies++;
        expect([message, reply.length <= bytes.length]).toEqual([message, true]);
      }
    }
    expect(replies).toBeGreaterThan(0);
  });
}

test("what is longer than what is left is withheld, and a shorter one may follow", () => {
  const sent: number[] = [];
  let withheld = 0;
  const send = repliesWithin(
    38,
    ({ length }) => sent.push(length),
    () => withheld++,
  );
  // With the header of each: 66 bytes came.
  for (const length of [39, 6, 5, 4, 1]) send(new Uint8Array(length));
  expect([sent, withheld]).toEqual([[6, 4], 3]);
});
