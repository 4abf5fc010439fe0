import { Leader } from "../../derive/upkeep/leader.ts";
import { eraseAccount } from "../../fleet/erase/erase-account.ts";
import { repeat } from "../../observe/repeat.ts";
import { simulatedId } from "../../simulator/fleet/identity.ts";
import type { Database } from "../../store/database.ts";
import { accountByInternalId, accountsById } from "../../store/fleet/accounts.ts";
import { type DemoAccountRow, demoAccounts, forgetDemoAccount } from "../../store/fleet/demo-accounts.ts";
import type { DemoState } from "../serving/demo-state.ts";
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
  const endOthers = async (wanted: ReadonlySet<string>) => {
    for (const [id, endOne] of driving)
      if (!wanted.has(id)) {
        driving.delete(id);
        await endOne();
      }
  };
  // Only where somebody looks at one: a lease costs writes.
  let leader: Leader | null = null;
  const end = repeat("the made-up fleet", lookEveryMs, observe, async (stop) => {
    const rows = (await demoAccounts(database)).filter(({ wanted_by }) => wanted_by !== null);
    if (rows.length > 0) leader ??= new Leader(database, observe, undefined, "made-up fleet");
    // Another node may have taken it over.
    const isOurs = rows.length > 0 && leader?.isLeading === true;
    const [ending, wanted] = [
      rows.filter(({ ends_at }) => ends_at !== null),
      rows.filter(({ ends_at }) => ends_at === null),
    ];
    await endOthers(new Set(isOurs ? wanted.map(({ id }) => id) : []));
    if (rows.length === 0) {
      await leader?.close();
      leader = null;
    }
    if (!isOurs) return;
    for (const row of ending) await eraseDemo(database, row);
    for (const row of wanted) {
      if (stop.aborted) return;
      if (driving.has(row.id)) continue;
      // Most servers never need the simulator.
      const { driveDemo } = await import("./drive-beside.ts");
      driving.set(row.id, await driveDemo(beside, row));
    }
  });
  return async () => {
    await end();
    await endOthers(new Set());
    await leader?.close();
  };
}

/** What is marked is erased in the background. */
async function eraseDemo(database: Database, row: DemoAccountRow): Promise<void> {
  const id = await accountOf(database, row);
  if (id !== null) await eraseAccount(database, id, { kind: "command" }, Date.now());
  await database.transaction((tx) => forgetDemoAccount(tx, row.id));
}

/** A fleet whose making was interrupted may have an account that was not noted. */
async function accountOf(database: Database, { account_id, state_json }: DemoAccountRow): Promise<string | null> {
  if (account_id !== null) return (await accountByInternalId(database, account_id)).id;
  if (state_json === null) return null;
  const { seed } = JSON.parse(state_json) as Pick<DemoState, "seed">;
  const [made] = await accountsById(database, [simulatedId(seed, "account", 0)]);
  return made?.id ?? null;
}
