import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ApiUnderTest } from "../support/api.ts";
import { vanImei } from "../support/ingest-fleet.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { patienceMs, until } from "../support/patience.ts";
import { withProductDeadlines } from "../support/patient-deadlines.ts";
import { asked } from "../support/postgres-replica.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { pagesOf, type ReplicatedFleet, startReplicatedFleet, window } from "../support/replicated-fleet.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";

withProductDeadlines();

const seed = announcedSeed("walks over a replica");
/** For longer runs: `ODOGRAPH_REPLICA_STEPS=5000 npm test -- test/api/replica-walk`. */
const steps = Number(process.env.ODOGRAPH_REPLICA_STEPS ?? 400);

describe("a walk through the pages of a list", () => {
  let fleet: ReplicatedFleet;
  beforeAll(async () => {
    fleet = await startReplicatedFleet();
  }, patienceMs);
  afterAll(() => fleet?.end(), patienceMs);

  /**
   * Frames come in the order of their time, so all that are acknowledged while a client walks are still ahead: the last
   * page must come to the last of them, whichever node and whichever server it is read from.
   */
  test("neither misses nor repeats a row, whatever the replica does meanwhile", async () => {
    const random = randomNumbers(seed);
    const { replica } = fleet.servers;
    const done: string[] = [];
    let isPaused = false;
    let cursor: string | null = null;
    let walked: string[] = [];
    let walks = 0;

    const readPage = async () => {
      const node = fleet.nodes[random() < 0.5 ? 0 : 1];
      const place = cursor === null ? `imei=${vanImei}&${window}&limit=7` : `cursor=${cursor}`;
      const { status, body } = await node.get(`/positions/history?${place}`, fleet.key);
      expect(status).toBe(200);
      walked.push(...body.data.map(({ recorded_at }: { recorded_at: string }) => recorded_at));
      // Rows so far, in order and without a gap: the beginning of the list.
      expect(walked).toEqual(fleet.sent.slice(0, walked.length));
      cursor = body.next_cursor;
      if (cursor !== null) return;
      expect(walked).toEqual([...fleet.sent]);
      walked = [];
      walks++;
    };
    const turns: readonly (readonly [string, number, () => Promise<void>])[] = [
      ["page", 10, readPage],
      ["send", 3, () => fleet.send()],
      [
        "pause",
        1,
        async () => {
          if (!isPaused) await replica.pause();
          isPaused = true;
        },
      ],
      [
        "resume",
        1,
        async () => {
          if (isPaused) await replica.resume();
          isPaused = false;
        },
      ],
      [
        "level",
        2,
        async () => {
          if (!isPaused) await replica.isLevel();
        },
      ],
    ];
    const weighted = turns.flatMap((turn) => Array.from({ length: turn[1] }, () => turn));
    try {
      for (let step = 0; step < steps; step++) {
        const [name, , play] = weighted[Math.floor(random() * weighted.length)] as (typeof turns)[number];
        done.push(name);
        await play();
        if (step !== Math.floor(steps / 2)) continue;
        done.push("restart");
        // What was paused goes on after a restart.
        isPaused = false;
        await replica.stop();
        await Promise.all([replica.start(), readPage()]);
        await until(() =>
          fleet.nodes.every(({ observations }) => {
            const last = observations.findLast(({ kind }) => kind === "replica_left" || kind === "replica_used");
            return last?.kind === "replica_used";
          }),
        );
      }
    } catch (error) {
      console.log(`seed ${seed}: ${done.join(" ")}`);
      throw error;
    }
    const read = fleet.nodes.map(pagesOf);
    const sum = (from: "primary" | "replica") => read.reduce((total, pages) => total + pages[from], 0);
    console.log(
      `seed ${seed}: ${walks} walks, ${sum("replica")} pages of the replica, ${sum("primary")} of the primary`,
    );
    expect(walks).toBeGreaterThan(0);
    expect(sum("replica")).toBeGreaterThan(0);
    expect(sum("primary")).toBeGreaterThan(0);
  });
});

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
