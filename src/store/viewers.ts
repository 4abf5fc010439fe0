import type { Visibility } from "../domain/visibility.ts";
import type { BulkTable, Reader, Transaction } from "./database.ts";
import { allIn } from "./in-list.ts";
import { sql } from "./sql.ts";

/** What a counter is about. Whoever changes something of it grows the counters of all who see the change. */
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
 * Grows the counter of each viewer whose picture of the live positions, or of the devices, changes with this transaction.
 * What frames change belongs to the live positions, even where only the list of devices shows it (when a device was last
 * seen): the counter of the devices grows with what the fleet's owner says of them, and pages of them look at both.
 *
 * The rows are taken in ascending order, so that two transactions never wait for each other.
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

/** A viewer's counters. As long as a number stays, so does what the viewer sees of that. 0 before the first change. */
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

/** Those of the account's devices that ever sent a frame. No other can be among the live positions. */
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
