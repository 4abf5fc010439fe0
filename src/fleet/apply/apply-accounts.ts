import type { Transaction } from "../../store/database.ts";
import { erasingAccounts } from "../../store/erase/account-rows.ts";
import {
  type AccountRow,
  accountsById,
  earlierZones,
  type StoredAccount,
  saveAccounts,
} from "../../store/fleet/accounts.ts";
import type { FleetFile } from "../parse/fleet-file.ts";
import { DoesNotFit, requirePlainName } from "../parse/reference.ts";
import { type AccountNumbers, type ApplyContext, byId, difference, type Tally } from "./context.ts";

export async function applyAccounts({
  tx,
  file,
  now,
  consequences,
}: ApplyContext): Promise<{ readonly numbers: AccountNumbers; readonly tally: Tally }> {
  const referring = [...file.users, ...file.devices, ...file.drivers, ...file.geofences];
  const ids = new Set([
    ...file.accounts.map(({ record }) => record.id),
    ...referring.map(({ record }) => record.account_id),
    ...file.alertSettings.flatMap(({ record: { scope } }) => (scope.for === "device" ? [] : [scope.accountId])),
  ]);
  const stored = byId(await accountsById(tx, ids));
  await refuseErasing(tx, file, stored);
  const wanted = file.accounts.map(({ line, record }) => {
    const before = stored.get(record.id);
    requirePlainName(line, record.name, before);
    const row: AccountRow = {
      id: record.id,
      name: record.name,
      status: record.status,
      limit_per_second: record.limits.per_second,
      limit_per_day: record.limits.per_day,
      limit_account_per_day: record.limits.account_per_day,
      time_zone: record.time_zone,
      earlier_time_zones: earlierZones(before, record.time_zone),
    };
    return { line, row };
  });
  const { changes, toSave, tally } = difference(wanted, stored);
  await saveAccounts(tx, toSave, now);
  const numbers = new Map((await accountsById(tx, ids)).map((account) => [account.id, account.account_id]));
  for (const change of changes) {
    const accountId = accountNumber(numbers, change.row.id);
    consequences.changed.noteRow("account", accountId, change);
    if (change.before === undefined || change.before.time_zone === change.row.time_zone) continue;
    // A zone has no history: all days that can be derived again become days of the present one.
    consequences.changedFleets.add(accountId);
    consequences.accountsDerivedAgain.add(accountId);
  }
  for (const { line, record } of referring) {
    if (!numbers.has(record.account_id)) throw noSuchAccount(line, record.account_id);
  }
  return { numbers, tally };
}

/** The number of an account that `applyAccounts` returned. */
export function accountNumber(numbers: AccountNumbers, id: string): number {
  const number = numbers.get(id);
  if (number === undefined) throw new Error(`account ${id} was not looked up`);
  return number;
}

export function noSuchAccount(line: number, id: string): DoesNotFit {
  const problem = `expected the id of an account that is in this file or stored, got "${id}"`;
  return new DoesNotFit(line, "account_id", problem);
}

async function refuseErasing(
  tx: Transaction,
  { accounts, users, devices, drivers, geofences }: FleetFile,
  stored: ReadonlyMap<string, StoredAccount>,
): Promise<void> {
  const erasing = new Set(await erasingAccounts(tx));
  const refuse = (line: number, field: string, id: string) => {
    const account = stored.get(id);
    if (account && erasing.has(account.account_id)) throw new DoesNotFit(line, field, "this account is being erased");
  };
  for (const { line, record } of accounts) refuse(line, "id", record.id);
  for (const { line, record } of [...users, ...devices, ...drivers, ...geofences])
    refuse(line, "account_id", record.account_id);
}
