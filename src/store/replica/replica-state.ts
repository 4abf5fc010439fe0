import { accountViewer } from "../changes/viewers.ts";
import type { Reader } from "../database.ts";
import { type Sql, sql } from "../sql.ts";

export interface ReplicatedStore {
  /** The identifier that a replica has from its primary. */
  readonly cluster: string;
  /** The number of the database, which is the same in all copies of a cluster. */
  readonly database: number;
  /** How far the primary's log was at our start. What was converted before has no number, so it must have been replayed. */
  readonly storedBefore: number;
}

/** What a server says of itself. Positions in the log are bytes from its beginning. */
export interface ReplicaState extends Omit<ReplicatedStore, "storedBefore"> {
  readonly isStandby: boolean;
  /** When it was started, which no other server has in common with it. */
  readonly server: string;
  /**
   * The history that it has followed, as far as it has noted that in its files: a new one is noted at a checkpoint, perhaps
   * minutes later. It never notes one that it cannot follow.
   */
  readonly timeline: number;
  readonly replayed: number;
  /** What it has from a primary, replayed or not. */
  readonly received: number;
}

export interface PageState extends Pick<ReplicaState, "cluster" | "database" | "isStandby" | "timeline" | "replayed"> {
  readonly change: number;
}

export interface PrimaryState {
  readonly server: string;
  /** A server that is promoted begins a new one. */
  readonly timeline: number;
  readonly stored: number;
}

const identity = sql`
  (select system_identifier from pg_control_system())::text as cluster,
  (select oid::bigint from pg_database where datname = current_database()) as database`;

const replicaIdentity = sql`${identity},
  pg_is_in_recovery() as "isStandby",
  greatest((select timeline_id from pg_control_checkpoint()),
    (select min_recovery_end_timeline from pg_control_recovery())) as timeline,
  ${bytes(sql`pg_last_wal_replay_lsn()`)} as replayed`;

export async function replicatedStore(primary: Reader): Promise<ReplicatedStore> {
  const row = await primary.get<ReplicatedStore>(sql`
    select ${identity}, ${bytes(sql`pg_current_wal_flush_lsn()`)} as "storedBefore"`);
  if (row === null) throw new Error("the primary did not say which cluster it is");
  return row;
}

export const replicaState = sql`
  select ${replicaIdentity}, pg_postmaster_start_time()::text as server,
    ${bytes(sql`greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn())`)} as received`;

export function pageState(accountId: number): Sql {
  return sql`
    select ${replicaIdentity}, coalesce((select changes from viewer_revisions
      where account_id = ${accountId} and user_id = ${accountViewer}), 0) as change`;
}

/** The first eight digits of a log file's name are the timeline. */
export const primaryState = sql`
  select pg_postmaster_start_time()::text as server,
    ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint as timeline,
    ${bytes(sql`pg_current_wal_flush_lsn()`)} as stored`;

function bytes(position: Sql): Sql {
  return sql`coalesce(pg_wal_lsn_diff(${position}, '0/0')::bigint, 0)`;
}
