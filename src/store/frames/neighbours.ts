import type { Transaction } from "../database.ts";
import { sql } from "../sql.ts";
import { neighboursTogether } from "./shared-rows.ts";

interface Storing {
  readonly device: number;
  readonly sealing: { readonly neighbours: number | null };
  readonly added: readonly unknown[];
}

/**
 * The number of each device's neighbours. Those that have none get one with their first frames: devices that send together become
 * neighbours. Two nodes at once may give out one number twice; then there are more of them.
 */
export async function neighboursOf(
  tx: Transaction,
  accountId: number,
  devices: readonly Storing[],
): Promise<(storing: Storing) => number | null> {
  const without = devices.filter(({ sealing, added }) => sealing.neighbours === null && added.length > 0);
  const given = new Map<number, number>();
  if (without.length > 0) {
    const last = await tx.get<{ neighbours: number; count: number }>(sql`
      select neighbours, count(*) as count from device_folds where account_id = ${accountId} and neighbours = (
        select max(neighbours) from device_folds where account_id = ${accountId})
      group by neighbours`);
    let next = last === null ? 0 : last.neighbours * neighboursTogether + Math.min(last.count, neighboursTogether);
    for (const { device } of without) given.set(device, Math.floor(next++ / neighboursTogether));
  }
  return ({ device, sealing }) => sealing.neighbours ?? given.get(device) ?? null;
}
