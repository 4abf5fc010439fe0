import { expect, test } from "bun:test";
import { BesideServer } from "../../src/derive/pace.ts";
import { eraseMarked } from "../../src/derive/upkeep/erase-marked.ts";
import { removeDevice } from "../../src/fleet/edit/remove-device.ts";
import { onEachEngine } from "../support/engines.ts";
import { command, foundInTables } from "../support/erasing.ts";
import { uuid } from "../support/fleet.ts";
import { inOrder } from "../support/ingest-arrival.ts";
import { loadIngestFleet, randomFleet, truckImei, vanImei } from "../support/ingest-fleet.ts";
import { accountNumber, newWriter, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { scaledMs } from "../support/patience.ts";
import { noReport } from "../support/random-drive.ts";

const seed = announcedSeed("the pace of erasing");

test("beside a server, erasing rests longer than a waiting writer sleeps, and as long as it has worked", async () => {
  let isServed = false;
  const pace = new BesideServer(() => isServed);
  const restMs = async () => {
    const began = performance.now();
    await pace.rest();
    return performance.now() - began;
  };
  // Without a server it gives others of this process a turn, and no more: fifty rests are not fifty sleeps.
  const began = performance.now();
  for (let rest = 0; rest < 50; rest++) await pace.rest();
  expect(performance.now() - began).toBeLessThan(scaledMs(50 * 50));
  isServed = true;
  expect(await restMs()).toBeGreaterThan(50);
  const working = performance.now();
  while (performance.now() - working < 120);
  expect(await restMs()).toBeGreaterThanOrEqual(115);
});

onEachEngine("erasing a device", (engine) => {
  test("ends however fast others add to the log of changes", async () => {
    const { database } = await engine.fresh();
    await loadIngestFleet(database);
    await take(database, [inOrder(randomFleet(seed, 100))]);
    const accountId = await accountNumber(database);
    const removal = { accountId, id: uuid(21), by: command, revision: null, history: "erase" } as const;
    await removeDevice(database, { ...removal, isPreview: false }, Date.now());
    const writer = newWriter(database);
    let rests = 0;
    const rest = async () => {
      if (++rests > 100) throw new Error("it does not end");
      const at = Date.UTC(2026, 5, 1) + rests * 60_000;
      const frame = {
        ...noReport,
        imei: truckImei,
        recordedAt: at,
        receivedAt: at,
        latitude: 52 + rests / 100,
        longitude: 13,
      };
      await take(database, [[frame as never]], writer);
    };
    expect(await eraseMarked(database, { isStopped: false, rest })).toMatchObject({ devices: 1 });
    expect(await foundInTables(database, [vanImei])).toEqual([]);
  });
});
