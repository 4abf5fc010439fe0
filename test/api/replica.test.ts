import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import type { Visibility } from "../../src/domain/visibility.ts";
import type { Observation } from "../../src/observe/observation.ts";
import type { Database, Reader } from "../../src/store/database.ts";
import { acknowledgeAlerts } from "../../src/store/facts/alert-acknowledgements.ts";
import { openDatabase } from "../../src/store/open.ts";
import { Replica } from "../../src/store/replica/replica.ts";
import { sql } from "../../src/store/sql.ts";
import { type ApiUnderTest, keyOf } from "../support/api.ts";
import { load, smallFleet } from "../support/fleet.ts";
import { fences, vanImei } from "../support/ingest-fleet.ts";
import { startServer } from "../support/ingest-server.ts";
import { patienceMs, scaledMs, until } from "../support/patience.ts";
import { withProductDeadlines } from "../support/patient-deadlines.ts";
import { createPostgresDatabase, dropsDone } from "../support/postgres-databases.ts";
import { runOdograph } from "../support/program.ts";
import { pagesOf, type ReplicatedFleet, startReplicatedFleet, window } from "../support/replicated-fleet.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";

withProductDeadlines();

/** Every list that a replica may answer. */
const lists = [
  `/positions/history?imei=${vanImei}&${window}&limit=500`,
  `/trips?${window}`,
  `/alerts?${window}`,
  `/geofence-events?${window}`,
  `/sensors/fuel?${window}`,
  `/reports/mileage?${window}`,
];

