import type { SQL } from "bun";
import { Failure } from "../../domain/errors.ts";
import type { AboutAccounts } from "../database.ts";
import { SharedStatement } from "../shared-statement.ts";
import { plainSql, type Sql, sql } from "../sql.ts";
import { rowsOf } from "./connection.ts";
import { isConnectionLost, WorkerFailure } from "./errors.ts";
import { ConnectionPool, nowhere, type PoolOptions, type ServerSession } from "./pool.ts";
import { findSessions, isServerAlive, sessionOnPrimary } from "./sessions.ts";
import { onEachShard, onShards, type ShardNames } from "./shard-text.ts";
import type { SilenceWatch } from "./silence-watch.ts";
import { isTimeout } from "./worker-life.ts";
import { accountOf, type Placement } from "./workers.ts";

/** Reads that share a question whether their shards are still there. */
const maxAsked = 500;

interface WorkerReadsOptions {
  readonly url: string;
  /** To each worker. Statements of many shards are prepared on each, so there are fewer than to the coordinator. */
  readonly poolSize: number;
  readonly limitMs: number;
  readonly connect: (url: string, onEnd?: () => void) => SQL;
  /** Asks the coordinator. */
  readonly ask: <Row>(query: Sql) => Promise<Row[]>;
  readonly placementOf: (accountId: number) => Placement | null;
  /** Those of a worker that have accounts, by `devices`: the same array as long as they are the same. */
  readonly shardsOf: (place: string) => readonly number[];
  /** An account is not where it was believed to be. */
  readonly onMoved: () => void;
  readonly onDoubt: (watch: SilenceWatch) => void;
  readonly onUnusable: (worker: string, cause: unknown) => void;
}

/** One of `devices`, or several of a worker. */
type Shards = number | readonly number[];

interface Way {
  readonly pool: ConnectionPool;
  /** Whether a shard is still on the worker. Asked after the rows were read: if so, it was there then. */
  readonly stillThere: SharedStatement<number, boolean>;
  /** Nobody waits for a worker that a node cannot reach. */
  isOpen: boolean;
}

/**
 * Reads of one account, asked of the worker that has it. There they are statements of plain PostgreSQL on the account's
 * shards, planned once; the coordinator would plan them at every call, and the worker again.
 *
 * Guarantee: a read finds what was stored before it began, as through the coordinator. When Citus moves or splits a shard, nobody
 * writes to the new one before the old worker has noted that: either it has committed it, or it still holds it as a prepared
 * transaction. So after each read the worker is asked for both, and what is not certain is read through the coordinator. So is
 * whatever a worker cannot be asked: nothing depends on this way.
 */
export class WorkerReads {
  readonly #options: WorkerReadsOptions;
  readonly #ways = new Map<string, Way>();
  /** Workers that could not be used, and have been reported. */
  readonly #reported = new Set<string>();
  /** By shard of `devices`. */
  #names: ReadonlyMap<number, ShardNames> = new Map();
  /** By text, then by what it is about. Forgotten when names are read anew and differ. */
  #texts = new Map<string, Map<Shards, string | null>>();
  #learned = "";
  #isClosed = false;

  constructor(options: WorkerReadsOptions) {
    this.#options = options;
  }

  /** Null: it has to be asked of the coordinator. */
  async read<Row>(query: Sql): Promise<Row[] | null> {
    const account = accountOf(query);
    const placement = account === null ? null : this.#options.placementOf(account);
    if (account === null || placement === null) return null;
    const names = this.#names.get(placement.shard);
    const text = names ? this.#textOn(placement.shard, query.text, () => onShards(query.text, names)) : null;
    return this.#readAt(placement.place, account, [placement.shard], { text, values: query.values });
  }

