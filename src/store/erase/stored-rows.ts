import { FrameBlock } from "../blocks/frame-block.ts";
import type { StoredFrame } from "../blocks/stored-frame.ts";
import type { Reader } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { appendStep } from "../facts/fold-revision.ts";
import type { RevisedType } from "../fleet/record-revisions.ts";
import { storedLines } from "../frames/recent-frames.ts";
import { waitingLines } from "../frames/waiting-frames.ts";
import { limitTo, nothing, plainSql, type Sql, sql } from "../sql.ts";

/** All that is stored of a device or a user, to be written out before it is erased. Secrets are left out. */

export type StoredRow = Readonly<Record<string, unknown>>;

export type StoredPart = { readonly type: "frame" | "reading"; readonly frame: StoredFrame } | TypedRow;

const blocksPerRead = 20;
const rowsPerRead = 1_000;

/** Facts and the rest by table, and the column in whose order they are read. */
const rowTables = [
  { type: "live_position", name: "latest_positions", by: "last_seen_at" },
  { type: "tags", name: "device_tag_versions", by: "valid_from" },
  { type: "geofence_member", name: "geofence_assignments", by: "valid_from" },
  { type: "assignment", name: "assignments", by: "created_at" },
  { type: "trip", name: "trips", by: "started_at" },
  { type: "stop", name: "stops", by: "started_at" },
  { type: "geofence_event", name: "geofence_events", by: "occurred_at" },
  { type: "mileage_day", name: "mileage_days", by: "day" },
] as const;

export async function* storedParts(reader: Reader, key: DeviceKey): AsyncGenerator<StoredPart, void, void> {
  const isOwn = sql`account_id = ${key.accountId} and device = ${key.device}`;
  yield* framesIn(reader, "frame", "frame_blocks", isOwn);
  for (const line of await waitingLines(reader, key)) yield { type: "frame", frame: line.stored() };
  for (const frame of await storedLines(reader, "untimely_frames", isOwn)) yield { type: "frame", frame };
  yield* framesIn(reader, "reading", "reading_blocks", isOwn);
  for (const { type, name, by } of rowTables) yield* rowsIn(reader, type, sql`${plainSql(name)} r`, by, isOwn);
  const acknowledged = sql`(
    select a.*, k.acknowledged_at, k.acknowledged_by from alerts a
    left join alert_acknowledgements k on k.account_id = ${key.accountId} and k.alert_id = a.id
    where a.account_id = ${key.accountId} and a.device = ${key.device}) r`;
  yield* rowsIn(reader, "alert", acknowledged, "occurred_at", isOwn);
}

async function* framesIn(
  reader: Reader,
  type: "frame" | "reading",
  name: string,
  isOwn: Sql,
): AsyncGenerator<StoredPart, void, void> {
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const blocks = await reader.all<{ from_at: number; body: Uint8Array }>(sql`
      select from_at, body from ${plainSql(name)} where ${isOwn} and from_at > ${after}
      order by account_id, device, from_at ${limitTo(blocksPerRead)}`);
    for (const { body } of blocks) for (const frame of new FrameBlock(body).frames()) yield { type, frame };
    if (blocks.length < blocksPerRead) return;
    after = blocks.at(-1)?.from_at ?? after;
  }
}

/** Rows of one moment are read together. */
async function* rowsIn(
  reader: Reader,
  type: string,
  from: Sql,
  column: string,
  isOwn: Sql,
): AsyncGenerator<StoredPart, void, void> {
  const by = plainSql(`r.${column}`);
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const end = await reader.get<{ at: number }>(sql`
      select ${by} as at from ${from} where ${isOwn} and ${by} > ${after} order by ${by} limit 1 offset ${rowsPerRead}`);
    const until = end === null ? Number.MAX_SAFE_INTEGER : end.at;
    const rows = await reader.all<StoredRow>(sql`
      select r.* from ${from} where ${isOwn} and ${by} > ${after} and ${by} <= ${until} order by ${by}`);
    for (const row of rows) yield { type, row };
    if (end === null) return;
    after = until;
  }
}

/** What a user leaves: no hash of a password, a key or a session is among it. */
export function storedOfUser(reader: Reader, accountId: number, userId: string): Promise<TypedRow[]> {
  const isOwn = sql`account_id = ${accountId} and user_id = ${userId}`;
  const keys = sql`(select k.id from api_keys k where k.account_id = ${accountId} and k.user_id = ${userId})`;
  const queries = {
    user: sql`
      select id, role, name, email, confirmed_email, status, last_login_at, alerts_seen_at, spoken_language, created_at, updated_at, removed_at from users
      where account_id = ${accountId} and id = ${userId}`,
    preferences: sql`select * from preferences where account_id = ${accountId} and whose = ${userId}`,
    notification: sql`select * from notification_choices where ${isOwn} order by created_at`,
    planned_report: sql`
      select r.id, r.name, r.report, r.filters_json, r.cadence, r.hour, r.created_at, p.stopped_at
      from planned_report_people p join planned_reports r on r.account_id = ${accountId} and r.id = p.report_id
      where p.account_id = ${accountId} and p.user_id = ${userId} order by r.created_at, r.id`,
    unsubscription: sql`select kind, since from unsubscriptions where ${isOwn} order by kind`,
    assignment: sql`select id as device_id, created_at from assignments where ${isOwn} order by id`,
    key: sql`
      select id, name, prefix, scopes, limit_per_second, limit_per_day, expires_at, revoked_at, created_at from api_keys
      where ${isOwn} order by created_at`,
    key_usage: sql`select * from key_usage where account_id = ${accountId} and key_id in ${keys} order by day`,
    session: sql`select id, browser, via, created_at, last_seen_at, expires_at from sessions where ${isOwn}`,
    share_link: sql`
      select id, name, label, is_live, from_at, to_at, created_at, expires_at, last_opened_at, ended_at, end_reason
      from share_links where ${isOwn} order by created_at, id`,
    acknowledgement: sql`
      select alert_id, acknowledged_at from alert_acknowledgements
      where account_id = ${accountId} and acknowledged_by = ${userId} order by acknowledged_at`,
  };
  return rowsBy(reader, queries);
}

