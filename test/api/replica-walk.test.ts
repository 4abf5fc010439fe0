import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { vanImei } from "../support/ingest-fleet.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { patienceMs, until } from "../support/patience.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { pagesOf, type ReplicatedFleet, startReplicatedFleet, window } from "../support/replicated-fleet.ts";

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
   * Frames come in the order of their time, so all that are acknowledged while somebody walks are still ahead: the last
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
