import { expect, test } from "bun:test";
import { trackerProtocols } from "../../../src/domain/tracker-protocols.ts";
import { onEachEngine } from "../../support/engines.ts";
import { until } from "../../support/patience.ts";
import { ReportingTracker, someReports } from "../../support/trackers/reporting.ts";
import { fleetOf, serveTrackers, storedMoments } from "../../support/trackers/tracker-server.ts";

onEachEngine("two nodes that trackers call", (engine) => {
  // An embedded store has one server.
  if (engine.name === "sqlite") return;
  const count = trackerProtocols.length;
  const reportsOfEach = 30;

  test("a tracker may hop between them, and its frames are stored once", async () => {
    const store = await engine.fresh();
    await fleetOf(store, count);
    const nodes = [await serveTrackers(store), await serveTrackers(store)];
    const trackers = Array.from(
      { length: count },
      (_, number) => new ReportingTracker(number, someReports(number, reportsOfEach)),
    );
    for (let turn = 0; trackers.some(({ waiting }) => waiting.length > 0); turn++) {
      const { ports } = nodes[turn % 2] as (typeof nodes)[number];
      await Promise.all(
        trackers.map((tracker) => {
          const until = tracker.answered.length + 4;
          return tracker.send(ports, () => tracker.answered.length >= until);
        }),
      );
    }
    for (const node of nodes) expect((await node.stop()).code).toBe(0);
    const moments = await storedMoments(store.database);
    expect([moments.size, new Set(moments.values())]).toEqual([count * reportsOfEach, new Set([1])]);
  });

  test("a node that is stopped answers what has come; its trackers go to the other and lose nothing", async () => {
    const store = await engine.fresh();
    await fleetOf(store, count);
    const nodes = [await serveTrackers(store), await serveTrackers(store)] as const;
    const trackers = Array.from(
      { length: count },
      (_, number) => new ReportingTracker(number, someReports(number, reportsOfEach)),
    );
    const answered = () => trackers.reduce((sum, tracker) => sum + tracker.answered.length, 0);
    const sending = Promise.all(trackers.map((tracker) => tracker.send(nodes[0].ports)));
    await until(() => answered() > count * 5);
    const stopped = nodes[0].stop();
    // They are sent away, and call the other node.
    await sending;
    expect((await stopped).code).toBe(0);
    await Promise.all(trackers.map((tracker) => tracker.send(nodes[1].ports)));
    expect((await nodes[1].stop()).code).toBe(0);
    const moments = await storedMoments(store.database);
    expect([moments.size, new Set(moments.values())]).toEqual([count * reportsOfEach, new Set([1])]);
  });
});
