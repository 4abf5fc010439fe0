import { Failure } from "../../domain/errors.ts";
import { beforeDeadline } from "../deadlines.ts";
import { distributedTables, referenceTables } from "../distribution.ts";
import type { Sql } from "../sql.ts";
import { WorkerFailure } from "./errors.ts";
import { type Connect, WorkerLife } from "./worker-life.ts";

/**
 * The workers of a Citus cluster that do not answer. One that refuses connections fails its statements at once. One that is frozen,
 * or whose network is lost, says nothing: statements for it would fill the pool, and all others would wait for it. So statements
 * for one worker get a part of the pool (pool.ts). Once one of them has waited for long, the worker is asked; if it is silent,
 * statements for it are refused until it answers.
 */

/** How long the coordinator may take to look up all accounts. */
const lookUpMs = 5_000;
/** How long it is believed where accounts are. */
const placesMs = 60_000;
/** The same while a statement waits: the account may have been moved. */
const freshMs = 5_000;
/** How long to wait before it is looked up again. */
const pauseMs = 500;

interface WorkersOptions {
  readonly connect: Connect;
  /** Ends what waits for that worker. */
  readonly onSilent: (isConcerned: (aim: Aimed) => boolean, failure: WorkerFailure) => void;
  /** It could not be read where accounts are. As long as that is not known, nobody is refused. */
  readonly onUnknownPlaces: (cause: unknown) => void;
  /** The workers that have accounts, each time they are read. */
  readonly onPlaces?: (places: ReadonlySet<string>) => void;
}

interface Aimed {
  readonly account: number | null;
  /** It writes a table of which every machine has a copy. */
  readonly isEverywhere: boolean;
}

/** Where an account is: host and port of its worker, and its shard of `devices`. */
export interface Placement {
  readonly place: string;
  readonly shard: number;
}

type Places = ReadonlyMap<number, Placement>;

export class Workers {
  readonly #options: WorkersOptions;
  readonly #life: WorkerLife;
  readonly #silent = new Map<string, WorkerFailure>();
  readonly #asked = new Set<string>();
  /** Where accounts are. Shards may move, so it is read anew now and then, and when a statement waits. */
  #places: Places = new Map();
  /** By worker. */
  #shards: ReadonlyMap<string, readonly number[]> = new Map();
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;

  constructor(options: WorkersOptions) {
    this.#options = options;
    this.#life = new WorkerLife(options.connect);
  }

  /** A statement of the account was answered through the coordinator, so by its worker. */
  noteAnswerTo(accountId: number | null): void {
    const place = accountId === null ? undefined : this.#places.get(accountId)?.place;
    if (place !== undefined) this.#life.noteAnswer(place);
  }

