import { mock } from "bun:test";
import { join } from "node:path";
import * as sqlModule from "../../src/store/sql.ts";
import type { Judgement } from "./statement-rule.ts";

/**
 * Loaded before every test file (bunfig.toml). Whatever the store sends to PostgreSQL in a test process is held to the rule of
 * statement-rule.ts: a statement that breaks it fails. Statements that tests write themselves are free.
 */

/** What is known in this process. Its test files may have modules of their own. */
interface Watch {
  /** Texts that templates of tests made, and those that others made. One that both made is watched. */
  readonly ofTests: Set<string>;
  readonly ofProgram: Set<string>;
  readonly judged: Map<string, Judgement>;
  /** Null until it is needed: loading takes longer than many a test. */
  rule: Rule | null;
  loading: Promise<Rule> | null;
}

interface Rule {
  readonly judge: (text: string) => Judgement;
  readonly shardFaults: (text: string) => string[];
  readonly ofMigrations: ReadonlySet<string>;
}

const place = Symbol.for("odograph statement guard");
const places = globalThis as unknown as Record<symbol, Watch | undefined>;
const isFirst = places[place] === undefined;
places[place] ??= { ofTests: new Set(), ofProgram: new Set(), judged: new Map(), rule: null, loading: null };
const watch: Watch = places[place];

const testFolder = join(import.meta.dir, "..");
/** A copy: the module's own names soon lead to what replaces them. */
const original = { ...sqlModule };
/** By call site: whether it is free. */
const isFreeTemplate = new WeakMap<TemplateStringsArray, boolean>();

mock.module(join(import.meta.dir, "../../src/store/sql.ts"), () => ({
  ...original,
  sql: (strings: TemplateStringsArray, ...parts: (sqlModule.Value | sqlModule.Sql)[]): sqlModule.Sql => {
    const made = original.sql(strings, ...parts);
    let isFree = isFreeTemplate.get(strings);
    if (isFree === undefined) {
      isFree = isFreeCaller();
      isFreeTemplate.set(strings, isFree);
    }
    (isFree ? watch.ofTests : watch.ofProgram).add(made.text);
    return made;
  },
  plainSql: (text: string): sqlModule.Sql => {
    (isFreeCaller() ? watch.ofTests : watch.ofProgram).add(text);
    return original.plainSql(text);
  },
}));

function isFreeCaller(): boolean {
  // The error's own line, this function, what replaces `sql`, and then who called that.
  return new Error().stack?.split("\n")[3]?.includes(testFolder) ?? false;
}

async function load(): Promise<Rule> {
  const { judge } = await import("./statement-rule.ts");
  const { shardFaults } = await import("./shard-text-rule.ts");
  const { knownMigrations } = await import("../../src/store/migrations.ts");
  const { statementsOf } = await import("../../src/store/postgres/connection.ts");
  watch.rule = {
    judge,
    shardFaults,
    ofMigrations: new Set(knownMigrations.postgres.flatMap(({ text }) => statementsOf(text))),
  };
  return watch.rule;
}

function requireOneAccount(rule: Rule, text: string, values: readonly unknown[] = []): void {
  if (rule.ofMigrations.has(text) || isExcepted(text)) return;
  if (watch.ofTests.has(text) && !watch.ofProgram.has(text)) return;
  const { faults, accountParameters } = judgementOf(rule, text);
  const accounts = new Set(accountParameters.map((number) => values[number - 1]));
  const all = accounts.size > 1 ? [...faults, "it is about more than one account"] : faults;
  if (all.length === 0) return;
  const message = `a statement does not keep to one account (distribution.ts): ${all.join("; ")}\n${text}`;
  // A server under test hides it from the caller.
  console.error(message);
  throw new Error(message);
}

function judgementOf(rule: Rule, text: string): Judgement {
  const known = watch.judged.get(text);
  if (known) return known;
  let judgement: Judgement = { faults: [], accountParameters: [] };
  try {
    const { faults, accountParameters } = rule.judge(text);
    judgement = { faults: [...faults, ...rule.shardFaults(text)], accountParameters };
  } catch {
    // No SQL: the server says so, too.
  }
  watch.judged.set(text, judgement);
  return judgement;
}

type Client = InstanceType<typeof Bun.SQL>;
type Work = (tx: Client) => Promise<unknown>;

function watched(client: Client): Client {
  const send = client.unsafe;
  const sendIfRight = (rule: Rule, text: string, values?: unknown[]) => {
    requireOneAccount(rule, text, values);
    return send.call(client, text, values);
  };
  client.unsafe = ((text: string, values?: unknown[]) => {
    if (watch.rule) return sendIfRight(watch.rule, text, values);
    watch.loading ??= load();
    return watch.loading.then((rule) => sendIfRight(rule, text, values));
  }) as typeof send;
  return client;
}

/** Only clients that the store made: they call themselves odograph. */
function isOfStore(options: unknown): boolean {
  const { connection } = (options ?? {}) as { connection?: { application_name?: string } };
  return connection?.application_name?.startsWith("odograph") ?? false;
}

if (isFirst) {
  Bun.SQL = new Proxy(Bun.SQL, {
    construct(target, given, newTarget) {
      const client: Client = Reflect.construct(target, given, newTarget);
      if (!isOfStore(given[1])) return client;
      const begin = client.begin.bind(client) as (work: Work) => Promise<unknown>;
      client.begin = ((work: Work) => begin((tx) => work(watched(tx)))) as typeof client.begin;
      return watched(client);
    },
  });
}

/**
 * Statements that a store on one machine sends and one on many does not (`isDistributed`): there the same is done account by
 * account. Requests of any accounts share them, or they cost less this way.
 */
const forOneMachine = [
  // `insertsOfRows` of store/postgres/bulk.ts; else `insertsByAccount`.
  /^insert into \w+ \([\w, ]+\) select [\w, ]+ from json_to_recordset\(\$1::text::json\) as row /,
  // `countersOfViewers` of store/changes/viewer-counters.ts; else `countersOnWorker`.
  /from unnest\(\$\d+::bigint\[\], \$\d+::uuid\[\]\) as asked \(account_id, user_id\)/,
  // `viewerText` of store/access/shared-counters.ts; else `spendText`, and the counters as above.
  /^\s*with counted as \(\s*insert into key_counters /,
];

/** Statements that are about tables as a whole, and rare. */
const ofWholeTables = [
  // Whether a table is empty after something was erased: store/postgres/purge.ts.
  /^\s*select not exists \(select 1 from \w+\) as empty, /,
];

function isExcepted(text: string): boolean {
  return [...forOneMachine, ...ofWholeTables].some((pattern) => pattern.test(text));
}
