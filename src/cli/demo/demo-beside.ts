import { Leader } from "../../derive/upkeep/leader.ts";
import { eraseAccount } from "../../fleet/erase/erase-account.ts";
import { repeat } from "../../observe/repeat.ts";
import type { Database } from "../../store/database.ts";
import { accountByInternalId } from "../../store/fleet/accounts.ts";
import { type DemoAccountRow, demoAccounts, forgetDemoAccount } from "../../store/fleet/demo-accounts.ts";
import type { ServedBeside } from "./drive-beside.ts";

/** How often to look whether somebody wants one: a person waits for it. */
const lookEveryMs = 2_000;

/**
 * Makes the fleet that an owner wants to look at, in an account of its own, keeps its vehicles driving, and has it erased when
 * it is no longer wanted. Nobody signs in there with a password. Returns what ends it.
 */
export function keepDemosBeside(beside: ServedBeside): () => Promise<void> {
  const { database, observe } = beside;
  /** By the row's id: what drives here. */
  const driving = new Map<string, () => Promise<void>>();
  // Only where somebody looks at one: a lease costs writes.
  let leader: Leader | null = null;
  const end = repeat("the made-up fleet", lookEveryMs, observe, async (stop) => {
    const rows = await demoAccounts(database);
    const own = rows.filter(({ wanted_by }) => wanted_by !== null);
    for (const [id, endOne] of driving)
      if (!own.some((row) => row.id === id && row.ends_at === null)) {
        driving.delete(id);
        await endOne();
      }
    if (own.length === 0) return;
    leader ??= new Leader(database, observe, undefined, "made-up fleet");
    if (!leader.isLeading) return;
    for (const row of own) {
      if (stop.aborted) return;
      if (row.ends_at !== null) await eraseDemo(database, row);
      else if (!driving.has(row.id)) {
        // Most servers never need the simulator.
        const { driveDemo } = await import("./drive-beside.ts");
        driving.set(row.id, await driveDemo(beside, row));
      }
    }
  });
  return async () => {
    await end();
    await Promise.all([...driving.values()].map((endOne) => endOne()));
    await leader?.close();
  };
}

/** What is marked is erased in the background. */
async function eraseDemo(database: Database, row: DemoAccountRow): Promise<void> {
  if (row.account_id !== null) {
    const { id } = await accountByInternalId(database, row.account_id);
    await eraseAccount(database, id, { kind: "command" }, Date.now());
  }
  await database.transaction((tx) => forgetDemoAccount(tx, row.id));
}
