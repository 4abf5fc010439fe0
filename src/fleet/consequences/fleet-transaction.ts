import type { Database, Transaction } from "../../store/database.ts";

/** Ends a transaction of which nothing is to be stored. */
class OnlyLooking extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super("only a preview");
    this.result = result;
  }
}

/** Does something with the fleet locked; as a preview it is done, and then undone. */
export async function fleetTransaction<Result>(
  database: Database,
  isPreview: boolean,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await database.transaction(async (tx) => {
      await tx.lock("fleet");
      const result = await work(tx);
      if (isPreview) throw new OnlyLooking(result);
      return result;
    });
  } catch (error) {
    if (error instanceof OnlyLooking) return error.result as Result;
    throw error;
  }
}
