import { afterEach, expect, test } from "bun:test";
import { trackerProtocols } from "../../../src/domain/tracker-protocols.ts";
import { families } from "../../../src/intake/trackers/families.ts";
import { textOf } from "../../../src/intake/trackers/kit/bytes.ts";
import { openDatagramPort, repliesWithin } from "../../../src/intake/trackers/sockets/datagram-port.ts";
import { until } from "../../support/patience.ts";
import { fieldBytes } from "../../support/trackers/field/all.ts";
import { receivedAt } from "../../support/trackers/field-message.ts";

const closing: { close(): void }[] = [];

afterEach(() => {
  for (const each of closing.splice(0)) each.close();
});

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test("a port gives a turn however many datagrams have come, and is open again in the next", async () => {
  const atOnce = 20;
  const taken: string[] = [];
  const answers: string[] = [];
  const port = await openDatagramPort(
    "127.0.0.1",
    0,
    (bytes, _, send) => {
      taken.push(textOf(bytes));
      send(bytes);
    },
    atOnce,
  );
  const sender = await Bun.udpSocket({ socket: { data: (_, bytes) => void answers.push(textOf(bytes)) } });
  closing.push(port, sender);
  const before = port.port;
  // All of them wait to be read before the first is.
  for (let number = 0; number < 3 * atOnce; number++) sender.send(`flood ${number}`, port.port, "127.0.0.1");
  await until(() => taken.length > 0);
  expect(taken).toEqual(Array.from({ length: atOnce }, (_, number) => `flood ${number}`));
  for (let round = 0; round < 3; round++) {
    await nextTurn();
    await until(() => {
      sender.send(`after ${round}`, port.port, "127.0.0.1");
      return answers.includes(`after ${round}`);
    });
  }
  expect(port.port).toBe(before);
  expect(taken.filter((text) => text.startsWith("flood")).length).toBe(atOnce);
});

test("a port that is closed while it is opened again stays closed", async () => {
  const port = await openDatagramPort("127.0.0.1", 0, () => port.close(), 1);
  const sender = await Bun.udpSocket({ socket: { error: () => {} } });
  closing.push(sender);
  sender.send("x", port.port, "127.0.0.1");
  const isFree = async () => {
    try {
      (await Bun.udpSocket({ hostname: "127.0.0.1", port: port.port })).close();
      return true;
    } catch {
      return false;
    }
  };
  await until(isFree);
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  expect(await isFree()).toBe(true);
});

for (const name of trackerProtocols) {
  const family = families[name];
  if (!(family.transports as readonly string[]).includes("udp")) continue;
  test(`${name}: no reply to what real trackers send is longer than the message`, () => {
    let replies = 0;
    for (const bytes of fieldBytes(name)) {
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
