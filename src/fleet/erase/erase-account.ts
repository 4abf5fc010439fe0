import type { Actor } from "../../domain/audit.ts";
import { Failure } from "../../domain/errors.ts";
import type { Database, Transaction } from "../../store/database.ts";
import { markAccount } from "../../store/erase/account-rows.ts";
import { lockHistories, markErasing } from "../../store/erase/device-mark.ts";
import { accountsById } from "../../store/fleet/accounts.ts";
import { addAuditEntries } from "../../store/fleet/audit.ts";
import { nothing } from "../../store/sql.ts";
import { fleetTransaction } from "../consequences/fleet-transaction.ts";

/**
 * Marks an account: nobody signs in, no key and no token works from now on. `eraseMarked` erases it. `before` is called in the
 * same transaction before anything is changed, when nothing more can be stored of its devices.
 */
export function eraseAccount(
  database: Database,
  id: string,
  by: Actor,
  now: number,
  before?: (tx: Transaction) => Promise<void>,
): Promise<void> {
  return fleetTransaction(database, false, async (tx) => {
    const [account] = await accountsById(tx, [id]);
    if (!account) throw new Failure("NOT_FOUND", `there is no account with the id ${id}`);
    const { account_id: accountId } = account;
    if (before) {
      await lockHistories(tx, accountId);
      await before(tx);
    }
    await markErasing(tx, accountId, nothing, now);
    await markAccount(tx, accountId, now);
    await addAuditEntries(tx, accountId, [{ by, action: "account.erased", id }], now);
  });
}
