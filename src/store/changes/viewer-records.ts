import type { FleetType } from "../../domain/changes/types.ts";
import type { Visibility } from "../../domain/visibility.ts";
import { bigint, boolean, oneOf, orNull, type RowOf, text, uuid } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { limitTo, listOf, nothing, sql } from "../sql.ts";
import { listed, omit, table, upsert } from "../table.ts";
import { viewerId } from "./viewers.ts";

/**
 * Which of the fleet's own records each viewer sees, or saw, and when that last changed. Of sub-accounts it has all devices
 * and fences in sight, so that what leaves their sight is known. Users and settings have a row once they have changed.
 */
const viewerRecordTable = table("viewer_records", ["account_id", "user_id", "type", "id"], {
  account_id: bigint,
  user_id: uuid,
  type: oneOf<FleetType>(),
  id: uuid,
  number: bigint,
  changed_at: bigint,
  removed: boolean,
  /**
   * Since which number it is in sight. Negative: for the first time, as far as anybody remembers. What the owner has removed
   * and put back counts as if it had never left; what was erased and loaded again does not.
   */
  since: bigint,
  /** Of a tag that nobody has named, whose record has no id: it. The id of its row is then `tagRecordId`. */
  driver_id: orNull(text),
});

export interface ViewerRecord extends Omit<RowOf<typeof viewerRecordTable.columns>, "since" | "driver_id"> {
  readonly driver_id?: string | null;
  /** If it was removed: it is there as before, and followers get all of it again. */
  readonly isAsBefore?: boolean;
}

/** 0: as before. */
const save = upsert(viewerRecordTable, [], {
  since: `case when viewer_records.removed and excluded.since <> 0 then excluded.number else viewer_records.since end`,
});

export async function saveViewerRecords(tx: Transaction, rows: readonly ViewerRecord[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.insertMany(
    save,
    rows.map(({ isAsBefore = false, driver_id = null, ...row }) => ({
      ...row,
      driver_id,
      since: isAsBefore ? 0 : -row.number,
    })),
  );
}

export interface SightBegin {
  readonly number: number;
  /** It was in sight before, and may be in a follower's copy. */
  readonly isReturn: boolean;
}

/** When each of these devices came into the sub-account's sight, by public id. */
export async function inSightSince(
  reader: Reader,
  { accountId, userId }: Visibility,
  deviceIds: Iterable<string>,
): Promise<ReadonlyMap<string, SightBegin>> {
  const rows = await reader.all<{ id: string; since: number }>(sql`
    select id, since from viewer_records
    where account_id = ${accountId} and user_id = ${userId} and type = 'device' and id in ${listOf(deviceIds)}`);
  return new Map(rows.map(({ id, since }) => [id, { number: Math.abs(since), isReturn: since > 0 }]));
}

/** Whether a device came back into sight after one number, and its record changed again after a later one. */
export async function hasUnreportedReturn(
  reader: Reader,
  visibility: Visibility,
  after: number,
  until: number,
): Promise<boolean> {
  const row = await reader.get(sql`
    select 1 as there from viewer_records
    where account_id = ${visibility.accountId} and user_id = ${viewerId(visibility)} and number > ${until}
      and type = 'device' and since > ${after} and since <= ${until} limit 1`);
  return row !== null;
}

/** What these sub-accounts have in sight, as the log says. */
export function recordsInSight(
  reader: Reader,
  accountId: number,
  userIds: Iterable<string>,
): Promise<Pick<ViewerRecord, "user_id" | "type" | "id">[]> {
  return reader.all(sql`
    select user_id, type, id from viewer_records
    where account_id = ${accountId} and user_id in ${listOf(userIds)}
      and type in ('device', 'geofence') and removed = ${false}`);
}

const shown = listed(omit(viewerRecordTable.columns, "account_id", "user_id"));

export type RecordChange = Omit<RowOf<typeof viewerRecordTable.columns>, "account_id" | "user_id">;

export type RecordPlace = Pick<RecordChange, "number" | "type" | "id">;

/** What the viewer sees differently, or no longer, in the order of the commits. */
export function changedRecords(
  reader: Reader,
  visibility: Visibility,
  page: {
    readonly after: RecordPlace;
    readonly until: number;
    readonly types: readonly FleetType[];
    /** Only of this record or device. */
    readonly id: string | null;
    readonly count: number;
  },
): Promise<RecordChange[]> {
  const { after, until, count, id } = page;
  const types = page.types.map((type) => sql`${type}`).reduce((all, one) => sql`${all}, ${one}`);
  return reader.all(sql`
    select ${shown} from viewer_records
    where account_id = ${visibility.accountId} and user_id = ${viewerId(visibility)}
      and number >= ${after.number} and (number, type, id) > (${after.number}, ${after.type}, ${after.id})
      and number <= ${until} and type in (${types}) ${id === null ? nothing : sql`and id = ${id}`}
    order by number, type, id ${limitTo(count)}`);
}

const tagNamespace = "3f0c9f0e-5d57-4c8b-8f5e-2b7a4f1d6c20";

/** The id of the row of a tag that nobody has named. */
export function tagRecordId(driverId: string): string {
  return Bun.randomUUIDv5(driverId, tagNamespace);
}

/**
 * Which of these drivers these viewers have got, as `userId id`. When a vehicle leaves a viewer's sight, drivers may leave it
 * unsaid, so all whom it got before come once more.
 */
export async function reportedDrivers(
  reader: Reader,
  accountId: number,
  userIds: Iterable<string>,
  ids: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const rows = await reader.all<{ user_id: string; id: string }>(sql`
    select r.user_id, r.id from viewer_records r
    left join (
      select user_id, max(number) as number from viewer_records
      where account_id = ${accountId} and removed and type = 'device' group by user_id) gone on gone.user_id = r.user_id
    where r.account_id = ${accountId} and r.user_id in ${listOf(userIds)} and r.type = 'driver'
      and r.id in ${listOf(ids)} and r.removed = ${false} and r.number > coalesce(gone.number, -1)`);
  return new Set(rows.map(({ user_id, id }) => `${user_id} ${id}`));
}