  refusalOf({ account, isEverywhere }: Aimed): WorkerFailure | null {
    if (this.#silent.size === 0) return null;
    const [any = null] = isEverywhere ? this.#silent.values() : [];
    return any ?? (account === null ? null : (this.#silent.get(this.#places.get(account)?.place ?? "") ?? null));
  }

  /** The worker that a statement of the account is for; null: none, or it is not known yet. */
  placeOf(accountId: number | null): string | null {
    return accountId === null ? null : (this.#placementOf(accountId)?.place ?? null);
  }

  /** Null as well if its worker is silent: then nobody must be made to wait for it. */
  answeringPlacementOf(accountId: number): Placement | null {
    const placement = this.#placementOf(accountId);
    return placement && this.#silent.has(placement.place) ? null : placement;
  }

  /** Those of `devices` that have accounts there. The same array as long as they are the same. */
  shardsOf(place: string): readonly number[] {
    return this.#shards.get(place) ?? [];
  }

  #placementOf(accountId: number): Placement | null {
    if (performance.now() - this.#readAt > placesMs) void this.readPlaces();
    return this.#places.get(accountId) ?? null;
  }

  /** An account is not where it was believed to be. If many say so, it is read once. */
  readPlacesSoon(): void {
    if (performance.now() - this.#readAt > pauseMs) void this.readPlaces();
  }

  /** Reads where accounts are, which the coordinator knows by itself. If it does not answer, that is not a worker's fault. */
  readPlaces(): Promise<void> {
    this.#readAt = performance.now();
    this.#reading ??= this.#lookUp<Placement & { account: number }>(placesOfAccounts)
      .then((rows) => {
        this.#places = new Map(rows.map(({ account, place, shard }) => [account, { place, shard }]));
        this.#shards = shardsOfWorkers(rows, this.#shards);
        this.#life.keepOpen(this.#answeringWorkers());
        this.#options.onPlaces?.(this.#workers());
      }, this.#options.onUnknownPlaces)
      .finally(() => {
        this.#reading = null;
      });
    return this.#reading;
  }

  /** A statement has not been answered for long. If it is not for one account, any worker may be the reason. */
  async doubt(aim: Aimed): Promise<void> {
    if (this.refusalOf(aim)) return;
    if (this.#reading || performance.now() - this.#readAt > freshMs) await this.readPlaces();
    const { account, isEverywhere } = aim;
    const place = account === null || isEverywhere ? null : this.#places.get(account)?.place;
    const doubtful = place === null ? [...this.#workers()] : place === undefined ? [] : [place];
    await Promise.all(doubtful.map((one) => this.#examine(one)));
  }

  #workers(): ReadonlySet<string> {
    return new Set(Array.from(this.#places.values(), ({ place }) => place));
  }

  #answeringWorkers(): ReadonlySet<string> {
    return new Set([...this.#workers()].filter((place) => !this.#silent.has(place)));
  }

  async #examine(place: string): Promise<void> {
    if (this.#asked.has(place)) return;
    this.#asked.add(place);
    try {
      if (!(await this.#life.isThere(place))) await this.#refuse(place);
    } finally {
      this.#asked.delete(place);
    }
  }

  close(): void {
    this.#life.close();
  }

  async #refuse(place: string): Promise<void> {
    const failure = new WorkerFailure(place);
    this.#silent.set(place, failure);
    const isConcerned = ({ account, isEverywhere }: Aimed) =>
      isEverywhere || (account !== null && this.#places.get(account)?.place === place);
    this.#options.onSilent(isConcerned, failure);
    await this.#life.comesBack(place);
    this.#silent.delete(place);
  }

  /** Over a connection of its own: all others may be waiting. Only the answer itself is timed. */
  async #lookUp<Row>(text: string): Promise<Row[]> {
    const client = this.#options.connect(lookUpMs);
    try {
      await client.unsafe("select 1");
      const asking: Promise<Row[]> = client.unsafe(text);
      return await beforeDeadline(asking, lookUpMs, () => new Failure("STORE_UNREACHABLE", "no answer"));
    } finally {
      void client.close({ timeout: 0 });
    }
  }
}

function shardsOfWorkers(
  places: readonly Placement[],
  before: ReadonlyMap<string, readonly number[]>,
): ReadonlyMap<string, readonly number[]> {
  const byWorker = Map.groupBy(places, ({ place }) => place);
  const shards = Array.from(byWorker, ([worker, own]): [string, readonly number[]] => {
    const now = [...new Set(own.map(({ shard }) => shard))].sort((one, other) => one - other);
    const then = before.get(worker);
    return [worker, then?.join() === now.join() ? then : now];
  });
  return new Map(shards);
}

/** The shard is computed once for each account: joined with all placements, some hundred accounts took seconds. */
const placesOfAccounts = `
  with found as materialized (
    select account_id, get_shard_id_for_distribution_column('devices', account_id) as shard from accounts),
  places as materialized (
    select p.shardid as shard, n.nodename || ':' || n.nodeport as place from pg_dist_placement p
    join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    where p.shardid = any (array(select distinct shard from found)))
  select found.account_id::float8 as account, places.place, found.shard::float8 as shard from found join places using (shard)`;

/** By text: the number of the parameter that holds the account. There are as many texts as the code can make. */
const parameters = new Map<string, number | null>();
const spread = new RegExp(`\\b(?:${distributedTables.join("|")})\\b`);
const compared = /\baccount_id = \$(\d+)/;
const inserted = /^\s*insert into \w+(?: as \w+)? \(account_id\b[^)]*\)\s*values \(\$(\d+)/;

/** The account whose worker runs the statement. Null: none does, or any may. */
export function accountOf({ text, values }: Sql): number | null {
  let parameter = parameters.get(text);
  if (parameter === undefined) {
    const found = spread.test(text) ? (inserted.exec(text) ?? compared.exec(text)) : null;
    parameter = found ? Number(found[1]) : null;
    parameters.set(text, parameter);
  }
  const value = parameter === null ? null : values[parameter - 1];
  return typeof value === "number" ? value : null;
}

const copies = new RegExp(`\\b(?:insert into|update|delete from) (?:${referenceTables.join("|")})\\b`);
const written = new Map<string, boolean>();

/** Whether a statement writes a table of which every machine has a copy: it needs them all. */
export function isEverywhere({ text }: Sql): boolean {
  let is = written.get(text);
  if (is === undefined) {
    is = copies.test(text);
    written.set(text, is);
  }
  return is;
}
