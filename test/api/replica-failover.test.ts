import { expect, test } from "bun:test";
import type { ApiUnderTest } from "../support/api.ts";
import { vanImei } from "../support/ingest-fleet.ts";
import { until } from "../support/patience.ts";
import { asked } from "../support/postgres-replica.ts";
import { pagesOf, startReplicatedFleet, window } from "../support/replicated-fleet.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";

const list = `/positions/history?imei=${vanImei}&${window}&limit=500`;

test("a replica that had more than the server that became the primary is not read until it is built again", async () => {
  let address: TcpProxy | undefined;
  const fleet = await startReplicatedFleet(async (url) => {
    address = await startTcpProxy(url);
    return address.url;
  });
  const { primary, replica, standby } = fleet.servers;
  const times = async (node: ApiUnderTest) => {
    const { status, body } = await node.get(list, fleet.key);
    expect(status).toBe(200);
    return body.data.map(({ recorded_at }: { recorded_at: string }) => recorded_at);
  };
  const reported = ({ observations }: ApiUnderTest) =>
    observations.findLast(({ kind }) => kind === "replica_left" || kind === "replica_used");
  const areUsing = () => until(() => fleet.nodes.every((node) => reported(node)?.kind === "replica_used"));
  try {
    await standby.rebuild();
    await standby.start();
    for (let frame = 0; frame < 5; frame++) await fleet.send();
    await standby.isLevel();
    await standby.stop();
    for (let frame = 0; frame < 5; frame++) await fleet.send();
    const lost = fleet.sent.slice(5);
    await replica.isLevel();
    await areUsing();
    for (const node of fleet.nodes) expect(await times(node)).toEqual(fleet.sent);

    await address?.cut();
    await primary.stop();
    await standby.start();
    await standby.promote();
    // Its log is longer than that of the replica before anybody looks.
    await asked(standby.url, "select pg_switch_wal()");
    await asked(standby.url, "create table later (number bigint)");
    address?.leadTo(standby.url);
    await address?.restore();
    // Fewer changes than those that were lost.
    await until(() =>
      fleet.send().then(
        () => true,
        () => false,
      ),
    );
    const kept = () => fleet.sent.filter((time) => !lost.includes(time));
    const statuses = () => Promise.all(fleet.nodes.map(async (node) => (await node.get(list, fleet.key)).status));
    await until(async () => (await statuses()).every((status) => status === 200));
    await until(async () => {
      for (const node of fleet.nodes) expect(await times(node)).toEqual(kept());
      return fleet.nodes.every((node) => JSON.stringify(reported(node)).includes("since a failover"));
    });

    await replica.stop();
    await replica.rebuild("standby");
    await replica.start();
    const stored = await asked(standby.url, "select pg_current_wal_flush_lsn()::text as value");
    await asked(standby.url, "checkpoint");
    await until(async () =>
      Boolean(await asked(replica.url, `select pg_last_wal_replay_lsn() > '${stored}'::pg_lsn as value`)),
    );
    await until(async () => {
      await asked(replica.url, "checkpoint");
      return fleet.nodes.every((node) => reported(node)?.kind === "replica_used");
    });
    await until(async () => {
      const before = fleet.nodes.map((node) => pagesOf(node).replica);
      for (const node of fleet.nodes) expect(await times(node)).toEqual(kept());
      return fleet.nodes.every((node, index) => pagesOf(node).replica > (before[index] ?? 0));
    });
  } finally {
    await fleet.end();
    await address?.close();
  }
});
