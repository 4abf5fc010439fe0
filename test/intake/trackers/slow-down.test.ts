import { afterEach, expect, test } from "bun:test";
import type { TrackerConnection } from "../../../src/intake/trackers/connection/connection.ts";
import { limits } from "../../../src/intake/trackers/limits.ts";
import { HeldBytes } from "../../../src/intake/trackers/sockets/held-bytes.ts";
import { TcpPeer } from "../../../src/intake/trackers/sockets/tcp-peer.ts";
import { until } from "../../support/patience.ts";
import { toyFamily } from "../../support/trackers/toy-family.ts";

const closing: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

test("a connection with something to be stored is not read from until that is done, if all together hold much", async () => {
  const stored = Promise.withResolvers<void>();
  const connection = { waitingBytes: 10, idle: stored.promise } as unknown as TrackerConnection;
  const held = new HeldBytes(() => 0);
  let received = "";
  const server = Bun.listen<TcpPeer | null>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        socket.data = new TcpPeer(socket, toyFamily, () => {});
        socket.data.connection = connection;
      },
      data(socket, bytes) {
        received += bytes.toString();
        socket.data?.slowDown(held.isMuch ? 0 : limits.waitingBytes);
      },
    },
  });
  closing.push(() => server.stop(true));
  const tracker = await Bun.connect({ hostname: "127.0.0.1", port: server.port, socket: { data: () => {} } });
  closing.push(() => tracker.terminate());
  tracker.write("a");
  await until(() => received === "a");
  tracker.write("b");
  await until(() => received === "ab");
  held.add(limits.slowBytes + 1);
  tracker.write("c");
  await until(() => received === "abc");
  tracker.write("d");
  await nothingMoreOf(server.port);
  expect(received).toBe("abc");
  stored.resolve();
  await until(() => received === "abcd");
  held.count();
  expect(held.isMuch).toBe(false);
});

/** Another connection is served meanwhile: the server has had its turns. */
async function nothingMoreOf(port: number): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    const other = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data: () => {} } });
    other.terminate();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
