import type { Transaction } from "../../store/database.ts";
import { erasingAccounts } from "../../store/erase/account-rows.ts";
import {
  type AccountRow,
  accountsById,
  earlierZones,
  type StoredAccount,
  saveAccounts,
} from "../../store/fleet/accounts.ts";
import { changedFields } from "../consequences/changed-records.ts";
import type { Consequences } from "../consequences/consequences.ts";
import type { FleetFile } from "../parse/fleet-file.ts";
import { requirePlainName } from "../parse/plain-name.ts";
import { doesNotFit } from "../parse/reference.ts";
import type { AccountNumbers } from "./known.ts";
import { difference, type Tally } from "./tally.ts";

export async function applyAccounts(
  tx: Transaction,
  file: FleetFile,
  now: number,
  consequences: Consequences,
): Promise<{ readonly numbers: AccountNumbers; readonly tally: Tally }> {
  const referring = [...file.users, ...file.devices, ...file.geofences];
  const ids = new Set([
    ...file.accounts.map(({ record }) => record.id),
    ...referring.map(({ record }) => record.accountId),
    ...file.alertSettings.flatMap(({ record: { scope } }) => (scope.for === "device" ? [] : [scope.accountId])),
  ]);
  const stored = new Map((await accountsById(tx, ids)).map((account) => [account.id, account]));
  await refuseErasing(tx, file, stored);
  for (const { line, record } of file.accounts) requirePlainName(line, record.name, stored.get(record.id));
  const wanted = file.accounts.map(
    ({ record }): AccountRow => ({
      id: record.id,
      name: record.name,
      status: record.status,
      limit_per_second: record.limits.perSecond,
      limit_per_day: record.limits.perDay,
      limit_account_per_day: record.limits.accountPerDay,
      time_zone: record.timeZone,
      earlier_time_zones: earlierZones(stored.get(record.id), record.timeZone),
    }),
  );
  const lineOf = new Map(file.accounts.map(({ line, record }) => [record.id, line]));
  const { toSave, tally } = difference(wanted, stored, (account) => account.id);
  await saveAccounts(tx, toSave, now);
  for (const account of toSave) {
    const before = stored.get(account.id);
    if (before === undefined) continue;
    const line = lineOf.get(account.id) ?? 0;
    const fields = changedFields(before, account);
    const rows = { before, after: account };
    consequences.changed.note({ type: "account", accountId: before.account_id, id: account.id, line, fields, rows });
    if (before.time_zone === account.time_zone) continue;
    // A zone has no history: all days that can be derived again become days of the present one.
    consequences.fleetChanged(before.account_id);
    consequences.deriveAccountAgain(before.account_id);
  }

  const numbers = new Map((await accountsById(tx, ids)).map((account) => [account.id, account.account_id]));
  for (const { id } of toSave.filter((account) => !stored.has(account.id))) {
    const accountId = accountNumber(numbers, id);
    consequences.changed.note({ type: "account", accountId, id, line: lineOf.get(id) ?? 0, fields: null });
  }
  for (const { line, record } of referring) {
    if (!numbers.has(record.accountId)) {
      const problem = `expected the id of an account that is in this file or stored, got "${record.accountId}"`;
      throw doesNotFit(line, "account_id", problem);
    }
  }
  return { numbers, tally };
}

/** The number of an account that `applyAccounts` returned. */
export function accountNumber(numbers: AccountNumbers, id: string): number {
  const number = numbers.get(id);
  if (number === undefined) throw new Error(`account ${id} was not looked up`);
  return number;
}

async function refuseErasing(
  tx: Transaction,
  { accounts, users, devices, geofences }: FleetFile,
  stored: ReadonlyMap<string, StoredAccount>,
): Promise<void> {
  const erasing = new Set(await erasingAccounts(tx));
  if (erasing.size === 0) return;
  const named = [
    ...accounts.map(({ line, record }) => ({ line, id: record.id, field: "id" })),
    ...[...users, ...devices, ...geofences].map(({ line, record }) => ({
      line,
      id: record.accountId,
      field: "account_id",
    })),
  ];
  for (const { line, id, field } of named) {
    const account = stored.get(id);
    if (account && erasing.has(account.account_id)) throw doesNotFit(line, field, "this account is being erased");
  }
}
