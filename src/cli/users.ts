import { activeUser } from "../access/active-user.ts";
import { noteConfirmed } from "../access/email-confirmations.ts";
import { linkAddress } from "../access/one-time-links.ts";
import { createPasswordLink } from "../access/password-links.ts";
import { Failure } from "../domain/errors.ts";
import { type ListedUserRow, listedUsers } from "../store/fleet/users.ts";
import { type CommandCall, command, jsonOption } from "./common/command.ts";
import { textOption } from "./common/options.ts";
import { jsonInstant, printList, shortInstant, type TextColumns } from "./common/table.ts";
import { addressHere } from "./serving/address-here.ts";
import { writeSecretFile } from "./settings/secret-file.ts";
import { withStore } from "./store/open-store.ts";

export const usersCommand = command({
  name: "users",
  summary: "list users, make links to a new password, and confirm addresses",
  details: [
    "A link works once, for 24 hours (7 days for a user without a password), and replaces earlier ones. The user",
    "chooses a password with it and is signed in; all other sessions of the user end. It is for owners who have",
    "forgotten theirs; sub-accounts ask their owner. It is printed to a terminal, or written to a file that only",
    "you can read.",
    "",
    "Alerts and reports are mailed only to an address that its user has confirmed. `confirm` is for an address that",
    "you know to be the user's.",
  ].join("\n"),
  actions: [
    {
      name: "list",
      summary: "list users, without anything secret",
      options: [jsonOption],
      run: printUsers,
    },
    {
      name: "reset",
      arguments: ["EMAIL"],
      summary: "make a one-time link with which a user chooses a password",
      options: [{ name: "out", placeholder: "FILE", help: "write the link to a new file instead of the terminal" }],
      settings: ["publicUrl", "host", "port"],
      run: reset,
    },
    {
      name: "confirm",
      arguments: ["EMAIL"],
      summary: "confirm a user's address, so that alerts and reports are mailed to it",
      run: confirm,
    },
  ],
});

async function printUsers(call: CommandCall): Promise<void> {
  const users = await withStore(call, listedUsers);
  const columns: TextColumns<ListedUserRow> = {
    EMAIL: ({ email }) => email,
    NAME: ({ name }) => name,
    ROLE: ({ role }) => role.replace("_", "-"),
    ACCOUNT: ({ account_name }) => account_name,
    STATUS: statusOf,
    CONFIRMED: ({ is_confirmed }) => (is_confirmed === 1 ? "yes" : "no"),
    "LAST SIGN-IN": ({ last_login_at }) => shortInstant(last_login_at),
  };
  printList(call, users, columns, userJson);
}

async function reset(call: CommandCall): Promise<void> {
  const email = call.arguments[0] ?? "";
  const file = textOption(call, "out");
  // What is not a terminal is a log, sooner or later.
  if (file === null && !process.stdout.isTTY) {
    throw new Failure("WRONG_CALL", "the link is printed to a terminal only; --out FILE writes it to a file");
  }
  const origin = originOf(call);
  await withStore(call, async (database) => {
    const now = Date.now();
    const made = await database.transaction(async (tx) => {
      const user = await activeUser(tx, email);
      const purpose = user.password_hash === null ? "invitation" : "reset";
      const link = await createPasswordLink(tx, user, purpose, { kind: "command" }, now);
      // If it cannot be written, nothing is made, and earlier links still work.
      if (file !== null) writeSecretFile(file, `${linkAddress(origin, link.token)}\n`);
      return link;
    });
    const validity = `It works once, for ${made.purpose === "reset" ? "24 hours" : "7 days"}.`;
    if (file !== null) return call.terminal.note(`The link for ${email} is in ${file}. ${validity}`);
    call.terminal.note(`The link for ${email}. ${validity} Anyone who has it can choose the password:`);
    call.terminal.out(linkAddress(origin, made.token));
  });
}

async function confirm(call: CommandCall): Promise<void> {
  const email = call.arguments[0] ?? "";
  await withStore(call, async (database) => {
    const isNew = await database.transaction(async (tx) => {
      const user = await activeUser(tx, email);
      return noteConfirmed(tx, user, { by: { kind: "command" }, via: "command" }, Date.now());
    });
    call.terminal.note(isNew ? `${email} is confirmed.` : `${email} was confirmed before.`);
  });
}

/** Where the portal is: as the operator says, or at the address that `serve` listens on. */
function originOf(call: CommandCall): string {
  const { publicUrl, host, port } = call.settings();
  return publicUrl ?? addressHere(host, port);
}

function statusOf({ status, has_password }: ListedUserRow): string {
  if (status === "disabled") return "disabled";
  return has_password === 1 ? "active" : "no password";
}

function userJson(user: ListedUserRow) {
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    role: user.role,
    account: user.account_name,
    status: user.status,
    has_password: user.has_password === 1,
    is_email_confirmed: user.is_confirmed === 1,
    last_login_at: jsonInstant(user.last_login_at),
  };
}
