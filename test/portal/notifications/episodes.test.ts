import { expect, test } from "bun:test";
import { onEachEngine } from "../../support/engines.ts";
import { straightDrive } from "../../support/ingest-drive.ts";
import { home, vanImei } from "../../support/ingest-fleet.ts";
import { startMailServer } from "../../support/mail-server.ts";
import { notifiedFleet, olgaId } from "../../support/notified-fleet.ts";
import { until } from "../../support/patience.ts";

const minuteMs = 60_000;

onEachEngine("an alert that lasts", (engine) => {
  test("an episode is one mail when it begins, and one when it ends if asked for", async () => {
    const { choose, store, node, clock } = await notifiedFleet(engine);
    const server = await startMailServer();
    const first = node(server.port);
    await choose(olgaId, { wanted: { alertTypes: ["speeding"] }, tells_end: true });
    const fast = straightDrive({ imei: vanImei, from: home, beginAt: clock.now, minutes: 10, kmh: 100 });
    for (const part of [fast.slice(0, 20), fast.slice(20, 30), fast.slice(30)]) {
      await store(part);
      clock.now = part.at(-1)?.receivedAt ?? clock.now;
      await first.settled();
    }
    expect(server.received.length).toBe(1);
    expect(server.received[0]?.text).toContain("still going on");
    const at = clock.now + 10_000;
    const slow = straightDrive({ imei: vanImei, from: home, beginAt: at, minutes: 10, kmh: 20 });
    await store(slow);
    clock.now = at + 10 * minuteMs;
    await until(() => server.received.length === 2);
    await first.settled();
    expect(server.received.length).toBe(2);
    expect(server.received[1]?.text).toContain("Subject: Ended: Speeding: Van (AC ME 1)");
    await first.stop();
    await server.close();
  });
});
