import { afterEach, expect, test } from "bun:test";
import { openDatagramPort } from "../../../src/intake/trackers/datagram-port.ts";
import { textOf } from "../../../src/intake/trackers/kit/bytes.ts";
import { until } from "../../support/patience.ts";

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
