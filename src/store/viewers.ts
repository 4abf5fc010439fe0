import type { Visibility } from "../domain/visibility.ts";
import type { BulkTable, Reader, Transaction } from "./database.ts";
import { allIn } from "./in-list.ts";
import { sql } from "./sql.ts";

/** What a counter covers. Every change increments the counters of all who see it. */
export type Shown = "live positions" | "devices" | "both";

export interface Viewer {
  readonly account_id: number;
  readonly user_id: string;
}

const table: BulkTable = {
  name: "viewer_revisions",
  columns: { account_id: "bigint", user_id: "uuid", revision: "bigint", devices_revision: "bigint" },
  onConflict: `on conflict (account_id, user_id) do update set
    revision = viewer_revisions.revision + excluded.revision,
    devices_revision = viewer_revisions.devices_revision + excluded.devices_revision`,
};

/**
 * Increments the counter of each viewer who sees other live positions, or other devices, after this transaction. What
 * frames change counts as live positions, even if only the list of devices shows it (when a device was last seen). The
 * counter of devices changes with the fleet file, and pages of devices check both.
 *
 * The rows are locked in ascending order, so that two transactions never wait for each other.
 */
export async function bumpViewers(
  tx: Transaction,
  viewers: Iterable<Viewer & { readonly shown: Shown }>,
): Promise<void> {
  const rows = Array.from(viewers, ({ account_id, user_id, shown }) => ({
    account_id,
    user_id,
    revision: shown === "devices" ? 0 : 1,
    devices_revision: shown === "live positions" ? 0 : 1,
  }));
  await tx.insertMany(
    table,
    rows.sort((one, other) => (one.user_id < other.user_id ? -1 : 1)),
  );
}

/** A viewer's counters. As long as a number is unchanged, so is what the viewer sees. 0 before the first change. */
export interface ViewerRevisions {
  readonly livePositions: number;
  readonly devices: number;
}

export async function viewerRevisions(reader: Reader, { accountId, userId }: Visibility): Promise<ViewerRevisions> {
  const row = await reader.get<ViewerRevisions>(sql`
    select revision as "livePositions", devices_revision as devices
    from viewer_revisions where account_id = ${accountId} and user_id = ${userId}`);
  return row ?? { livePositions: 0, devices: 0 };
}

/** The account's devices that ever sent a frame. No other can have a live position. */
export async function liveDevices(
  reader: Reader,
  accountId: number,
  devices: Iterable<number>,
): Promise<ReadonlySet<number>> {
  const rows = await allIn<{ device: number }>(
    reader,
    devices,
    (list) => sql`select device from latest_positions where account_id = ${accountId} and device in ${list}`,
  );
  return new Set(rows.map(({ device }) => device));
}
