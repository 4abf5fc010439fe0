import { expect, setSystemTime, test } from "bun:test";
import { Leader, type LeaseTimes } from "../../src/derive/upkeep/leader.ts";
import { watchSilence } from "../../src/derive/upkeep/silent-trips.ts";
import { type IngestService, startIngest } from "../../src/intake/service.ts";
import type { Observation } from "../../src/observe/observation.ts";
import { databaseClock, storeNow } from "../../src/store/clock.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { takeLease } from "../../src/store/upkeep/upkeep.ts";
import { altered } from "../support/altered.ts";
import { countRows } from "../support/catalog.ts";
import { derivedTables, differencesOf } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { load, loadedAt } from "../support/fleet.ts";
import { inOrder } from "../support/ingest-arrival.ts";
import { fences, loadIngestFleet, randomFleet } from "../support/ingest-fleet.ts";
import { dirtyCount, newWriter, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { until } from "../support/patience.ts";

const seed = announcedSeed("work that one node does");
const hourMs = 3_600_000;
const never = new AbortController().signal;

/** So long that nobody loses it in a test by being slow, and asked for often. */
const lasting: LeaseTimes = { renewMs: 20, validMs: 600_000 };

/** A store that counts how often a node asks for the lease, and may leave it without an answer. */
function asked(database: Database) {
  const counted = { times: 0, isSilent: false };
  const watched = altered(database, {
    change: (query) => {
      counted.times++;
      return counted.isSilent ? new Promise(() => {}) : database.change(query);
    },
  });
  const again = (times = 2) => {
    const before = counted.times;
    return until(() => counted.times >= before + times);
  };
  return { database: watched, counted, again };
}

function node(database: Database, times: LeaseTimes = lasting) {
  const seen: Observation[] = [];
  const watched = asked(database);
  const leader = new Leader(watched.database, (observation) => seen.push(observation), times);
  open.push(leader);
  const leads = () => until(() => leader.isLeading);
  return { ...watched, leader, leads, kinds: () => seen.map(({ kind }) => kind), seen };
}

/** As a node leaves it that was killed, or that still leads. */
function heldElsewhere(database: Database, validMs: number): Promise<unknown> {
  return database.change(sql`
    insert into leases (name, holder, until) values ('background work', 'another node', ${databaseClock} + ${validMs}::bigint)
    on conflict (name) do update set holder = excluded.holder, until = excluded.until returning name`);
}

const open: { close(): Promise<void> }[] = [];

/** Nodes are closed before the store is taken away. */
const closing =
  <Given extends unknown[]>(body: (...given: Given) => Promise<void>) =>
  async (...given: Given) => {
    try {
      await body(...given);
    } finally {
      setSystemTime();
      for (const one of open.splice(0)) await one.close();
    }
  };

onEachEngine("work that one node does for all", (engine) => {
  if (engine.name === "sqlite") {
    test(
      "is done by the one server of an embedded store, without a row",
      closing(async () => {
        const { database } = await engine.fresh();
        const { leader, kinds } = node(database);
        expect(leader.isLeading).toBe(true);
        let done = 0;
        await leader.lead(never, async () => done++);
        expect([done, kinds(), await countRows(database, "leases")]).toEqual([1, [], 0]);
      }),
    );
    return;
  }

  test(
    "is done by the first, until it gives that back, and then by the other at once",
    closing(async () => {
      const store = await engine.fresh();
      const [first, second] = [node(store.database), node(await store.open())];
      // Which of them was first does not matter.
      await until(() => first.leader.isLeading || second.leader.isLeading);
      const [leading, other] = first.leader.isLeading ? [first, second] : [second, first];
      await other.again();
      await leading.again();
      expect([leading.leader.isLeading, other.leader.isLeading]).toEqual([true, false]);
      let done = 0;
      const stop = new AbortController();
      const waiting = other.leader.lead(stop.signal, async () => done++);
      await leading.leader.lead(never, async () => expect(done).toBe(0));
      await leading.leader.close();
      await waiting;
      expect([done, leading.leader.isLeading, other.leader.isLeading]).toEqual([1, false, true]);
      expect([leading.kinds(), other.kinds()]).toEqual([["work_led"], ["work_led"]]);
    }),
  );

  test(
    "is not waited for by a node that is stopped",
    closing(async () => {
      const { database } = await engine.fresh();
      await heldElsewhere(database, lasting.validMs - 1_000);
      const { leader } = node(database);
      const stop = new AbortController();
      let done = 0;
      const waiting = leader.lead(stop.signal, async () => done++);
      stop.abort();
      await waiting;
      expect(done).toBe(0);
    }),
  );

  test(
    "is taken over when a leader's time is over, and that is said",
    closing(async () => {
      const { database } = await engine.fresh();
      await heldElsewhere(database, lasting.validMs - 1_000);
      const { leader, again, leads, seen } = node(database);
      await again(3);
      expect(leader.isLeading).toBe(false);
      await heldElsewhere(database, -1);
      await leads();
      expect(seen).toMatchObject([{ kind: "work_taken_over", from: "another node" }]);
    }),
  );

  test(
    "is taken over if the database's clock was set back",
    closing(async () => {
      const { database } = await engine.fresh();
      await heldElsewhere(database, lasting.validMs + hourMs);
      await node(database).leads();
    }),
  );

  test(
    "has a dead leader replaced within 30 seconds",
    closing(async () => {
      const { database } = await engine.fresh();
      const leader = new Leader(database, () => {});
      open.push(leader);
      await until(() => leader.isLeading);
      const left = await database.get<{ ms: number }>(sql`select until - ${databaseClock} as ms from leases`);
      expect(left?.ms).toBeGreaterThan(0);
      // A node that does not lead asks every five seconds.
      expect(left?.ms).toBeLessThanOrEqual(30_000 - 5_000);
    }),
  );

  test.each([hourMs, -hourMs])(
    "does not depend on a node's clock, which is %p ms off",
    closing(async (offMs: number) => {
      const store = await engine.fresh();
      const right = node(store.database);
      await right.leads();
      const wrong = node(await store.open());
      setSystemTime(Date.now() + offMs);
      await wrong.again(3);
      await right.again(3);
      expect([right.leader.isLeading, wrong.leader.isLeading]).toEqual([true, false]);
      expect(Math.abs((await storeNow(store.database)) - Date.now() + offMs)).toBeLessThan(hourMs / 2);
      await right.leader.close();
      await wrong.leads();
    }),
  );

  test(
    "ends on a node that the database does not answer, and begins on another",
    closing(async () => {
      const store = await engine.fresh();
      const times = { renewMs: 20, validMs: 2_000 };
      const cutOff = node(store.database, times);
      await cutOff.leads();
      const ended = Promise.withResolvers<void>();
      const work = cutOff.leader.lead(never, async (stop) => {
        stop.addEventListener("abort", () => ended.resolve());
        cutOff.counted.isSilent = true;
        await ended.promise;
      });
      await work;
      expect(cutOff.leader.isLeading).toBe(false);
      expect(cutOff.kinds()).toContain("work_lost");
      await node(await store.open(), times).leads();
      // Its question is never answered.
      open.splice(open.indexOf(cutOff.leader), 1);
    }),
  );

  test(
    "is held by one of many nodes that ask at once",
    closing(async () => {
      const store = await engine.fresh();
      const lease = { name: "some work", validMs: lasting.validMs };
      const holders = Array.from({ length: 20 }, (_, index) => `node ${index}`);
      const taken = await Promise.all(holders.map((holder) => takeLease(store.database, { ...lease, holder })));
      expect(taken.filter((one) => one !== null)).toHaveLength(1);
    }),
  );

  test(
    "is found by the node that takes over: what a killed node has stored and not derived",
    closing(async () => {
      const store = await engine.fresh();
      await loadIngestFleet(store.database);
      const frames = inOrder(randomFleet(seed, 150));
      await take(store.database, [frames]);
      const changed = {
        ...fences.town,
        radius_m: 3_000,
        valid_from: new Date(frames[0]?.recordedAt ?? 0).toISOString(),
      };
      await load(store.database, [changed], loadedAt + hourMs);
      const left = await dirtyCount(store.database);
      expect(left).toBeGreaterThan(0);
      await heldElsewhere(store.database, lasting.validMs - 1_000);
      const watched = asked(await store.open());
      const seen: Observation[] = [];
      const service: IngestService = startIngest({
        database: watched.database,
        observe: (observation) => seen.push(observation),
        metrics: async () => "",
        retainDays: null,
        lease: lasting,
      });
      open.push(service);
      await watched.again(3);
      expect([service.isLeading(), await dirtyCount(store.database)]).toEqual([false, left]);
      await heldElsewhere(store.database, -1);
      await until(async () => (await dirtyCount(store.database)) === 0);
      expect(service.isLeading()).toBe(true);
      expect(seen.filter(({ kind }) => kind === "maintenance_failed")).toEqual([]);

      const alone = await engine.fresh();
      await loadIngestFleet(alone.database);
      await take(alone.database, [frames]);
      await load(alone.database, [changed], loadedAt + hourMs);
      await newWriter(alone.database).schedule.deriveLeft();
      const fromFrames = async (database: Database) => {
        // The leader has looked by the clock already, and if that was too early, it looks again in less than a minute.
        await watchSilence(database, Date.now() + 60_000);
        const { alerts, ...tables } = await derivedTables(database);
        return { ...tables, alerts: alerts.filter(({ alert_type }) => alert_type !== "device_offline") };
      };
      expect(differencesOf(await fromFrames(alone.database), await fromFrames(store.database))).toEqual([]);
    }),
  );
});
