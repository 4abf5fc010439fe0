import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { watchSilence } from "../../src/derive/upkeep/silent-trips.ts";
import type { Database } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/open.ts";
import { plainSql, sql } from "../../src/store/sql.ts";
import { derivedTables, differencesOf } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { batched, inOrder } from "../support/ingest-arrival.ts";
import { freshFleet, loadIngestFleet, randomFleet } from "../support/ingest-fleet.ts";
import { newWriter, nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";
import { canonical, openPort, type PortAnswer, tokenOf } from "../support/ingest-port.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { freePort, sendFrames } from "../support/ingest-server.ts";
import { until } from "../support/patience.ts";
import { withProductDeadlines } from "../support/patient-deadlines.ts";
import { fromSources } from "../support/program.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { countFrames } from "../support/stored-frames.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";

withProductDeadlines();

const seed = announcedSeed("a store in trouble");
const maxRestarts = 20;

/** A body that tells the sender what to do, and nobody where the store is. */
function isClearRefusal({ status, body }: Pick<PortAnswer, "body"> & { status: number | null }): void {
  expect([status, body.error.code, body.error.message]).toEqual([
    503,
    "UNAVAILABLE",
    "not all was stored; send it again later",
  ]);
  expect(JSON.stringify(body)).not.toMatch(/postgres|sqlite|ECONN|127\.0\.0\.1|\/tmp/i);
}

onEachEngine("a disk that is full", (engine) => {
  // The limit is on the files of the server's own process; PostgreSQL's are those of another process.
  if (engine.name === "postgres") return;

  test("is answered with 503, nothing is half stored, and all is stored once when there is room again", async () => {
    const store = await engine.fresh();
    await loadIngestFleet(store.database);
    const token = await tokenOf(store.database);
    const frames = inOrder(randomFleet(seed, 700));
    const batches = batched(frames, randomNumbers(seed), 60);
    const start = async (limit: string) => {
      const port = await freePort();
      // No file may grow beyond the limit: writing to it fails as on a full disk.
      const child = Bun.spawn(
        [
          "sh",
          "-c",
          `trap '' XFSZ; ${limit}; exec "$0" "$@"`,
          ...fromSources,
          "serve",
          "--port",
          "0",
          "--ingest-port",
          `${port}`,
        ],
        {
          env: { PATH: process.env.PATH ?? "", TZ: "UTC", BUN_FEATURE_FLAG_NO_ORPHANS: "1", ...store.env },
          stdout: "pipe",
          stderr: "ignore",
        },
      );
      const { value } = await child.stdout.getReader().read();
      expect(new TextDecoder().decode(value)).toStartWith("listening");
      return { url: `http://127.0.0.1:${port}`, child };
    };

    // Room for some of the batches: in blocks of 512 bytes.
    const sizes = (await readdir(store.directory)).map((name) => Bun.file(join(store.directory, name)).size);
    const tight = await start(`ulimit -S -f ${Math.ceil(Math.max(...sizes) / 512) + 150}`);
    let acknowledged = 0;
    const refused: (typeof batches)[number][] = [];
    for (const batch of batches) {
      const { status, body } = await sendFrames(tight.url, token, batch);
      if (status === 200) acknowledged += body.accepted;
      else {
        isClearRefusal({ status, body });
        refused.push(batch);
      }
      if (refused.length > 5) break;
    }
    expect(refused.length).toBeGreaterThan(0);
    // What was acknowledged is there, and nothing of what was refused.
    expect(await countFrames(store.database)).toBe(acknowledged);
    // It still answers, and still refuses in words.
    expect((await fetch(`${tight.url}/ready`)).status).toBe(200);

    // Room is made beside the running server where the machine can do that, and else over a restart.
    const prlimit = Bun.which("prlimit");
    let roomy = tight;
    if (prlimit === null) {
      tight.child.kill("SIGTERM");
      await tight.child.exited;
      roomy = await start(":");
    } else Bun.spawnSync([prlimit, `--pid=${tight.child.pid}`, "--fsize=unlimited"]);
    for (const batch of batches) expect((await sendFrames(roomy.url, token, batch)).status).toBe(200);
    roomy.child.kill("SIGTERM");
    expect(await roomy.child.exited).toBe(0);
    expect(await countFrames(store.database)).toBe(frames.length);
    await newWriter(store.database).schedule.deriveLeft();
    expect(await rederiveAll(store.database)).toMatchObject({ frames: frames.length, ...nothingChanged });
  });
});

/** What frames write, on the way to an acknowledgement. */
const writtenByFrames = [
  "shared_frames",
  "frame_blocks",
  "device_folds",
  "fold_checkpoints",
  "latest_positions",
  "trips",
  "mileage_days",
  "viewer_revisions",
  "changes",
] as const;

onEachEngine("a store that writes fewer rows than it must, and reports no error", (engine) => {
  test("is answered with 503, whichever rows they are, and the same body is stored once when it is sent again", async () => {
    const { database } = await freshFleet(engine);
    const port = await openPort(database);
    const frames = inOrder(randomFleet(seed, 500));
    const half = Math.ceil(frames.length / 2);
    const refused = new Set<string>();
    let stored = 0;
    // The second with states that the node has cached, the last with a frame that comes alone.
    const parts = [frames.slice(0, half), frames.slice(half, -1), frames.slice(-1)];
    for (const body of parts.map((part) => part.map(canonical))) {
      for (const table of body.length === 1 ? ["recent_frames"] : writtenByFrames) {
        const restore = await swallowWrites(database, table);
        const answer = await port.post("/frames", body);
        await restore();
        if (answer.status === 200) throw new Error(`frames were acknowledged without rows in ${table}`);
        isClearRefusal(answer);
        refused.add(table);
        expect(await countFrames(database)).toBe(stored);
      }
      expect(await port.post("/frames", body)).toMatchObject({ status: 200, body: { accepted: body.length } });
      stored += body.length;
      expect(await countFrames(database)).toBe(stored);
    }
    expect([...refused]).toEqual([...writtenByFrames, "recent_frames"]);
    await port.close();
    await newWriter(database).schedule.deriveLeft();
    expect(await rederiveAll(database)).toMatchObject({ frames: frames.length, ...nothingChanged });
  });
});

/** The engine drops what is written to the table, and says that no row was written. Returns how to end that. */
async function swallowWrites(database: Database, table: string): Promise<() => Promise<void>> {
  const run = (...statements: readonly string[]) =>
    database.transaction(async (tx) => {
      for (const text of statements) await tx.run(plainSql(text));
    });
  if (database.engine === "sqlite") {
    const swallow = (kind: string) =>
      `create trigger swallow_${kind} before ${kind} on ${table} begin select raise(ignore); end`;
    await run(swallow("insert"), swallow("update"));
    return () => run("drop trigger swallow_insert", "drop trigger swallow_update");
  }
  await run(
    "create function swallow() returns trigger language plpgsql as 'begin return null; end'",
    `create trigger swallow before insert or update on ${table} for each row execute function swallow()`,
  );
  return () => run(`drop trigger swallow on ${table}`, "drop function swallow");
}

onEachEngine("a database server", (engine) => {
  if (engine.name === "sqlite") return;

  test("that cannot be reached is answered with 503 by frames and /ready, and what is sent again is stored once", async () => {
    const store = await engine.fresh();
    await loadIngestFleet(store.database);
    const proxy = await startTcpProxy(store.env.DATABASE_URL ?? "");
    const distant = await openDatabase({ engine: "postgres", url: proxy.url }, { create: false });
    const port = await openPort(distant);
    const batches = batched(inOrder(randomFleet(seed, 60)), randomNumbers(seed), 40);
    const half = Math.ceil(batches.length / 2);
    for (const batch of batches.slice(0, half)) {
      expect((await port.post("/frames", batch.map(canonical))).status).toBe(200);
    }
    await proxy.cut();
    for (const batch of batches.slice(0, half + 2)) isClearRefusal(await port.post("/frames", batch.map(canonical)));
    expect((await port.request("/ready")).status).toBe(503);
    await proxy.restore();
    let accepted = 0;
    for (const batch of batches) {
      let answer = await port.post("/frames", batch.map(canonical));
      await until(async () => {
        if (answer.status === 503) answer = await port.post("/frames", batch.map(canonical));
        return answer.status !== 503;
      });
      expect([answer.status, answer.body.refused]).toEqual([200, []]);
      accepted += answer.body.accepted;
    }
    await until(async () => (await port.request("/ready")).status === 200);
    expect(accepted).toBe(batches.slice(half).flat().length);
    await port.close();
    await distant.close();
    await proxy.close();
  });

  test("that is restarted again and again while frames come in loses none and derives what it should", async () => {
    const store = await engine.fresh();
    await loadIngestFleet(store.database);
    const frames = inOrder(randomFleet(seed + 1, 120));
    await take(store.database, [frames]);
    await watchSilence(store.database, Date.now());
    const unhurt = await derivedTables(store.database);

    const hurt = await engine.fresh();
    await loadIngestFleet(hurt.database);
    const node = await hurt.open();
    const port = await openPort(node);
    const random = randomNumbers(seed);
    const late = new Set(frames.filter(() => random() < 0.15));
    const waiting = batched([...frames.filter((frame) => !late.has(frame)), ...late], random, 12);
    let isDone = false;
    // What a restart does to those who are connected.
    const restarts = (async () => {
      for (let restart = 0; restart < maxRestarts && !isDone; restart++) {
        await Bun.sleep(10 + random() * 60);
        await hurt.database.all(sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`);
      }
    })();
    const sender = async () => {
      for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
        const { status, body } = await port.post("/frames", batch.map(canonical));
        if (status === 200) continue;
        isClearRefusal({ status, body });
        waiting.push(batch);
      }
    };
    await Promise.all([sender(), sender(), sender()]);
    isDone = true;
    await restarts;
    await port.close();
    await newWriter(hurt.database).schedule.deriveLeft();
    // Its chores may have ended trips by the clock.
    await watchSilence(hurt.database, Date.now());
    const clocked = await derivedTables(hurt.database);
    const alerts = clocked.alerts.filter(({ alert_type }) => alert_type !== "device_offline");
    expect(differencesOf(unhurt, { ...clocked, alerts })).toEqual([]);
    expect(await rederiveAll(hurt.database)).toMatchObject(nothingChanged);
  });
});
