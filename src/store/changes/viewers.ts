import { BoundedMap } from "../../domain/bounded-map.ts";
import { type ChangeType, changeTypes } from "../../domain/changes/types.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { BulkTable, Database, Reader, Row, Transaction } from "../database.ts";
import { LostRowsFailure } from "../required-rows.ts";
import { listOf, plainSql, sql, type Value } from "../sql.ts";

/** Which pictures a change alters. What it says to followers is in the log (changes.ts). */
export type Shown = "live positions" | "devices" | "both" | "neither";

/** The account itself, which is what its owner sees. Not the owner's id: an account may have no owner, or get another. */
export const accountViewer = "00000000-0000-0000-0000-000000000000";

/** For work of the program itself, which asks by itself what each person may see. */
export function accountVisibility(accountId: number): Visibility {
  return { sees: "account", accountId, userId: accountViewer };
}

/** By whose counters a viewer's pictures are valid. */
export function viewerId({ sees, userId }: Visibility): string {
  return sees === "account" ? accountViewer : userId;
}

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

/** What one viewer sees of a change, and nothing else: from the counters that it raises, others could be noticed. */
export interface Sight {
  readonly shown: Shown;
  readonly about: ReadonlySet<ChangeType>;
}

const typeColumns = changeTypes.map((type) => `${type}_changes`);
const counterColumns = ["account_id", "user_id", "revision", "devices_revision", "changes", ...typeColumns];

/** `number` is the new number, in terms of the stored row. */
function onConflict(number: string): string {
  const lastOfTypes = typeColumns.map(
    (column) => `${column} = case when excluded.${column} > 0 then ${number} else viewer_revisions.${column} end`,
  );
  return `on conflict (account_id, user_id) do update set
    revision = viewer_revisions.revision + excluded.revision,
    devices_revision = viewer_revisions.devices_revision + excluded.devices_revision,
    changes = ${number}, ${lastOfTypes.join(", ")}`;
}

const onConflictOfAccount = plainSql(onConflict("viewer_revisions.changes + 1"));
const allCounters = plainSql(counterColumns.join(", "));

const subAccountTable: BulkTable = {
  name: "viewer_revisions",
  columns: Object.fromEntries(counterColumns.map((name) => [name, name === "user_id" ? "uuid" : "bigint"])),
  onConflict: onConflict("excluded.changes"),
};

/**
 * Numbers a change of an account, and raises the counters by which its owner's pictures are valid.
 *
 * The numbers of an account are in the order of its commits, without a gap that is filled later: the row of the account
 * stays locked until this transaction ends, so the next number is given only when this one is committed or was never
 * given. Therefore a reader of a number can read everything up to it, and a follower that goes on after it misses
 * nothing. (A sequence of the database would not do: it gives out 7 and 8, and 8 may commit first.)
 *
 * This is the last lock that a transaction takes, and rows are locked in ascending order, so that two never wait for each
 * other. Only the log (changes.ts) is written after it: nobody else writes rows of this number.
 *
 * What frames change counts as live positions, even if only the list of devices shows it (when a device was last seen).
 * The counter of devices changes with the fleet file, and pages of devices check both.
 */
export async function nextChange(tx: Transaction, accountId: number, sight: Sight): Promise<number> {
  const row = counters(accountId, accountViewer, sight, 1);
  const values = counterColumns.map((name) => sql`${row[name] ?? 0}`).reduce((all, one) => sql`${all}, ${one}`);
  const raised = await tx.get<{ changes: number }>(sql`
    insert into viewer_revisions (${allCounters}) values (${values}) ${onConflictOfAccount} returning changes`);
  if (raised === null) throw new LostRowsFailure(0, 1, `the number of a change of account ${accountId}`);
  return raised.changes;
}

/** Raises the counters of the sub-accounts that see something of this change, too. */
export async function showSubAccounts(
  tx: Transaction,
  accountId: number,
  change: number,
  subAccounts: ReadonlyMap<string, Sight>,
): Promise<void> {
  if (subAccounts.size === 0) return;
  const rows = Array.from(subAccounts, ([userId, sight]) => counters(accountId, userId, sight, change));
  await tx.insertMany(
    subAccountTable,
    rows.sort((one, other) => (String(one.user_id) < String(other.user_id) ? -1 : 1)),
  );
}

function counters(accountId: number, userId: string, { shown, about }: Sight, change: number): Row {
  const row: Record<string, Value> = {
    account_id: accountId,
    user_id: userId,
    revision: shown === "live positions" || shown === "both" ? 1 : 0,
    devices_revision: shown === "devices" || shown === "both" ? 1 : 0,
    changes: change,
  };
  for (const type of changeTypes) row[`${type}_changes`] = about.has(type) ? change : 0;
  return row;
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

/** Of the devices alone. */
export async function devicesRevision(reader: Reader, visibility: Visibility): Promise<number> {
  const row = await reader.get<{ revision: number }>(sql`select devices_revision as revision from viewer_revisions
    where account_id = ${visibility.accountId} and user_id = ${viewerId(visibility)}`);
  return row?.revision ?? 0;
}

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

/** The account's devices that ever sent a frame. No other can have a live position. */
export async function liveDevices(
  reader: Reader,
  accountId: number,
  devices: Iterable<number>,
): Promise<ReadonlySet<number>> {
  const rows = await reader.all<{ device: number }>(
    sql`select device from latest_positions where account_id = ${accountId} and device in ${listOf(devices)}`,
  );
  return new Set(rows.map(({ device }) => device));
}