describe("a streaming replica", () => {
  let fleet: ReplicatedFleet;
  beforeAll(async () => {
    fleet = await startReplicatedFleet();
    for (let frame = 0; frame < 30; frame++) await fleet.send();
  }, patienceMs);
  afterAll(() => fleet?.end(), patienceMs);

  const get = async (api: ApiUnderTest, path: string) => {
    const answer = await api.get(path, fleet.key);
    expect(answer.status, path).toBe(200);
    return answer.body.data as Record<string, unknown>[];
  };
  /** Where the pages of one node came from while something was done. */
  const places = async (api: ApiUnderTest, work: () => Promise<unknown>) => {
    const before = pagesOf(api);
    await work();
    const after = pagesOf(api);
    return { primary: after.primary - before.primary, replica: after.replica - before.replica };
  };
  /** A machine that does other work may take longer than a replica is given: it is asked again. */
  const isReadFromReplica = (api: ApiUnderTest, work: () => Promise<unknown>) =>
    until(async () => (await places(api, work)).primary === 0);
  const times = async (api: ApiUnderTest) => (await get(api, lists[0] as string)).map(({ recorded_at }) => recorded_at);
  const reported = ({ observations }: ApiUnderTest) =>
    observations.flatMap((seen) => (seen.kind === "replica_left" || seen.kind === "replica_used" ? [seen] : []));
  /** Nodes look at it every two seconds. */
  const isUsedBy = (api: ApiUnderTest) => until(() => reported(api).at(-1)?.kind === "replica_used");
  const areAllUsing = async () => {
    await fleet.servers.replica.isLevel();
    await Promise.all(fleet.nodes.map(isUsedBy));
  };

  /** Another way to a replica, and what it reports. */
  const openReplica = async (url = fleet.urls.replica, store = fleet.database) => {
    const seen: Observation[] = [];
    const replica = await Replica.open(store, { url, poolSize: 1, observe: (observation) => seen.push(observation) });
    return { replica, seen, kinds: () => seen.map(({ kind }) => kind) };
  };

  test("answers all lists with the same rows as the primary", async () => {
    const [node] = fleet.nodes;
    await areAllUsing();
    for (const path of lists) {
      await isReadFromReplica(node, async () => expect(await get(node, path)).not.toBeEmpty());
    }
    const there = new SQL({ url: fleet.urls.replica, max: 1 });
    const asked: { query: string }[] = await there.unsafe(
      "select query from pg_stat_activity where application_name like 'odograph%'",
    );
    await there.close();
    expect(asked).not.toBeEmpty();

    await fleet.servers.replica.pause();
    await fleet.send();
    const later: unknown[] = [];
    const fromPrimary = await places(node, async () => {
      for (const path of lists) later.push(await get(node, path));
    });
    await fleet.servers.replica.resume();
    expect(fromPrimary).toEqual({ primary: lists.length, replica: 0 });
    await areAllUsing();
    for (const [index, path] of lists.entries()) {
      await isReadFromReplica(node, async () => expect(await get(node, path)).toEqual(later[index] as never));
    }
  });

  test("that is behind never hides what was acknowledged, on any node", async () => {
    await areAllUsing();
    await fleet.servers.replica.pause();
    try {
      await fleet.send();
      for (const node of fleet.nodes) expect(await times(node)).toEqual([...fleet.sent]);

      const [alert] = await get(fleet.nodes[0], `/alerts?${window}&acknowledged=false`);
      const alertId = String(alert?.alert_id);
      await fleet.database.transaction((tx) => acknowledgeAlerts(tx, olga(), [alertId], Date.now()));
      for (const node of fleet.nodes) {
        const acknowledged = await get(node, `/alerts?${window}&acknowledged=true`);
        expect(acknowledged.map(({ alert_id }) => alert_id)).toContain(alertId);
      }

      await load(fleet.database, [{ ...fences.town, name: "City" }]);
      for (const node of fleet.nodes) {
        const names = (await get(node, `/geofence-events?${window}`)).map(({ geofence_name }) => geofence_name);
        expect(names).not.toContain("Town");
      }
    } finally {
      await fleet.servers.replica.resume();
    }
  });

  test("that is behind for one account answers the others", async () => {
    await areAllUsing();
    await fleet.servers.replica.pause();
    try {
      await fleet.send();
      const rival = await keyOf(fleet.database, smallFleet.rita.email);
      const [node] = fleet.nodes;
      await isReadFromReplica(node, () => node.get(`/trips?${window}`, rival));
    } finally {
      await fleet.servers.replica.resume();
    }
  });

  test("that stops is left, and used again when it is back", async () => {
    await areAllUsing();
    const [node] = fleet.nodes;
    await fleet.servers.replica.stop();
    for (let read = 0; read < 3; read++) expect(await times(node)).toEqual([...fleet.sent]);
    await until(() => reported(node).at(-1)?.kind === "replica_left");
    const lags = node.observations.flatMap((seen) => (seen.kind === "replica_measured" ? [seen.lagBytes] : []));
    expect(lags.at(-1)).toBeNull();
    await fleet.send();
    expect(await places(node, async () => expect(await times(node)).toEqual([...fleet.sent]))).toEqual({
      primary: 1,
      replica: 0,
    });
    // Once, however often it was asked.
    expect(reported(node).at(-2)?.kind).toBe("replica_used");
    await fleet.servers.replica.start();
    await areAllUsing();
    await isReadFromReplica(node, () => times(node));
  });

  test("that freezes costs those who wait about a second, and nobody after them", async () => {
    await areAllUsing();
    const [node] = fleet.nodes;
    fleet.servers.replica.freeze();
    try {
      const begun = performance.now();
      const answers = await Promise.all(Array.from({ length: 8 }, () => times(node)));
      expect(performance.now() - begun).toBeLessThan(scaledMs(3_500));
      for (const answer of answers) expect(answer).toEqual([...fleet.sent]);
      const from = await places(node, async () => {
        for (let read = 0; read < 5; read++) await times(node);
      });
      expect(from).toEqual({ primary: 5, replica: 0 });
    } finally {
      fleet.servers.replica.thaw();
    }
    await areAllUsing();
    await isReadFromReplica(node, () => times(node));
  });

  test("that is promoted is not read any more, and the log says so; built again, it is", async () => {
    await areAllUsing();
    const [node] = fleet.nodes;
    await fleet.servers.replica.promote();
    const there = new SQL({ url: fleet.urls.replica, max: 1 });
    await there.unsafe("delete from trips");
    await there.close();
    const trips = await get(node, lists[1] as string);
    expect(trips).not.toBeEmpty();
    await until(() =>
      reported(node).some((seen) => seen.kind === "replica_left" && /primary itself/.test(seen.reason)),
    );
    expect(await places(node, () => get(node, lists[1] as string))).toEqual({ primary: 1, replica: 0 });

    await fleet.servers.replica.stop();
    await fleet.servers.replica.rebuild();
    await fleet.servers.replica.start();
    await areAllUsing();
    await isReadFromReplica(node, async () => expect(await get(node, lists[1] as string)).toEqual(trips));
  });

  test("that cancels a query in favour of the replay shows nobody an error", async () => {
    await areAllUsing();
    const primary = new SQL({ url: fleet.urls.primary, max: 1 });
    const there = new SQL({ url: fleet.urls.replica, max: 1 });
    await there.unsafe("alter system set max_standby_streaming_delay = 0");
    await there.unsafe("select pg_reload_conf()");
    await primary.unsafe("create table vacuumed (number int)");
    const { replica } = await openReplica();
    const count = async (reader: Reader) =>
      (await reader.get<{ rows: number }>(sql`select count(*) as rows from vacuumed`))?.rows;
    const cancelled = async () => {
      const [row] = await there.unsafe("select sum(confl_snapshot)::int as count from pg_stat_database_conflicts");
      return row.count as number;
    };
    try {
      // A machine that does other work may take longer than a page may: then it is done again.
      await until(async () => {
        await primary.unsafe("insert into vacuumed select generate_series(1, 1000)");
        await fleet.servers.replica.isLevel();
        const before = await cancelled();
        const found: (number | undefined)[] = [];
        let [isOver, isCancelled] = [false, false];
        let begun: Promise<unknown> = Promise.resolve();
        /** Reads in one snapshot before and after the rows are removed for good. */
        const readTwice = async (reader: Reader) => {
          found.push(await count(reader));
          await primary.unsafe("delete from vacuumed");
          await primary.unsafe("vacuum vacuumed");
          await until(async () => {
            isCancelled = (await cancelled()) > before && !isOver;
            return isOver || isCancelled;
          });
          return count(reader);
        };
        const work = (reader: Reader) => {
          if (reader === fleet.database || found.length > 0) return count(reader);
          const reading = readTwice(reader);
          begun = reading.catch(() => {});
          return reading;
        };
        found.push(await replica.read({ accountId: fleet.accountId, lastChange: async () => 0, work }));
        isOver = true;
        await begun;
        // Begun on the replica, and read once more, wherever that was.
        if (isCancelled) expect(found).toEqual([1_000, 0]);
        else await primary.unsafe("delete from vacuumed");
        return isCancelled;
      });
    } finally {
      await replica.close();
      await there.unsafe("alter system reset max_standby_streaming_delay");
      await there.unsafe("select pg_reload_conf()");
      await Promise.all([primary.close(), there.close()]);
    }
  });

  test("that has not replayed what was stored before a node started is not used by it", async () => {
    await areAllUsing();
    await fleet.servers.replica.pause();
    await fleet.send();
    const { replica, kinds } = await openReplica();
    try {
      expect(kinds()).toContain("replica_left");
      expect(kinds()).not.toContain("replica_used");
      await fleet.servers.replica.resume();
      await until(() => kinds().includes("replica_used"));
    } finally {
      await replica.close();
    }
  });

  test("is read by the program, which says so in its log and in its metrics", async () => {
    await areAllUsing();
    const env = { DATABASE_URL: fleet.urls.primary, DATABASE_READ_URL: fleet.urls.replica };
    const program = await startServer({ env });
    try {
      await program.logged('"kind":"replica_used"');
      const ask = (path: string) => fetch(`${program.url}/v1${path}`, { headers: { "X-API-Key": fleet.key } });
      let metrics = "";
      await until(async () => {
        for (const path of lists) expect((await ask(path)).status).toBe(200);
        metrics = await (await fetch(`${program.ingestUrl}/metrics`)).text();
        return /^odograph_page_reads_total\{from="replica"\} [1-9]\d*$/m.test(metrics);
      });
      expect(metrics).toMatch(/^odograph_page_reads_total\{from="primary"\} \d+$/m);
      expect(metrics).toMatch(/^odograph_replica_lag_bytes \d+$/m);
    } finally {
      const { stderr } = await program.stop();
      expect(stderr).not.toContain(new URL(fleet.urls.replica).password);
    }
    const words = ["export", "trips", "--user", smallFleet.olga.email, "--from", "2026-03-02", "--format", "ndjson"];
    const exported = await runOdograph(words, { env });
    expect(exported).toMatchObject({ code: 0, stderr: "" });
    expect(exported.stdout).toBe((await runOdograph(words, { env: { DATABASE_URL: env.DATABASE_URL } })).stdout);
  });

  test("that takes too long for one page is used for the others", async () => {
    await areAllUsing();
    const { replica, kinds } = await openReplica();
    try {
      const page = (work: (reader: Reader) => Promise<unknown>) =>
        replica.read({ accountId: fleet.accountId, lastChange: async () => 0, work });
      await until(() => kinds().includes("replica_used"));
      const slow = page(async (reader) => reader === fleet.database || reader.get(sql`select pg_sleep(30)`));
      // It waits for the only connection. Whether it gets it in time is luck; that it is answered is not.
      const waiting = page(async () => "answered");
      expect(await Promise.all([slow, waiting])).toEqual([true, "answered"]);
      await until(async () => (await page(async (reader) => reader === fleet.database)) === false);
      expect(kinds()).not.toContain("replica_left");
    } finally {
      await replica.close();
    }
  });

  test("is not blamed for a primary that does not answer, and its lag is not known then", async () => {
    await areAllUsing();
    const address = await startTcpProxy(fleet.urls.primary);
    const store = await openDatabase({ engine: "postgres", url: address.url, poolSize: 1 }, { create: false });
    const { replica, seen } = await openReplica(fleet.urls.replica, store);
    try {
      await until(() => seen.some(({ kind }) => kind === "replica_used"));
      await address.cut();
      const last = () => seen.findLast((observation) => observation.kind === "replica_measured");
      await until(() => last()?.lagBytes === null);
      await address.restore();
      await until(() => last()?.lagBytes !== null);
      expect(seen.filter(({ kind }) => kind === "replica_left")).toEqual([]);
    } finally {
      await replica.close();
      await store.close();
      await address.close();
    }
  });

  test("is refused beside a store that is spread over machines", () => {
    const spread: Database = Object.create(fleet.database, { isDistributed: { value: true } });
    return expect(openReplica(fleet.urls.replica, spread)).rejects.toThrow(
      /^DATABASE_READ_URL: a store that is spread/,
    );
  });

  test("of another cluster is refused", async () => {
    // The server of all other tests.
    const other = await createPostgresDatabase("nothing");
    await expect(openReplica(other.url)).rejects.toThrow(/DATABASE_READ_URL: expected a streaming replica/);
    other.drop();
    await dropsDone();
  });

  test("of another database of the cluster is refused, and a page is never read there", async () => {
    await areAllUsing();
    const primary = new SQL({ url: fleet.servers.primary.url, max: 1 });
    await primary.unsafe("create database other");
    await primary.close();
    const other = fleet.servers.databaseUrls("other");
    const store = await openDatabase({ engine: "postgres", url: other.primary, poolSize: 1 }, { create: true });
    await load(store, Object.values(smallFleet));
    await store.close();
    await fleet.servers.replica.isLevel();
    await expect(openReplica(other.replica)).rejects.toThrow(
      /^DATABASE_READ_URL: expected the database of DATABASE_URL/,
    );
  });

  test("that is the primary itself is not used, and the log says so", async () => {
    const { replica, seen } = await openReplica(fleet.urls.primary);
    await replica.close();
    expect(seen).toMatchObject([{ kind: "replica_left" }]);
    expect(JSON.stringify(seen)).toContain("it is the server of DATABASE_URL itself");
  });

  test("that is not there when a node starts is used as soon as it is", async () => {
    await fleet.servers.replica.stop();
    const store = await openDatabase({ engine: "postgres", url: fleet.urls.primary, poolSize: 1 }, { create: false });
    const { replica, kinds } = await openReplica(fleet.urls.replica, store);
    try {
      expect(kinds().filter((kind) => kind.startsWith("replica_"))).toEqual(["replica_left"]);
      await fleet.servers.replica.start();
      await until(() => kinds().includes("replica_used"));
    } finally {
      await replica.close();
      await store.close();
    }
  });

  function olga(): Visibility {
    return { accountId: fleet.accountId, userId: smallFleet.olga.id, sees: "account" };
  }
});
