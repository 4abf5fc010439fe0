import { type Erased, eraseMarked } from "../derive/erase-marked.ts";
import { foreground } from "../derive/pace.ts";
import type { Actor } from "../domain/audit.ts";
import { Failure } from "../domain/errors.ts";
import { emailKey, isImei, isUuid } from "../domain/identifiers.ts";
import { quantity } from "../domain/text.ts";
import { eraseAccount } from "../fleet/erase/erase-account.ts";
import { type Lines, linesOfAccount, linesOfDevice, linesOfUser } from "../fleet/erase/written-out.ts";
import { eraseRemovedDevice, removeDevice } from "../fleet/remove-device.ts";
import { eraseRemovedUser, removeUser } from "../fleet/remove-user.ts";
import { accountsById } from "../store/accounts.ts";
import type { Database } from "../store/database.ts";
import { devicesNamed, usersNamed } from "../store/erase/find.ts";
import { storedOfDevice } from "../store/stored-of-device.ts";
import type { Action, Call, Command } from "./command.ts";
import { confirm } from "./confirm.ts";
import { withStore } from "./open-store.ts";
import { textOption, uuidArgument } from "./options.ts";
import { writeOut } from "./write-out.ts";

const options: Action["options"] = [
  { name: "write-out", placeholder: "FILE", help: "first write all that is stored of it to this new file, as NDJSON" },
  { name: "yes", help: "do not ask: for scripts" },
  { name: "json", help: "print what was done as an object for scripts" },
];

export const eraseCommand: Command = {
  name: "erase",
  summary: "erase a device, a user or an account for good",
  details: [
    "Afterwards only its id is stored: in the audit log and, for 31 days, in the list of removals that followers are told of.",
    "Backups are not changed. A server may be running: nobody sees anything of it from the first moment on. If this is",
    "interrupted, the server or the next call goes on. It asks once before it begins.",
    "The owner of an account cannot be erased alone. An IMEI or an e-mail may be used again, and begins anew.",
  ].join("\n"),
  actions: [
    action("device", "IMEI|ID", "erase a device with its frames, facts and readings", device),
    action("user", "EMAIL|ID", "erase a sub-account with its keys and sessions", user),
    action("account", "ID", "erase an account with all that it has", account),
  ],
};

function action(name: string, argument: string, summary: string, run: Action["run"]): Action {
  return { name, arguments: [argument], summary, options, settings: [], run };
}

const by: Actor = { kind: "command" };

/** One thing to erase, found. */
interface Target {
  readonly type: "device" | "user" | "account";
  readonly id: string;
  /** What is asked before it is erased. */
  readonly question: string;
  readonly lines: () => Lines;
  readonly erase: () => Promise<Erased>;
}

async function device(call: Call): Promise<void> {
  const [name = ""] = call.arguments;
  if (!isImei(name) && !isUuid(name)) throw new Failure("WRONG_CALL", `expected an IMEI or a UUID, got "${name}"`);
  await withStore(call, { create: false }, async (database) => {
    const found = await devicesNamed(database, isUuid(name) ? { id: name.toLowerCase() } : { imei: name });
    const { account_id: accountId, device, id, removed_at, erasing_at } = theOne(found, "device", name);
    const stored = await storedOfDevice(database, { accountId, device });
    const wanted = { accountId, id, by };
    const mark = async () => {
      if (erasing_at !== null) return;
      if (removed_at !== null) await eraseRemovedDevice(database, wanted, Date.now());
      else await removeDevice(database, { ...wanted, revision: null, history: "erase", isPreview: false }, Date.now());
    };
    await run(call, {
      type: "device",
      id,
      question: `This erases the device ${name} for good: ${quantity(stored.frames, "frame")}, ${quantity(stored.trips, "trip")}, ${quantity(stored.alerts, "alert")}.`,
      lines: () => linesOfDevice(database, { accountId, device }),
      erase: async () => {
        await mark();
        return eraseRows(call, database, stored.frames);
      },
    });
  });
}

async function user(call: Call): Promise<void> {
  const [name = ""] = call.arguments;
  const named = isUuid(name) ? { id: name.toLowerCase() } : { email: name, emailKey: emailKey(name) };
  await withStore(call, { create: false }, async (database) => {
    const { account_id: accountId, id, removed_at, role } = theOne(await usersNamed(database, named), "user", name);
    if (role === "owner") {
      const message = `${name} owns an account: make another user its owner first, or erase the account`;
      throw new Failure("CONFLICT", message);
    }
    const wanted = { accountId, id, by };
    await run(call, {
      type: "user",
      id,
      question: `This erases the user ${name} for good, with all keys and sessions.`,
      lines: () => linesOfUser(database, accountId, id),
      erase: async () => {
        if (removed_at !== null) await eraseRemovedUser(database, wanted, Date.now());
        else await removeUser(database, { ...wanted, revision: null, history: "erase", isPreview: false }, Date.now());
        return eraseRows(call, database, 0);
      },
    });
  });
}

async function account(call: Call): Promise<void> {
  const id = uuidArgument(call, "ID");
  await withStore(call, { create: false }, async (database) => {
    const { account_id: accountId, name } = theOne(await accountsById(database, [id]), "account", id);
    await run(call, {
      type: "account",
      id,
      question: `This erases the account ${name === "" ? id : name} for good, with all vehicles, people and fences.`,
      lines: () => linesOfAccount(database, accountId),
      erase: async () => {
        await eraseAccount(database, id, by, Date.now());
        return eraseRows(call, database, Number.POSITIVE_INFINITY);
      },
    });
  });
}

function theOne<Found extends { readonly id: string }>(found: readonly Found[], noun: string, name: string): Found {
  const [one, ...others] = found;
  if (one === undefined) throw new Failure("NOT_FOUND", `there is no ${noun} ${name}`);
  if (others.length === 0) return one;
  const ids = found.map(({ id }) => id).join(", ");
  throw new Failure("CONFLICT", `several removed ones were ${name}: name one by its id (${ids})`);
}

async function run(call: Call, { type, id, question, lines, erase }: Target): Promise<void> {
  await confirm(call, question);
  const file = textOption(call, "write-out");
  const written = file === null ? null : await writeOut(file, lines(), () => {});
  const { isPurged } = await erase();
  const { terminal } = call;
  if (call.options.json) {
    const output = file === null ? {} : { file, lines: written };
    return terminal.out(JSON.stringify({ type, id, ...output, erased: true, purged: isPurged }));
  }
  if (written !== null) terminal.note(`wrote ${quantity(written, "line")} to ${file}`);
  terminal.out(`erased the ${type} ${id}`);
  if (!isPurged) {
    terminal.note(
      "the store's log still holds it, since somebody reads an earlier state: end long exports and backups; a server that runs, or the next `odograph erase`, cuts the log off then",
    );
  }
}

/** A block of frames is one row. */
const framesPerRow = 120;

function eraseRows(call: Call, database: Database, frames: number): Promise<Erased> {
  let done = 0;
  const total = frames / framesPerRow;
  return eraseMarked(database, foreground, (rows) => {
    done += rows;
    call.terminal.progress("erasing", Math.min(done, total), total);
  });
}
