import { emailKey } from "../../domain/text/email.ts";
import { removeUnusedLinks } from "../../store/access/one-time-links.ts";
import { endSessions } from "../../store/access/sessions.ts";
import type { Transaction } from "../../store/database.ts";
import { removedUsersAmong, showUsers } from "../../store/fleet/removed.ts";
import { ownersOf, saveUsers, type UserRow, usersByEmail, usersById } from "../../store/fleet/users.ts";
import { DoesNotFit, requirePlainEmail, requirePlainName } from "../parse/reference.ts";
import { accountNumber } from "./apply-accounts.ts";
import { type AccountNumbers, type ApplyContext, byId, difference, type Tally, type UsersById } from "./context.ts";

export async function applyUsers(
  { tx, file, now, consequences }: ApplyContext,
  accounts: AccountNumbers,
  passwordHashes: ReadonlyMap<string, string>,
): Promise<{ readonly users: UsersById; readonly tally: Tally }> {
  const inFile = new Set(file.users.map(({ record }) => record.id));
  const ids = new Set([...inFile, ...file.devices.flatMap(({ record }) => record.user_ids)]);
  const stored = byId(await usersById(tx, ids));
  const wanted = file.users.map(({ line, record }) => {
    const account_id = accountNumber(accounts, record.account_id);
    const before = stored.get(record.id);
    if (before && before.account_id !== account_id) {
      throw new DoesNotFit(line, "account_id", "this user belongs to another account, and cannot move");
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
  await refuseTakenEmails(tx, wanted, inFile);
  await refuseSecondOwners(tx, wanted, inFile);

  const { changes, toSave, tally } = difference(wanted, stored);
  await saveUsers(tx, toSave, now);
  const removed = await removedUsersAmong(tx, ids);
  // A line of a removed user puts it back. `load` asks for `--take-over` then.
  await showUsers(tx, [...removed.intersection(inFile)]);
  for (const change of changes) {
    const { row, before } = change;
    const { account_id, id } = row;
    const chosenByPerson = before?.password_managed_by === "portal" ? ["password"] : [];
    consequences.changed.noteRow("user", account_id, change, chosenByPerson);
    consequences.changedFleets.add(account_id);
    if (row.role === "sub_account") consequences.records(account_id).users.add(id);
    if (!before) continue;
    const isDisabled = row.status === "disabled" && before.status === "active";
    // Sessions that were started with the old password end. Those of a disabled user must not come back with the user.
    const isOver = isDisabled || before.password_hash !== row.password_hash;
    if (isOver) await endSessions(tx, { account_id, user_id: id }, null);
    // A reader of the old mailbox may have a link.
    if (isOver || before.email_key !== row.email_key) await removeUnusedLinks(tx, id);
    if (before.role === row.role) continue;
    // Another role sees other devices.
    consequences.show("live positions", account_id, [id]);
    consequences.show("devices", account_id, [id]);
  }
  for (const id of removed.difference(inFile)) stored.delete(id);
  return { users: new Map([...stored, ...byId(wanted.map(({ row }) => row))]), tally };
}

interface WantedUser {
  readonly line: number;
  readonly row: UserRow;
}

async function refuseTakenEmails(tx: Transaction, wanted: readonly WantedUser[], inFile: ReadonlySet<string>) {
  const emails = wanted.map(({ row }) => row.email);
  const holders = (await usersByEmail(tx, emails)).filter((holder) => !inFile.has(holder.id));
  const taken = new Set(holders.map((holder) => holder.email_key));
  for (const { line, row } of wanted) {
    if (taken.has(row.email_key)) throw new DoesNotFit(line, "email", `${row.email} belongs to another user already`);
  }
}

async function refuseSecondOwners(tx: Transaction, wanted: readonly WantedUser[], inFile: ReadonlySet<string>) {
  const newOwners = wanted.filter(({ row }) => row.role === "owner");
  const accounts = newOwners.map(({ row }) => row.account_id);
  const owners = (await ownersOf(tx, accounts)).filter((owner) => !inFile.has(owner.id));
  const owned = new Set(owners.map((owner) => owner.account_id));
  for (const { line, row } of newOwners) {
    if (owned.has(row.account_id)) throw new DoesNotFit(line, "role", "the account has an owner already");
  }
}