  /**
   * The same about several accounts of one worker: one statement, which also says whether their shards are there. One text for all
   * that may be asked there, so that it is planned once.
   */
  async readTogether<Row>(accounts: readonly number[], about: AboutAccounts): Promise<Row[] | null> {
    const [account = 0] = accounts;
    const place = this.#options.placementOf(account)?.place ?? "";
    const byShard = this.#byShard(accounts, place);
    if (byShard === null) return null;
    const asked = [...byShard.keys()];
    const [only] = asked;
    if (only === undefined) return null;
    const shards = asked.length === 1 ? asked : this.#options.shardsOf(place);
    const values = shards.flatMap((shard) => about.valuesOf(byShard.get(shard) ?? []));
    const text = this.#textOn(shards === asked ? only : shards, `together ${about.text}`, () => {
      const names = shards.map((shard) => this.#names.get(shard));
      const each = onEachShard(about.text, values.length / shards.length, names);
      return each && withShardsThere(each, about.columns, 1 + values.length);
    });
    const all = { text, values: [...values, `{${asked.join()}}`] };
    const isThere = (rows: readonly Together[]) => (rows[0] ? rows[0].shards_there === asked.length : null);
    return this.#readAt<Row & Together>(place, account, asked, all, isThere);
  }

  /** Null: not all of them are where the first is believed to be. */
  #byShard(accounts: readonly number[], place: string): ReadonlyMap<number, number[]> | null {
    const byShard = new Map<number, number[]>();
    for (const account of accounts) {
      const placement = this.#options.placementOf(account);
      if (placement?.place !== place) return null;
      const ofShard = byShard.get(placement.shard) ?? [];
      ofShard.push(account);
      byShard.set(placement.shard, ofShard);
    }
    return byShard;
  }

  workerOf(accountId: number): string | null {
    const place = this.#options.placementOf(accountId)?.place ?? "";
    return this.#ways.get(place)?.isOpen ? place : null;
  }

  /** `areThere`: what the rows say about the shards themselves; null: nothing. */
  async #readAt<Row>(
    place: string,
    account: number,
    shards: readonly number[],
    { text, values }: { readonly text: string | null; readonly values: Sql["values"] },
    areThere: (rows: readonly Row[]) => boolean | null = () => null,
  ): Promise<Row[] | null> {
    const way = this.#ways.get(place);
    if (text === null || !way?.isOpen) return null;
    try {
      const run = (client: SQL) => rowsOf<Row>(client, { text, values });
      const rows = await way.pool.share(this.#options.limitMs, { ...nowhere, account }, run);
      if (areThere(rows) ?? (await this.#areStillThere(way, shards))) return rows;
      this.#options.onMoved();
    } catch (error) {
      if (error instanceof WorkerFailure || isTimeout(error)) throw error;
      if (error instanceof Failure || isConnectionLost(error)) this.#leave(place, error);
      else this.#options.onMoved();
    }
    return null;
  }

  async #areStillThere(way: Way, shards: readonly number[]): Promise<boolean> {
    const areThere = await Promise.all(shards.map((shard) => way.stillThere.ask(shard)));
    return areThere.every(Boolean);
  }

  /** Connects to those workers that are not yet connected. */
  async connectTo(places: ReadonlySet<string>): Promise<void> {
    for (const place of this.#ways.keys()) if (!places.has(place)) this.#leave(place, null);
    this.#learn(await this.#options.ask<ShardRow>(shardNames));
    for (const place of places) if (!this.#ways.has(place)) void this.#connect(place);
  }

  #learn(rows: readonly ShardRow[]): void {
    const learned = JSON.stringify(rows);
    if (this.#learned === learned) return;
    this.#learned = learned;
    this.#texts = new Map();
    const ofShards = Map.groupBy(rows, ({ devices_shard }) => devices_shard);
    this.#names = new Map(
      Array.from(ofShards, ([shard, own]) => [shard, new Map(own.map(({ table, name }) => [table, name]))]),
    );
  }

  giveUpOn(isConcerned: (watch: SilenceWatch) => boolean, failure: WorkerFailure): void {
    for (const { pool } of this.#ways.values()) pool.giveUpOn(isConcerned, failure);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(Array.from(this.#ways.values(), ({ pool }) => pool.close()));
  }

  async #connect(place: string): Promise<void> {
    if (this.#isClosed) return;
    try {
      const pool = new ConnectionPool(this.#poolOptions(place));
      const way: Way = { pool, stillThere: this.#guardOf(pool), isOpen: false };
      this.#ways.set(place, way);
      await pool.share(this.#options.limitMs, nowhere, (client) => rowsOf(client, plainSql("select 1")));
      way.isOpen = true;
      this.#reported.delete(place);
    } catch (error) {
      this.#leave(place, error);
    }
  }

  #leave(place: string, cause: unknown): void {
    const way = this.#ways.get(place);
    this.#ways.delete(place);
    void way?.pool.close();
    if (cause === null || this.#isClosed || this.#reported.has(place)) return;
    this.#reported.add(place);
    this.#options.onUnusable(place, cause);
  }

  #poolOptions(place: string): PoolOptions {
    const url = urlOf(this.#options.url, place);
    const connect = (onEnd?: () => void) => this.#options.connect(url, onEnd);
    return {
      size: this.#options.poolSize,
      limitMs: this.#options.limitMs,
      connect,
      check: (client) => this.#check(client, place),
      isUnfit: (error) => error instanceof Failure,
      findSessions: (sessions) => findSessions(connect, sessions),
      isServerAlive: () => isServerAlive(connect),
      onDoubt: this.#options.onDoubt,
    };
  }

  /** The coordinator's worker and the server at the address, seen from here, must be the same. */
  async #check(client: SQL, place: string): Promise<ServerSession> {
    const session = await sessionOnPrimary(client);
    const [here] = await rowsOf<{ started: string }>(client, plainSql(startedAt));
    const { host, port } = addressOf(place);
    const [there] = await this.#options.ask<{ result: string }>(sql`
      select result from master_run_on_worker(array[${host}::text], array[${port}::int], array[${startedAt}], false)`);
    if (here?.started === there?.result) return session;
    throw new Failure("STORE_UNREACHABLE", `another server than the worker answers at ${place}`);
  }

  #guardOf(pool: ConnectionPool): SharedStatement<number, boolean> {
    return new SharedStatement({
      max: maxAsked,
      run: async (shards) => {
        const guard = sql`${shardsThere} and shardid = any (${`{${[...new Set(shards)].join()}}`}::bigint[])`;
        const run = (client: SQL) => rowsOf<{ shardid: number }>(client, guard);
        const there = new Set((await pool.share(this.#options.limitMs, nowhere, run)).map(({ shardid }) => shardid));
        return shards.map((shard) => there.has(shard));
      },
    });
  }

  #textOn(where: Shards, text: string, make: () => string | null): string | null {
    let ofShards = this.#texts.get(text);
    if (!ofShards) {
      ofShards = new Map();
      this.#texts.set(text, ofShards);
    }
    let found = ofShards.get(where);
    if (found === undefined) {
      found = make();
      ofShards.set(where, found);
    }
    return found;
  }
}

const startedAt = "select extract(epoch from pg_postmaster_start_time())::text as started";

/**
 * What moves a shard changes or removes this row first, and every reader sees that as soon as it is done. So there is no
 * moment between "not decided yet" and "moved" that a look could miss.
 */
const shardsThere = plainSql(`
  select shardid from pg_dist_placement where groupid = (select groupid from pg_dist_local_group)
    and (xmax = 0 or pg_xact_status(xmax::text::xid8) = 'aborted')`);

/** In each row of a read of several shards: how many of those asked about are there. */
interface Together {
  readonly shards_there: number;
}

/**
 * A read that says in each row how many of the shards in the parameter are there. Nobody has to ask afterwards: the row of a shard
 * shows who has touched it at the moment at which it is looked at, which is after the read began. What was stored before that
 * is either in the shard here, or what made the new shard has touched the row before.
 */
function withShardsThere(text: string, columns: string, parameter: number): string {
  const there = `select count(*)::int from (${shardsThere.text} and shardid = any ($${parameter}::bigint[])) there`;
  return `select ${columns}, (${there}) as shards_there from (${text}) asked`;
}

interface ShardRow {
  readonly devices_shard: number;
  readonly table: string;
  readonly name: string;
}

/** Shards of the same range are beside each other. Those of copied tables have no range, and are everywhere. */
const shardNames = plainSql(`
  select d.shardid as devices_shard, s.logicalrelid::text as table, s.logicalrelid::text || '_' || s.shardid as name
  from pg_dist_shard d join pg_dist_shard s on s.shardminvalue is null or s.shardminvalue = d.shardminvalue
  where d.logicalrelid = to_regclass('devices') order by s.shardid, d.shardid`);

function urlOf(url: string, place: string): string {
  const { host, port } = addressOf(place);
  const there = new URL(url);
  there.hostname = host;
  there.port = String(port);
  return there.href;
}

function addressOf(place: string): { readonly host: string; readonly port: number } {
  const end = place.lastIndexOf(":");
  return { host: place.slice(0, end), port: Number(place.slice(end + 1)) };
}
