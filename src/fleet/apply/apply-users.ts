import { emailKey } from "../../domain/email.ts";
import { removeUnusedLinks } from "../../store/access/one-time-links.ts";
import { endSessions } from "../../store/access/sessions.ts";
import type { Transaction } from "../../store/database.ts";
import { removedUsersAmong, showUsers } from "../../store/fleet/removed.ts";
import { ownersOf, saveUsers, type UserRow, usersByEmail, usersById } from "../../store/fleet/users.ts";
import { changedFields } from "../consequences/changed-records.ts";
import type { Consequences } from "../consequences/consequences.ts";
import type { FleetFile } from "../parse/fleet-file.ts";
import { requirePlainEmail, requirePlainName } from "../parse/plain-name.ts";
import { doesNotFit } from "../parse/reference.ts";
import { accountNumber } from "./apply-accounts.ts";
import type { AccountNumbers, KnownUsers } from "./known.ts";
import { difference, type Tally } from "./tally.ts";

export async function applyUsers(
  tx: Transaction,
  file: FleetFile,
  accounts: AccountNumbers,
  passwordHashes: ReadonlyMap<string, string>,
  now: number,
  consequences: Consequences,
): Promise<{ readonly known: KnownUsers; readonly tally: Tally }> {
  const ids = new Set([
    ...file.users.map(({ record }) => record.id),
    ...file.devices.flatMap(({ record }) => record.userIds),
  ]);
  const stored = new Map((await usersById(tx, ids)).map((user) => [user.id, user]));
  const wanted = file.users.map(({ line, record }) => {
    const account_id = accountNumber(accounts, record.accountId);
    const before = stored.get(record.id);
    if (before && before.account_id !== account_id) {
      throw doesNotFit(line, "account_id", "this user belongs to another account, and cannot move");
    }
    requirePlainName(line, record.name, before);
    requirePlainEmail(line, record.email, before);
    const named = passwordHashes.get(record.id);
    const hasOtherPassword = named !== undefined && named !== before?.password_hash;
    const row: UserRow = {
      id: record.id,
      account_id,
      role: record.role,
      name: record.name,
      email: record.email,
      email_key: emailKey(record.email),
      // A line without a password leaves the stored one.
      password_hash: named ?? before?.password_hash ?? null,
      password_managed_by: hasOtherPassword ? "file" : (before?.password_managed_by ?? "file"),
      status: record.status,
    };
    return { line, row };
  });
  await refuseTakenEmails(tx, wanted);
  await refuseSecondOwners(tx, wanted);

  const rows = wanted.map(({ row }) => row);
  const { toSave, tally } = difference(rows, stored, (user) => user.id);
  await saveUsers(tx, toSave, now);
  const removed = await removedUsersAmong(tx, ids);
  const inFile = new Set(rows.map(({ id }) => id));
  // A line of a removed user puts it back. `load` asks for `--take-over` then.
  await showUsers(
    tx,
    [...removed].filter((id) => inFile.has(id)),
  );
  for (const id of removed) if (!inFile.has(id)) stored.delete(id);
  for (const { account_id, id, password_hash, email_key, status } of toSave) {
    const before = stored.get(id);
    if (!before) continue;
    const isDisabled = status === "disabled" && before.status === "active";
    // Sessions that were started with the old password end. Those of a disabled user must not come back with the user.
    const isOver = isDisabled || before.password_hash !== password_hash;
    if (isOver) await endSessions(tx, { account_id, user_id: id }, null);
    // Whoever reads the old mailbox may have a link.
    if (isOver || before.email_key !== email_key) await removeUnusedLinks(tx, id);
  }
  // Another role sees other devices.
  const withNewRole = toSave.filter((user) => stored.has(user.id) && stored.get(user.id)?.role !== user.role);
  for (const { account_id, id } of withNewRole) {
    consequences.show("live positions", account_id, [id]);
    consequences.show("devices", account_id, [id]);
  }
  const lineOf = new Map(wanted.map(({ line, row }) => [row.id, line]));
  for (const row of toSave) {
    const { account_id, id, role } = row;
    const before = stored.get(id);
    const fields = before === undefined ? null : changedFields(before, row);
    const chosen = before?.password_managed_by === "portal" ? ["password"] : [];
    const line = lineOf.get(id) ?? 0;
    const rows = before && { rows: { before, after: row } };
    consequences.changed.note({
      type: "user",
      accountId: account_id,
      id,
      line,
      fields,
      ...rows,
      chosenByPerson: chosen,
    });
    consequences.fleetChanged(account_id);
    if (role === "sub_account") consequences.records(account_id).userSaved(id);
  }
  return { known: new Map([...stored, ...rows.map((row) => [row.id, row] as const)]), tally };
}

interface WantedUser {
  readonly line: number;
  readonly row: UserRow;
}

async function refuseTakenEmails(tx: Transaction, wanted: readonly WantedUser[]): Promise<void> {
  const inFile = new Set(wanted.map(({ row }) => row.id));
  const holders = await usersByEmail(
    tx,
    wanted.map(({ row }) => row.email),
  );
  const taken = new Set(holders.filter((holder) => !inFile.has(holder.id)).map((holder) => holder.email_key));
  for (const { line, row } of wanted) {
    if (taken.has(row.email_key)) throw doesNotFit(line, "email", `${row.email} belongs to another user already`);
  }
}

async function refuseSecondOwners(tx: Transaction, wanted: readonly WantedUser[]): Promise<void> {
  const inFile = new Set(wanted.map(({ row }) => row.id));
  const newOwners = wanted.filter(({ row }) => row.role === "owner");
  const owners = await ownersOf(
    tx,
    newOwners.map(({ row }) => row.account_id),
  );
  const owned = new Set(owners.filter((owner) => !inFile.has(owner.id)).map((owner) => owner.account_id));
  for (const { line, row } of newOwners) {
    if (owned.has(row.account_id)) throw doesNotFit(line, "role", "the account has an owner already");
  }
}
