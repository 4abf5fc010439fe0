import type { FramePlace } from "../../domain/frame.ts";
import { rulesVersion } from "../../domain/rules.ts";
import { bigint, orNull, type RowOf, text } from "../columns.ts";
import type { BulkTable, Reader, Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import type { Sealing } from "../frames/frame-writes.ts";
import { limitTo, listOf, nothing, type Sql, sql } from "../sql.ts";
import { bulkUpdate, listed, pick, table, upsert } from "../table.ts";
import { dueAtOnce, markAccounts } from "../upkeep/account-marks.ts";
import type { LateChange } from "./fold-revision.ts";

export interface FoldProgress extends Sealing {
  /** Grows with every change; a cached fold is current if it was made at this revision. See fold-revision.ts. */
  readonly revision: number;
  /** The last frame in order, folded or not. */
  readonly head: FramePlace | null;
  /** Between these times, both included, facts must still be derived. */
  readonly dirty: DirtyRange | null;
  /** The latest time among the stored frames outside the order, because their time is not believed. */
  readonly untimelyUntil: number | null;
  /** Frames up to here were dropped; what was derived from them stays. */
  readonly droppedUntil: number | null;
  /** When the device's offline alert began, while it lasts. */
  readonly offlineSince: number | null;
  /** The last position of a trip that the clock ended (`silentFrom` in the domain), until another comes. */
  readonly silentAt: number | null;
  /** The version of the rules that everything derived of the device follows. */
  readonly rules: number;
  /** The last of them. */
  readonly lateChanges: readonly LateChange[];
  /** An alert that begins up to here may come in the place of one that was withdrawn (`moved-alerts.ts`); null: none can. */
  readonly withdrawnUntil: number | null;
}

export interface DirtyRange {
  readonly from: number;
  readonly until: number;
}

const noLateChanges: readonly LateChange[] = [];

export const notBegun: FoldProgress = {
  revision: 0,
  head: null,
  dirty: null,
  untimelyUntil: null,
  droppedUntil: null,
  offlineSince: null,
  silentAt: null,
  rules: rulesVersion,
  sealedUntil: null,
  recentFrames: 0,
  neighbours: null,
  lateChanges: noLateChanges,
  withdrawnUntil: null,
};

/** Whether the device follows earlier rules, and waits to be derived again from its first stored frame. */
export function isWaiting({ rules }: FoldProgress): boolean {
  return rules < rulesVersion;
}

const foldTable = table("device_folds", ["account_id", "device"], {
  account_id: bigint,
  device: bigint,
  revision: bigint,
  head_recorded_at: orNull(bigint),
  head_digest: orNull(bigint),
  dirty_from: orNull(bigint),
  dirty_until: orNull(bigint),
  untimely_until: orNull(bigint),
  dropped_until: orNull(bigint),
  offline_since: orNull(bigint),
  silent_at: orNull(bigint),
  rules: bigint,
  sealed_until: orNull(bigint),
  recent_frames: bigint,
  neighbours: orNull(bigint),
  late_changes: orNull(text),
  withdrawn_until: orNull(bigint),
});

type FoldRow = RowOf<typeof foldTable.columns>;

const columns = listed(foldTable.columns);
const save = upsert(foldTable);
/** For devices whose first frames reach two nodes at once: one node inserts the row, the other waits for it. */
const begin: BulkTable = { ...foldTable, onConflict: "on conflict do nothing" };

/** How far the devices are folded, each locked until the end. PostgreSQL locks in ascending order, so that none deadlock. */
export async function holdFolds(
  tx: Transaction,
  accountId: number,
  devices: readonly number[],
): Promise<Map<number, FoldProgress>> {
  // SQLite has one writer: a transaction is alone.
  if (tx.engine === "sqlite") return progressOf(tx, accountId, devices, nothing);
  const held = sql`order by device for update`;
  const inOrder = [...devices].sort((one, other) => one - other);
  const there = await progressOf(tx, accountId, inOrder, held);
  if (there.size === inOrder.length) return there;
  const missing = inOrder.filter((device) => !there.has(device));
  await tx.insertMany(
    begin,
    missing.map((device) => toRow({ accountId, device, ...notBegun })),
  );
  return progressOf(tx, accountId, inOrder, held);
}

/** The same without a lock. */
export async function foldProgress(reader: Reader, { accountId, device }: DeviceKey): Promise<FoldProgress> {
  return (await progressOf(reader, accountId, [device], nothing)).get(device) ?? notBegun;
}

async function progressOf(
  reader: Reader,
  accountId: number,
  devices: readonly number[],
  held: Sql,
): Promise<Map<number, FoldProgress>> {
  const rows = await reader.all<FoldRow>(sql`
    select ${columns} from device_folds where account_id = ${accountId} and device in ${listOf(devices)} ${held}`);
  return new Map(rows.map((row) => [row.device, fromRow(row)]));
}

export async function saveFolds(tx: Transaction, folds: readonly (FoldProgress & DeviceKey)[]): Promise<void> {
  await tx.insertMany(save, folds.map(toRow));
}

const advance = bulkUpdate(
  foldTable,
  pick(foldTable.columns, "revision", "head_recorded_at", "head_digest", "sealed_until", "recent_frames"),
);

/** A device of which only the revision, the head and where its frames are is new, as with almost every frame. */
export interface AdvancedFold extends DeviceKey, Pick<FoldProgress, "revision" | "head"> {
  readonly sealing: Sealing;
}

export async function advanceFolds(tx: Transaction, folds: readonly AdvancedFold[]): Promise<void> {
  await tx.updateMany(
    advance,
    folds.map(({ accountId, device, revision, head, sealing }) => ({
      account_id: accountId,
      device,
      revision,
      head_recorded_at: head?.recordedAt ?? null,
      head_digest: head?.digest ?? null,
      sealed_until: sealing.sealedUntil,
      recent_frames: sealing.recentFrames,
    })),
  );
}

function fromRow(row: FoldRow): FoldProgress {
  const { head_recorded_at: recordedAt, head_digest: digest, dirty_from: from, dirty_until: until } = row;
  return {
    revision: row.revision,
    head: recordedAt === null || digest === null ? null : { recordedAt, digest },
    dirty: from === null || until === null ? null : { from, until },
    untimelyUntil: row.untimely_until,
    droppedUntil: row.dropped_until,
    offlineSince: row.offline_since,
    silentAt: row.silent_at,
    rules: row.rules,
    sealedUntil: row.sealed_until,
    recentFrames: row.recent_frames,
    neighbours: row.neighbours,
    lateChanges: row.late_changes === null ? noLateChanges : (JSON.parse(row.late_changes) as LateChange[]),
    withdrawnUntil: row.withdrawn_until,
  };
}

function toRow(progress: FoldProgress & DeviceKey): FoldRow {
  const { accountId, device, head, dirty } = progress;
  return {
    account_id: accountId,
    device,
    revision: progress.revision,
    head_recorded_at: head?.recordedAt ?? null,
    head_digest: head?.digest ?? null,
    dirty_from: dirty?.from ?? null,
    dirty_until: dirty?.until ?? null,
    untimely_until: progress.untimelyUntil,
    dropped_until: progress.droppedUntil,
    offline_since: progress.offlineSince,
    silent_at: progress.silentAt,
    rules: progress.rules,
    sealed_until: progress.sealedUntil,
    recent_frames: progress.recentFrames,
    neighbours: progress.neighbours,
    late_changes: progress.lateChanges.length === 0 ? null : JSON.stringify(progress.lateChanges),
    withdrawn_until: progress.withdrawnUntil,
  };
}

/** The devices' facts must be derived again from a moment on. Locks in ascending order first, as `holdFolds` does. */
export async function markDirty(
  tx: Transaction,
  accountId: number,
  devices: Iterable<number>,
  from: number,
): Promise<void> {
  const inOrder = [...devices].sort((one, other) => one - other);
  if (tx.engine === "postgres") {
    await tx.all(sql`
      select device from device_folds where account_id = ${accountId} and device in ${listOf(inOrder)}
      order by device for update`);
  }
  await tx.all(sql`
    ${markedDirty(from)} where account_id = ${accountId} and device in ${listOf(inOrder)} and head_recorded_at >= ${from}
    returning device`);
  await markAccounts(tx, [{ work: "derive", accountId, dueAt: dueAtOnce }]);
}

/** The same for all devices of an account. */
export async function markAccountDirty(tx: Transaction, accountId: number, from: number): Promise<void> {
  const isConcerned = sql`account_id = ${accountId} and head_recorded_at >= ${from}`;
  if (tx.engine === "postgres") {
    await tx.all(sql`select device from device_folds where ${isConcerned} order by device for update`);
  }
  await tx.writeAny(sql`${markedDirty(from)} where ${isConcerned}`);
  await markAccounts(tx, [{ work: "derive", accountId, dueAt: dueAtOnce }]);
}

function markedDirty(from: number): Sql {
  return sql`update device_folds set revision = revision + 1, dirty_until = ${Number.MAX_SAFE_INTEGER},
    dirty_from = case when dirty_from < ${from} then dirty_from else ${from} end`;
}

/** Devices of an account whose facts must still be derived; not those that wait to be derived wholly. */
export function dirtyDevices(reader: Reader, accountId: number, count: number): Promise<DeviceKey[]> {
  return deviceKeys(reader, accountId, sql`dirty_from is not null and rules >= ${rulesVersion}`, count);
}

/** Those that ever sent a frame of a believable time. */
export function foldedDevices(reader: Reader, accountId: number): Promise<DeviceKey[]> {
  return deviceKeys(reader, accountId, sql`head_recorded_at is not null`, Number.MAX_SAFE_INTEGER);
}

/** Those that ever sent a frame whose time was not believed. */
export function untimelyDevices(reader: Reader, accountId: number): Promise<DeviceKey[]> {
  return deviceKeys(reader, accountId, sql`untimely_until is not null`, Number.MAX_SAFE_INTEGER);
}

/** The first of an account's devices whose row says so. */
export async function deviceKeys(reader: Reader, accountId: number, which: Sql, count: number): Promise<DeviceKey[]> {
  const rows = await reader.all<{ device: number }>(sql`
    select device from device_folds where account_id = ${accountId} and ${which} order by device ${limitTo(count)}`);
  return rows.map(({ device }) => ({ accountId, device }));
}
