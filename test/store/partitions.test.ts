import { expect, test } from "bun:test";
import type { Database } from "../../src/store/database.ts";
import { dropEmptyPartitions, ensureFramePartitions } from "../../src/store/postgres/partitions.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";

/** Long after the months that opening the store has made. */
const later = Date.UTC(2040, 10, 15);
const laterMonths = ["frames_2040_10", "frames_2040_11", "frames_2040_12", "frames_2041_01", "frames_2041_02"];

async function partitions(database: Database): Promise<string[]> {
  const rows = await database.all<{ name: string }>(sql`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'frames'::regclass order by 1`);
  return rows.map(({ name }) => name);
}

function addFrame(database: Database, recordedAt: number): Promise<number> {
  return database.transaction((tx) =>
    tx.run(sql`
      insert into frames (account_id, device, recorded_at, digest, received_at, packed, valid, discontinuity)
      values (1, 2, ${recordedAt}, 3, 4, '', true, false) on conflict do nothing`),
  );
}

async function placeOf(database: Database, recordedAt: number): Promise<string | undefined> {
  const row = await database.get<{ place: string }>(
    sql`select tableoid::regclass::text as place from frames where recorded_at = ${recordedAt}`,
  );
  return row?.place;
}

function monthName(now: number, offset: number): string {
  const date = new Date(now);
  const month = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset));
  return `frames_${month.toISOString().slice(0, 7).replace("-", "_")}`;
}

onEachEngine("the frames' partitions", (engine) => {
  if (engine.name !== "postgres") return;

  test("exist from last month to three months ahead as soon as the store is open", async () => {
    const now = Date.now();
    const { database } = await engine.fresh();
    for (const offset of [-1, 0, 1, 2, 3]) expect(await partitions(database)).toContain(monthName(now, offset));
    expect(await partitions(database)).toContain("frames_default");
    expect(await addFrame(database, now)).toBe(1);
    expect(await placeOf(database, now)).toBe(monthName(now, 0));
  });

  test("are made around any moment, over the turn of a year, and not twice", async () => {
    const { database } = await engine.fresh();
    expect(await ensureFramePartitions(database, later)).toBe(5);
    expect((await partitions(database)).filter((name) => name.startsWith("frames_204"))).toEqual(laterMonths);
    expect(await ensureFramePartitions(database, later)).toBe(0);
  });

  test("are made once when several nodes make them at once", async () => {
    const store = await engine.fresh();
    const nodes = [store.database, await store.open(), await store.open()];
    const made = await Promise.all(nodes.map((node) => ensureFramePartitions(node, later)));
    expect(made.toSorted()).toEqual([0, 0, 5]);
  });

  test("take over the frames that came before their month was made", async () => {
    const { database } = await engine.fresh();
    const moments = [later, Date.UTC(2040, 11, 1), Date.UTC(2040, 11, 1) - 1];
    const outside = [0, Date.UTC(2050, 0, 1)];
    for (const moment of [...moments, ...outside]) await addFrame(database, moment);
    expect(await Promise.all(moments.map((moment) => placeOf(database, moment)))).toEqual(
      moments.map(() => "frames_default"),
    );

    await ensureFramePartitions(database, later);
    expect(await Promise.all(moments.map((moment) => placeOf(database, moment)))).toEqual([
      "frames_2040_11",
      "frames_2040_12",
      "frames_2040_11",
    ]);
    expect(await Promise.all(outside.map((moment) => placeOf(database, moment)))).toEqual([
      "frames_default",
      "frames_default",
    ]);
    // The key still tells that they are there.
    for (const moment of [...moments, ...outside]) expect(await addFrame(database, moment)).toBe(0);
  });

  test("go when retention has emptied them, and only then", async () => {
    const { database } = await engine.fresh();
    await ensureFramePartitions(database, later);
    const inDecember = Date.UTC(2040, 11, 5);
    await addFrame(database, inDecember);
    const muchLater = Date.UTC(2042, 5, 15);
    // Nothing is dropped of what is not older, nor of the months that are made again and again.
    expect(await dropEmptyPartitions(database, Date.UTC(2020, 0, 1), muchLater)).toBe(0);
    expect(await dropEmptyPartitions(database, muchLater, Date.UTC(2026, 0, 15))).toBe(0);

    const before = Date.UTC(2041, 1, 10);
    const ours = (await partitions(database)).filter((name) => !name.startsWith("frames_204"));
    expect(await dropEmptyPartitions(database, before, muchLater)).toBe(ours.length - 1 + 3);
    expect(await partitions(database)).toEqual(["frames_2040_12", "frames_2041_02", "frames_default"]);
    expect(await placeOf(database, inDecember)).toBe("frames_2040_12");

    // Late frames of a month that is gone are stored all the same.
    expect(await addFrame(database, later)).toBe(1);
    expect(await placeOf(database, later)).toBe("frames_default");
  });

  test("stay while somebody reads the frames, and go the next time", async () => {
    const store = await engine.fresh();
    await ensureFramePartitions(store.database, later);
    const drop = () => dropEmptyPartitions(store.database, Date.UTC(2040, 10, 2), Date.UTC(2042, 0, 1));
    const other = await store.open();
    const reading = Promise.withResolvers<void>();
    const isDone = Promise.withResolvers<void>();
    const reader = other.transaction(async (tx) => {
      await tx.all(sql`select 1 from frames limit 1`);
      reading.resolve();
      await isDone.promise;
    });
    await reading.promise;
    expect(await drop()).toBe(0);
    isDone.resolve();
    await reader;
    expect(await drop()).toBeGreaterThan(0);
    expect(await partitions(store.database)).not.toContain("frames_2040_10");
  });
});
