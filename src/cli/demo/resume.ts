import type { World } from "../../simulator/world.ts";
import type { Database } from "../../store/database.ts";
import { accountsById } from "../../store/fleet/accounts.ts";
import { lastReceivedAtOf } from "../../store/frames/latest.ts";
import type { DemoState } from "../serving/demo-state.ts";

/** Frames may arrive out of order by this much; duplicates are stored once. */
const overlapMs = 3 * 3_600_000;

/** Everything before this has certainly arrived. */
export async function resumeAt(database: Database, world: World, { from }: Pick<DemoState, "from">): Promise<number> {
  const [account] = await accountsById(database, [world.accountId]);
  const last = account ? await lastReceivedAtOf(database, account.account_id) : null;
  return Math.max(from, (last ?? from) - overlapMs);
}
