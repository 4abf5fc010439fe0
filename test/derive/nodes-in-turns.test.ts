import { expect, test } from "bun:test";
import { noting } from "../support/altered.ts";
import { derivedTables, differencesOf } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { inOrder } from "../support/ingest-arrival.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import { home, imeis, loadIngestFleet, newYear } from "../support/ingest-fleet.ts";
import { accountNumber, forgetFrames, newWriter, nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";

/** Each device drives for some minutes: more frames than stay in rows, fewer than lie between two checkpoints. */
const frames = inOrder(
  imeis.flatMap((imei) => straightDrive({ imei, from: home, beginAt: newYear, minutes: 13, kmh: 50 })),
);
const bodies = Array.from({ length: frames.length / imeis.length }, (_, index) =>
  frames.slice(index * imeis.length, (index + 1) * imeis.length),
);

onEachEngine("two nodes that get the frames of the same devices in turns", (engine) => {
  test("go on from what they know: one statement reads what the other has stored of all devices", async () => {
    const { database } = await engine.fresh();
    await loadIngestFleet(database);
    const account = await accountNumber(database);
    await take(database, [frames]);
    const alone = await derivedTables(database);
    await forgetFrames(database);
    const nodes = [0, 1].map(() => {
      const texts: string[] = [];
      return { writer: newWriter(noting(database, ({ text }) => texts.push(text))), texts };
    });
    for (const [index, body] of bodies.entries()) {
      const { writer, texts } = nodes[index % 2] as (typeof nodes)[number];
      texts.length = 0;
      expect(await writer.submit(account, body)).toEqual(body.map(() => "accepted"));
      if (index < 2) continue;
      expect(texts.filter((text) => text.includes("from fold_checkpoints"))).toEqual([]);
      expect(texts.filter((text) => text.includes(") wanted"))).toHaveLength(1);
    }
    expect(differencesOf(alone, await derivedTables(database))).toEqual([]);
    expect(await rederiveAll(database)).toMatchObject(nothingChanged);
  });

  test("read the states of all devices of a body at once when they know none", async () => {
    const { database } = await engine.fresh();
    await loadIngestFleet(database);
    const account = await accountNumber(database);
    await take(database, [frames]);
    const alone = await derivedTables(database);
    await forgetFrames(database);
    for (const [index, body] of bodies.entries()) {
      const texts: string[] = [];
      const startedAnew = newWriter(noting(database, ({ text }) => texts.push(text)));
      expect(await startedAnew.submit(account, body)).toEqual(body.map(() => "accepted"));
      if (index === 0) continue;
      expect(texts.filter((text) => text.includes("join fold_checkpoints"))).toHaveLength(1);
      expect(texts.filter((text) => text.includes("from fold_checkpoints where"))).toEqual([]);
      expect(texts.filter((text) => text.includes(") wanted")).length).toBeLessThanOrEqual(2);
    }
    expect(differencesOf(alone, await derivedTables(database))).toEqual([]);
    expect(await rederiveAll(database)).toMatchObject(nothingChanged);
  });

  test("do not go on from what they know where the past has changed", async () => {
    const { database } = await engine.fresh();
    await loadIngestFleet(database);
    const account = await accountNumber(database);
    const few = bodies.slice(0, 40);
    await take(database, few);
    const alone = await derivedTables(database);
    await forgetFrames(database);
    const [one, other] = [newWriter(database), newWriter(database)];
    const [late = [], ...live] = few;
    for (const body of live.slice(0, 30)) await one.submit(account, body);
    await other.submit(account, late);
    for (const [index, body] of live.slice(30).entries()) await (index % 2 === 0 ? one : other).submit(account, body);
    expect(differencesOf(alone, await derivedTables(database))).toEqual([]);
  });
});
