import type { Actor, AuditAction, AuditEntry } from "../../domain/audit.ts";
import { bigint, oneOf, orNull, type RowOf, text, uuid } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { limitTo, listOf, nothing, type Sql, sql } from "../sql.ts";
import { listed, omit, table } from "../table.ts";
import type { RevisedType } from "./record-revisions.ts";

/** Who did what and when. Rows are only added. */
const auditTable = table("audit_log", ["account_id", "entry_id"], {
  account_id: bigint,
  /** A UUID of version 7: entries are in the order of their ids. */
  entry_id: uuid,
  at: bigint,
  actor: oneOf<Actor["kind"]>(),
  actor_id: orNull(uuid),
  action: oneOf<AuditAction>(),
  type: text,
  id: text,
  details_json: orNull(text),
});

/** In the transaction of what they record. */
export async function addAuditEntries(
  tx: Transaction,
  accountId: number,
  entries: readonly AuditEntry[],
  now: number,
): Promise<void> {
  await tx.insertMany(
    auditTable,
    entries.map(({ by, action, id, details }) => ({
      account_id: accountId,
      entry_id: Bun.randomUUIDv7("hex", now),
      at: now,
      actor: by.kind,
      actor_id: by.kind === "user" ? by.id : null,
      action,
      type: action.slice(0, action.indexOf(".")),
      id,
      details_json: details === undefined ? null : JSON.stringify(details),
    })),
  );
}

/** Which of these records were removed or erased, and neither put back nor added again since. */
export async function removedLast(
  reader: Reader,
  accountId: number,
  type: string,
  ids: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const rows = await reader.all<{ id: string; action: AuditAction }>(sql`
    select id, action from audit_log
    where account_id = ${accountId} and type = ${type} and id in ${listOf(ids)} order by at, entry_id`);
  const last = new Map(rows.map(({ id, action }) => [id, action.slice(action.indexOf(".") + 1)]));
  return new Set([...last].filter(([, what]) => what === "removed" || what === "erased").map(([id]) => id));
}

const shown = omit(auditTable.columns, "account_id");
const columns = listed(shown);

export type AuditRow = RowOf<typeof shown>;

/** A part of the log, newest first. */
export interface AuditLogPage {
  /** Half-open; null: no bound. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
  /** Only what this person did, or what was done in this way. */
  readonly by: Actor | null;
  /** Only what was done to records of these types; null: of any. */
  readonly types: readonly string[] | null;
  /** The entry that the page before ended with. */
  readonly before: string | null;
  readonly count: number;
}

/** An entry's id begins with its time, so that bounds of time are bounds of the key. */
export function auditRows(reader: Reader, accountId: number, page: AuditLogPage): Promise<AuditRow[]> {
  const { fromMs, toMs, by, types, before, count } = page;
  return reader.all(sql`
    select ${columns} from audit_log where account_id = ${accountId}
    ${fromMs === null ? nothing : sql`and entry_id >= ${firstIdAt(fromMs)}`}
    ${toMs === null ? nothing : sql`and entry_id < ${firstIdAt(toMs)}`}
    ${before === null ? nothing : sql`and entry_id < ${before}`}
    ${by === null ? nothing : byActor(by)}
    ${types === null ? nothing : sql`and (${ofTypes(types)})`}
    order by entry_id desc ${limitTo(count)}`);
}

function byActor(by: Actor): Sql {
  return by.kind === "user" ? sql`and actor_id = ${by.id}` : sql`and actor = ${by.kind}`;
}

function ofTypes(types: readonly string[]): Sql {
  return types.reduce((all, type) => sql`${all} or type = ${type}`, sql`1 = 0`);
}

/** Six bytes of time, as in a UUID of version 7; the rest is zero. */
function firstIdAt(ms: number): string {
  const time = Math.max(0, Math.min(ms, 2 ** 48 - 1))
    .toString(16)
    .padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

const namedTypes = ["user", "device", "driver", "geofence", "key", "token", "share", "planned_report"] as const;
export type NamedType = (typeof namedTypes)[number];

export function isNamedType(type: string): type is NamedType {
  return (namedTypes as readonly string[]).includes(type);
}

const isRemoved = sql`case when removed_at is null then 0 else 1 end as is_removed`;

// A vehicle that is being erased has lost its name already, though its row is still there.
const named: Readonly<Record<NamedType, (accountId: number, list: Sql) => Sql>> = {
  user: (accountId, list) => sql`
    select id, name, ${isRemoved} from users where account_id = ${accountId} and id in ${list}`,
  device: (accountId, list) => sql`
    select id, name, ${isRemoved} from devices
    where account_id = ${accountId} and erasing_at is null and id in ${list}`,
  driver: (accountId, list) => sql`
    select id, name, 0 as is_removed from drivers where account_id = ${accountId} and id in ${list}`,
  geofence: (accountId, list) => sql`
    select id, name, ${isRemoved} from geofences where account_id = ${accountId} and id in ${list}`,
  key: (accountId, list) => sql`
    select id, name, 0 as is_removed from api_keys where account_id = ${accountId} and id in ${list}`,
  token: (accountId, list) => sql`
    select id, name, 0 as is_removed from ingest_tokens where account_id = ${accountId} and id in ${list}`,
  share: (accountId, list) => sql`
    select id, name, 0 as is_removed from share_links where account_id = ${accountId} and id in ${list}`,
  planned_report: (accountId, list) => sql`
    select id, name, 0 as is_removed from planned_reports where account_id = ${accountId} and id in ${list}`,
};

interface NamedRow {
  readonly id: string;
  readonly name: string;
  readonly is_removed: number;
}

export interface AuditedName {
  readonly name: string;
  /** It is hidden everywhere else. */
  readonly isRemoved: boolean;
}

/** What records of the account are called now, removed or not. One that was erased has no name. */
export async function namesOf(
  reader: Reader,
  accountId: number,
  type: NamedType,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, AuditedName>> {
  const rows = await reader.all<NamedRow>(named[type](accountId, listOf(ids)));
  return new Map(rows.map(({ id, name, is_removed }) => [id, { name, isRemoved: is_removed === 1 }]));
}

/** The people of the account of whom the log says something, by name; also those who were removed and are kept. */
export function auditedPeople(reader: Reader, accountId: number): Promise<NamedRow[]> {
  return reader.all(sql`
    select u.id, u.name, ${isRemoved} from users u where u.account_id = ${accountId}
    and exists (select 1 from audit_log l where l.account_id = ${accountId} and l.actor_id = u.id)
    order by u.name, u.id ${limitTo(maxPeople)}`);
}

/** More than anybody chooses from. */
const maxPeople = 1_000;

/** Those of the records that a person added in the portal: no file ever had them. */
export async function madeInPortal(
  reader: Reader,
  accountId: number,
  type: RevisedType,
  ids: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const rows = await reader.all<{ readonly id: string }>(sql`
    select id from audit_log
    where account_id = ${accountId} and type = ${type} and id in ${listOf(ids)}
      and action = ${`${type}.added`} and actor = 'user'`);
  return new Set(rows.map(({ id }) => id));
}
