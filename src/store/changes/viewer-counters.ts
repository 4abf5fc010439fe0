import { BoundedMap } from "../../domain/bounded-map.ts";
import { type ChangeType, changeTypes } from "../../domain/changes/types.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { Database, Reader } from "../database.ts";
import { listOf, plainSql, sql } from "../sql.ts";
import { accountViewer, typeColumns, viewerId } from "./viewers.ts";

/** A viewer, by what its counters are kept under. */
export interface Viewer {
  readonly accountId: number;
  readonly viewerId: string;
}

export function viewerOf(visibility: Visibility): Viewer {
  return { accountId: visibility.accountId, viewerId: viewerId(visibility) };
}

export function counterKey({ accountId, viewerId }: Viewer): string {
  return `${accountId} ${viewerId}`;
}

/** A viewer's counters. As long as a number is unchanged, so is what the viewer sees. 0 before the first change. */
export interface ViewerCounters {
  readonly livePositions: number;
  readonly devices: number;
  /** How far the account's changes are numbered. */
  readonly last: number;
  /** By type, the last that shows the viewer something of it. */
  readonly seen: Readonly<Record<ChangeType, number>>;
  /** The last removal that nobody remembers. */
  readonly forgotten: number;
}

const noChanges: ViewerCounters = { livePositions: 0, devices: 0, last: 0, seen: seenIn(() => 0), forgotten: 0 };

/** Of a viewer itself. What follows them is the same for all of an account. */
const ownColumns = ["revision", "devices_revision", ...typeColumns];

/** All of them in one text: a column for each costs more to read than all else of a poll. */
function inOneText(columns: readonly string[]): string {
  return `${columns.join(" || ' ' || ")} as counters`;
}

const askedColumns = [
  ...ownColumns.map((column) => `coalesce(v.${column}, 0)`),
  ...["changes", "forgotten"].map((column) => `coalesce(a.${column}, 0)`),
];

/** The counters of viewers whose accounts and users are rows `asked`: what to select, and to join. */
export const askedCounters = {
  columns: inOneText(askedColumns),
  joins: `
    left join viewer_revisions a on a.account_id = asked.account_id and a.user_id = '${accountViewer}'
    left join viewer_revisions v on v.account_id = asked.account_id and v.user_id = asked.user_id`,
};
const [askedText, askedJoins] = [plainSql(askedCounters.columns), plainSql(askedCounters.joins)];

/** PostgreSQL only: those of many viewers, in their order, with one statement that requests share (shared-statement.ts). */
export async function countersOfViewers(
  reader: Pick<Reader, "all">,
  viewers: readonly Viewer[],
): Promise<readonly ViewerCounters[]> {
  const distinct = [...new Map(viewers.map((viewer) => [counterKey(viewer), viewer])).values()];
  const accounts = `{${distinct.map(({ accountId }) => accountId).join()}}`;
  const users = `{${distinct.map((viewer) => viewer.viewerId).join()}}`;
  const rows = await reader.all<CountersRow>(sql`
    select asked.account_id, asked.user_id, ${askedText}
    from unnest(${accounts}::bigint[], ${users}::uuid[]) as asked (account_id, user_id) ${askedJoins}`);
  const byKey = byKeyOf(rows);
  return viewers.map((viewer) => byKey.get(counterKey(viewer)) ?? noChanges);
}

/** The same where the store is spread over many machines, for viewers whose accounts are on one of them. */
export async function countersOnWorker(
  database: Database,
  viewers: readonly Viewer[],
): Promise<readonly ViewerCounters[]> {
  const byAccount = Map.groupBy(viewers, ({ accountId }) => accountId);
  const rows = await database.allOnWorker?.<CountersRow>([...byAccount.keys()], {
    ...countersOfSome,
    valuesOf: (accounts) => {
      // Of these accounts alone: each account is looked up with each viewer.
      const users = new Set(accounts.flatMap((account) => usersOf(byAccount.get(account) ?? [])));
      return [`{${accounts.join()}}`, `{${[...users].join()}}`];
    },
  });
  if (rows) return countersIn(rows, viewers);
  const ofAccounts = await Promise.all(Array.from(byAccount.values(), (own) => rowsInAccount(database, own)));
  return countersIn(ofAccounts.flat(), viewers);
}

const counterNames = [...ownColumns, "changes", "forgotten"];

/** The text is made once of what the reads of all shards give: in each of them it would be prepared for every statement. */
const countersOfSome = {
  text: `select v.account_id, v.user_id, ${counterNames.map((name) => `v.${name}`).join(", ")} from viewer_revisions v
    where v.account_id = any ($1::bigint[]) and v.user_id = any ($2::uuid[])`,
  columns: `account_id, user_id, ${inOneText(counterNames)}`,
};

/** And the account's, of which some counters are the same for all of it. */
function usersOf(viewers: readonly Viewer[]): string[] {
  return viewers.length === 0 ? [] : [accountViewer, ...viewers.map((viewer) => viewer.viewerId)];
}

const selectCounters = sql`
  select v.account_id, v.user_id, ${plainSql(inOneText(counterNames.map((name) => `v.${name}`)))} from viewer_revisions v`;

/** Those of viewers of one account, and what is the same for all of it. */
function rowsInAccount(reader: Reader, viewers: readonly Viewer[]): Promise<CountersRow[]> {
  const accountId = viewers[0]?.accountId ?? null;
  return reader.all(sql`
    ${selectCounters} where v.account_id = ${accountId} and v.user_id in ${listOf(usersOf(viewers))}`);
}

/** Each viewer's own, with what is the same for all of its account. */
function countersIn(rows: readonly CountersRow[], viewers: readonly Viewer[]): readonly ViewerCounters[] {
  const byKey = byKeyOf(rows);
  return viewers.map((viewer) => {
    const ofAccount = byKey.get(counterKey({ ...viewer, viewerId: accountViewer })) ?? noChanges;
    if (viewer.viewerId === accountViewer) return ofAccount;
    const { last, forgotten } = ofAccount;
    return { ...(byKey.get(counterKey(viewer)) ?? noChanges), last, forgotten };
  });
}

function byKeyOf(rows: readonly CountersRow[]): ReadonlyMap<string, ViewerCounters> {
  return new Map(rows.map((row) => [`${row.account_id} ${row.user_id}`, countersOf(row)]));
}

export async function viewerCounters(reader: Reader, visibility: Visibility): Promise<ViewerCounters> {
  const viewer = viewerOf(visibility);
  const [counters = noChanges] = countersIn(await rowsInAccount(reader, [viewer]), [viewer]);
  return counters;
}

/** What `askedCounters` selects. */
export interface CountersText {
  readonly counters: string;
}

interface CountersRow extends CountersText {
  readonly account_id: number;
  readonly user_id: string;
}

/** By text: most polls find what the one before found. */
const knownCounters = new BoundedMap<string, ViewerCounters>({ max: 20_000 });

export function countersOf({ counters }: CountersText): ViewerCounters {
  return knownCounters.getOrMake(counters, () => {
    const [livePositions = 0, devices = 0, ...more] = counters.split(" ").map(Number);
    const [last = 0, forgotten = 0] = more.slice(changeTypes.length);
    return { livePositions, devices, last, forgotten, seen: seenIn((_, index) => more[index] ?? 0) };
  });
}

function seenIn(numberOf: (type: ChangeType, index: number) => number): ViewerCounters["seen"] {
  const numbers = changeTypes.map((type, index) => [type, numberOf(type, index)]);
  return Object.fromEntries(numbers) as Record<ChangeType, number>;
}