interface TypedRow {
  readonly type: string;
  readonly row: StoredRow;
}

async function rowsBy(reader: Reader, queries: Readonly<Record<string, Sql>>): Promise<TypedRow[]> {
  const parts: TypedRow[] = [];
  for (const [type, query] of Object.entries(queries)) {
    for (const { whose: _, ...row } of await reader.all<StoredRow>(query)) parts.push({ type, row });
  }
  return parts;
}

export function assignedUsers(reader: Reader, { accountId, device }: DeviceKey): Promise<StoredRow[]> {
  return reader.all(sql`
    select user_id, id, created_at from assignments where account_id = ${accountId} and device = ${device}
    order by user_id`);
}

/** A device as it is described, removed or not; null: what describes it is erased already. */
export function storedDevice(reader: Reader, { accountId, device }: DeviceKey): Promise<StoredRow | null> {
  return reader.get(sql`
    select * from devices where account_id = ${accountId} and device = ${device} and erasing_at is null`);
}

export async function membersOf(
  reader: Reader,
  accountId: number,
): Promise<{ readonly devices: readonly number[]; readonly users: readonly string[] }> {
  const devices = await reader.all<{ device: number }>(
    sql`select device from devices where account_id = ${accountId} order by id`,
  );
  const users = await reader.all<{ id: string }>(sql`select id from users where account_id = ${accountId} order by id`);
  return { devices: devices.map(({ device }) => device), users: users.map(({ id }) => id) };
}

/** Changes with every frame and every fact that is stored of a device, or of any device of the account. */
export async function historyStamp(reader: Reader, accountId: number, device: number | null): Promise<string> {
  const ofDevice = device === null ? nothing : sql`and device = ${device}`;
  const row = await reader.get<{ count: number; sum: number }>(sql`
    select count(*) as count, coalesce(sum(revision / ${appendStep} + revision % ${appendStep}), 0) as sum from device_folds
    where account_id = ${accountId} ${ofDevice}`);
  return `${row?.count ?? 0} ${row?.sum ?? 0}`;
}

/** What is stored of an account besides its devices, its users, its fences and its rules. No secret is among it. */

export function storedOfAccount(reader: Reader, accountId: number): Promise<TypedRow[]> {
  return rowsBy(reader, {
    preferences: sql`
      select p.* from preferences p join accounts a on a.account_id = p.account_id and a.id = p.whose
      where p.account_id = ${accountId}`,
    ingest_token: sql`
      select id, name, prefix, created_at, last_used_at, revoked_at from ingest_tokens
      where account_id = ${accountId} order by created_at, id`,
    unknown_device: sql`
      select imei, protocol, first_seen_at, last_seen_at, count from unknown_devices
      where account_id = ${accountId} order by imei`,
    expected_tracker: sql`
      select tracker, entered_at, called_at, last_protocol, count from expected_trackers
      where account_id = ${accountId} order by tracker_key`,
    geofence: sql`
      select g.id, g.name, g.description, g.color, g.removed_at, v.valid_from, v.shape, v.geometry_json, v.radius_m, v.width_m
      from geofences g join geofence_versions v on v.account_id = ${accountId} and v.geofence_id = g.id
      where g.account_id = ${accountId} and g.removed_at is not null order by g.id, v.valid_from`,
  });
}

const entriesPerRead = 1_000;
const columns = sql`entry_id, at, actor, actor_id, action, type as record_type, id as record_id, details_json`;

export function auditOfAccount(reader: Reader, accountId: number): AsyncGenerator<StoredRow, void, void> {
  return entries(reader, sql`account_id = ${accountId}`);
}

/** What was done to a record. */
export function auditOfRecord(
  reader: Reader,
  accountId: number,
  type: RevisedType,
  id: string,
): AsyncGenerator<StoredRow, void, void> {
  return entries(reader, sql`account_id = ${accountId} and type = ${type} and id = ${id}`);
}

/** What the user did, and what was done to the user or to a key of the user. */
export function auditOfUser(reader: Reader, accountId: number, userId: string): AsyncGenerator<StoredRow, void, void> {
  // Ids of alert settings are no UUIDs, so the column is a text.
  const keys = sql`(
    select cast(k.id as text) from api_keys k where k.account_id = ${accountId} and k.user_id = ${userId})`;
  const ofUser = sql`(actor_id = ${userId} or id = ${userId} or (type = 'key' and id in ${keys}))`;
  return entries(reader, sql`account_id = ${accountId} and ${ofUser}`);
}

async function* entries(reader: Reader, which: Sql): AsyncGenerator<StoredRow, void, void> {
  for (let after = "00000000-0000-0000-0000-000000000000"; ; ) {
    const rows = await reader.all<StoredRow>(sql`
      select ${columns} from audit_log where ${which} and entry_id > ${after}
      order by entry_id ${limitTo(entriesPerRead)}`);
    yield* rows;
    if (rows.length < entriesPerRead) return;
    after = String(rows.at(-1)?.entry_id);
  }
}
