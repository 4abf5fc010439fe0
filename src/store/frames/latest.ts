import type { Place } from "../../domain/geometry/distance.ts";
import { parseReported } from "../../domain/reported.ts";
import { bigint, boolean, orNull, type RowOf, text, uuid } from "../columns.ts";
import type { Reader, Row, Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { listOf, sql } from "../sql.ts";
import { bulkUpdate, listed, omit, pick, table, upsert } from "../table.ts";
import { waitingLines } from "./waiting-frames.ts";

/** The live state of a device. The position is null until a valid one arrives. */
export const latestTable = table("latest_positions", ["account_id", "device"], {
  account_id: bigint,
  device: bigint,
  /** Grows with every change of the row. */
  revision: bigint,
  last_seen_at: bigint,
  recorded_at: orNull(bigint),
  received_at: orNull(bigint),
  fields_json: orNull(text),
  odometer_m: orNull(bigint),
  discontinuity: orNull(boolean),
  ignition_since: orNull(bigint),
  trip_id: orNull(uuid),
  geofence_ids_json: orNull(text),
  driver_id: orNull(text),
});

const seen = pick(latestTable.columns, "account_id", "device", "revision", "last_seen_at");
const position = omit(latestTable.columns, "account_id", "device", "revision", "last_seen_at");
const columns = sql`last_seen_at, ${listed(position)}`;

export type LatestRow = RowOf<typeof position>;

const changes = {
  revision: "latest_positions.revision + 1",
  // The device was last seen when its latest frame was received, whichever is stored last.
  last_seen_at: `case when excluded.last_seen_at > latest_positions.last_seen_at
    then excluded.last_seen_at else latest_positions.last_seen_at end`,
};
const insertLatest = upsert(latestTable, [], changes);
/** Leaves the position unchanged: for frames that are not folded yet, or never will be. */
const insertSeen = upsert({ ...latestTable, columns: seen }, [], changes);

export async function saveLatest(
  tx: Transaction,
  rows: readonly (DeviceKey & { readonly lastSeenAt: number; readonly latest: LatestRow })[],
): Promise<void> {
  await tx.insertMany(
    insertLatest,
    rows.map((row) => Object.assign(seenRow(row), row.latest)),
  );
}

export async function saveLastSeen(
  tx: Transaction,
  rows: readonly (DeviceKey & { readonly lastSeenAt: number })[],
): Promise<void> {
  await tx.insertMany(insertSeen, rows.map(seenRow));
}

/** For a frame that was received earlier than known. If it set the last sight, the last other frame replaces it. */
export async function withdrawLastSeen(
  tx: Transaction,
  { accountId, device }: DeviceKey,
  receivedAt: number,
): Promise<void> {
  const isOwn = sql`account_id = ${accountId} and device = ${device}`;
  const waiting = await waitingLines(tx, { accountId, device });
  const lastWaiting = waiting.reduce<number | null>((last, line) => Math.max(last ?? 0, line.receivedAt), null);
  await tx.writeAny(sql`
    update latest_positions set last_seen_at = (
      select max(at) from (
        select max(received_until) as at from frame_blocks where ${isOwn}
        union all select cast(${lastWaiting} as bigint)
        union all select max(received_at) from untimely_frames where ${isOwn}) received)
    where account_id = ${accountId} and device = ${device} and last_seen_at = ${receivedAt}`);
}

function seenRow({ accountId, device, lastSeenAt }: DeviceKey & { readonly lastSeenAt: number }): Row {
  return { account_id: accountId, device, revision: 1, last_seen_at: lastSeenAt };
}

export function storedLatest(
  reader: Reader,
  { accountId, device }: DeviceKey,
): Promise<(LatestRow & { readonly last_seen_at: number }) | null> {
  return reader.get(sql`
    select ${columns} from latest_positions where account_id = ${accountId} and device = ${device}`);
}

export interface LivePlace {
  readonly device: number;
  readonly revision: number;
  readonly at: number;
  readonly place: Place;
  readonly inside: readonly string[];
}

export async function livePlaces(reader: Reader, accountId: number, devices: Iterable<number>): Promise<LivePlace[]> {
  const rows = await reader.all<{
    readonly device: number;
    readonly revision: number;
    readonly at: number;
    readonly fields_json: string;
    readonly inside_json: string | null;
  }>(sql`
    select device, revision, recorded_at as at, fields_json, geofence_ids_json as inside_json from latest_positions
    where account_id = ${accountId} and device in ${listOf(devices)} and recorded_at is not null`);
  return rows.flatMap(({ device, revision, at, fields_json, inside_json }) => {
    const { latitude, longitude } = parseReported(fields_json);
    if (typeof latitude !== "number" || typeof longitude !== "number") return [];
    const inside: string[] = JSON.parse(inside_json ?? "[]");
    return [{ device, revision, at, place: { latitude, longitude }, inside }];
  });
}

const containment = bulkUpdate(latestTable, pick(latestTable.columns, "revision", "geofence_ids_json"));

/** Nobody else may have written them since they were read: see `holdFleetRevision`. */
export async function saveContainment(tx: Transaction, accountId: number, live: readonly LivePlace[]): Promise<void> {
  await tx.updateMany(
    containment,
    live.map(({ device, revision, inside }) => ({
      account_id: accountId,
      device,
      revision: revision + 1,
      geofence_ids_json: JSON.stringify(inside),
    })),
  );
}

/** When the last frame of any of the account's devices was received; null if none ever was. */
export async function lastReceivedAtOf(reader: Reader, accountId: number): Promise<number | null> {
  const row = await reader.get<{ last_seen_at: number | null }>(sql`
    select max(last_seen_at) as last_seen_at from latest_positions where account_id = ${accountId}`);
  return row?.last_seen_at ?? null;
}
