import { createInterface } from "node:readline/promises";
import { BesideServer, foreground, type WorkPace } from "../../derive/pace.ts";
import { type Erased, eraseMarked } from "../../derive/upkeep/erase-marked.ts";
import { Failure } from "../../domain/errors.ts";
import { isImei, isUuid } from "../../domain/text/identifiers.ts";
import { quantity } from "../../domain/text/text.ts";
import type { Database } from "../../store/database.ts";
import {
  devicesNamed,
  driversWithId,
  type ErasableDevice,
  isAccountErasing,
  isErasingUnfinished,
  type NamedDriver,
  type NamedUser,
  usersNamed,
} from "../../store/erase/find.ts";
import { wasErased } from "../../store/erase/notes.ts";
import { storedOfDevice } from "../../store/facts/fact-counts.ts";
import { accountsById } from "../../store/fleet/accounts.ts";
import { isServed } from "../../store/sqlite/server-lock.ts";
import { type Action, type CommandCall, command, jsonOption } from "../common/command.ts";
import { textOption, uuidArgument } from "../common/options.ts";
import { NewFile } from "../common/write-out.ts";
import { withStore } from "../store/open-store.ts";
import { accountTarget, deviceTarget, driverTarget, type EraseTarget, userTarget } from "./erase-targets.ts";

const options: Action["options"] = [
  { name: "write-out", placeholder: "FILE", help: "first write all that is stored of it to this new file, as NDJSON" },
  { name: "yes", help: "do not ask: for scripts" },
  jsonOption,
];

export const eraseCommand = command({
  name: "erase",
  summary: "erase a device, a user, a driver or an account for good",
  details: [
    "Afterwards only its id is stored: in the audit log and, for 31 days, in the list of removals that followers",
    "read. Backups are not changed. A server may be running: nobody sees anything of it from the first moment on.",
    "It asks once before it begins. If it is interrupted, the server or the same call goes on. The owner of an",
    "account cannot be erased alone. An IMEI or an e-mail can be reused, with no history.",
  ].join("\n"),
  actions: [
    action("device", "IMEI|ID", "erase a device with its frames, facts and readings", device),
    action("user", "EMAIL|ID", "erase a sub-account with its keys and sessions", user),
    action("driver", "ID", "erase a driver's name; the ids of tags stay with the frames", driver),
    action("account", "ID", "erase an account with all that it has", account),
  ],
});

function action(name: string, argument: string, summary: string, run: Action["run"]): Action {
  return { name, arguments: [argument], summary, options, settings: [], run };
}

async function device(call: CommandCall): Promise<void> {
  const [name = ""] = call.arguments;
  if (!isImei(name) && !isUuid(name)) throw new Failure("WRONG_CALL", `expected an IMEI or a UUID, got "${name}"`);
  const id = isUuid(name) ? name.toLowerCase() : null;
  await withStore(call, async (database) => {
    const found = await devicesNamed(database, id === null ? { imei: name } : { id });
    const one = theOne(found, name, describedDevice);
    if (one === null) return goOn(call, database, { type: "device", name, id });
    const stored = await storedOfDevice(database, { accountId: one.account_id, device: one.device });
    const lost = [
      quantity(stored.frames, "frame"),
      quantity(stored.trips, "trip"),
      quantity(stored.alerts, "alert"),
    ].join(", ");
    await eraseConfirmed(call, database, {
      ...deviceTarget(database, one),
      question: `This erases the device ${name} for good: ${describedDevice(one)}, with ${lost}.`,
      frames: stored.frames,
    });
  });
}

async function user(call: CommandCall): Promise<void> {
  const [name = ""] = call.arguments;
  const id = isUuid(name) ? name.toLowerCase() : null;
  await withStore(call, async (database) => {
    const found = await usersNamed(database, id === null ? { email: name } : { id });
    const one = theOne(found, name, describedUser);
    if (one === null) return goOn(call, database, { type: "user", name, id });
    if (one.role === "owner") {
      const message = `${name} owns an account: make another user its owner first, or erase the account`;
      throw new Failure("CONFLICT", message);
    }
    await eraseConfirmed(call, database, {
      ...userTarget(database, one),
      question: `This erases the user ${name} for good: ${describedUser(one)}, with all keys and sessions.`,
      frames: 0,
    });
  });
}

async function driver(call: CommandCall): Promise<void> {
  const id = uuidArgument(call, "ID");
  await withStore(call, async (database) => {
    const one = theOne(await driversWithId(database, id), id, describedDriver);
    if (one === null) return goOn(call, database, { type: "driver", name: id, id });
    await eraseConfirmed(call, database, {
      ...driverTarget(database, one),
      question: `This erases the driver ${id} for good: ${describedDriver(one)}.`,
      frames: 0,
    });
  });
}

async function account(call: CommandCall): Promise<void> {
  const id = uuidArgument(call, "ID");
  await withStore(call, async (database) => {
    const [found] = await accountsById(database, [id]);
    if (found === undefined) return goOn(call, database, { type: "account", name: id, id });
    const { account_id: accountId, name } = found;
    await eraseConfirmed(call, database, {
      ...accountTarget(database, found, await isAccountErasing(database, accountId)),
      question: `This erases the account ${inQuotes(name)} (${id}) for good, with all vehicles, people and fences.`,
      frames: Number.POSITIVE_INFINITY,
    });
  });
}

/** Names are what people typed in. */
const inQuotes = (name: string) => JSON.stringify(name);

export function describedDevice({
  name,
  plate,
  account,
  account_name,
  removed_at,
  erasing_at,
}: ErasableDevice): string {
  if (erasing_at !== null) return `being erased, of the account ${inQuotes(account_name)} (${account})`;
  const called = plate === null ? inQuotes(name) : `${inQuotes(name)}, plate ${inQuotes(plate)}`;
  return `${called}, of the account ${inQuotes(account_name)} (${account})${removed_at === null ? "" : ", removed"}`;
}

function describedUser({ name, account, account_name, removed_at }: NamedUser): string {
  const removed = removed_at === null ? "" : ", removed";
  return `${inQuotes(name)}, of the account ${inQuotes(account_name)} (${account})${removed}`;
}

function describedDriver({ name, account, account_name }: NamedDriver): string {
  return `${inQuotes(name)}, of the account ${inQuotes(account_name)} (${account})`;
}

/** Null: there is none. Of several, none is taken: erasing the wrong one cannot be undone. */
function theOne<Found extends { readonly id: string }>(
  found: readonly Found[],
  name: string,
  described: (one: Found) => string,
): Found | null {
  const [one, ...others] = found;
  if (others.length === 0) return one ?? null;
  const all = found.map((each) => `${each.id} (${described(each)})`).join("; ");
  throw new Failure("CONFLICT", `several have or had ${name}, so name one by its id: ${all}`);
}

interface EraseRequest extends EraseTarget {
  readonly question: string;
  /** About how many there are to erase. */
  readonly frames: number;
}

async function eraseConfirmed(
  call: CommandCall,
  database: Database,
  { type, id, question, frames, ...target }: EraseRequest,
): Promise<void> {
  await confirm(call, question);
  const { terminal } = call;
  if (target.isErasing) terminal.note(`the ${type} ${id} is being erased already: going on`);
  const path = textOption(call, "write-out");
  // What is being erased is not whole any more; the call that marked it has written it before.
  const file = path === null || target.isErasing ? null : await NewFile.open(path);
  if (path !== null && file === null) terminal.note(`${path} is not written: what is left is not whole`);
  try {
    if (!target.isErasing) await target.mark(file);
  } finally {
    await file?.close();
  }
  if (file !== null && !call.options.json) terminal.note(`wrote ${quantity(file.lines, "line")} to ${file.path}`);
  const written = file === null ? {} : { file: file.path, lines: file.lines };
  say(call, { type, id, ...written }, await eraseRows(call, database, frames));
}

/** There is nothing of this name. It may have been erased to the last row by a call that was interrupted then. */
async function goOn(
  call: CommandCall,
  database: Database,
  { type, name, id }: { readonly type: EraseTarget["type"]; readonly name: string; readonly id: string | null },
): Promise<void> {
  const wasThere = id === null || (await wasErased(database, type, id));
  if (!wasThere || !(await isErasingUnfinished(database))) {
    throw new Failure("NOT_FOUND", `there is no ${type} ${name}`);
  }
  call.terminal.note(`there is no ${type} ${name} any more: going on with what was being erased`);
  say(call, { type, id }, await eraseRows(call, database, 0));
}

function say(call: CommandCall, what: { type: string; id: string | null }, { isPurged }: Erased): void {
  const { terminal } = call;
  if (call.options.json) {
    terminal.out(JSON.stringify({ ...what, erased: true, purged: isPurged }));
    return;
  }
  terminal.out(what.id === null ? "erased what was being erased" : `erased the ${what.type} ${what.id}`);
  if (!isPurged) {
    terminal.note(
      "an open reader still holds the old data: end long exports, backups and consoles; a server that runs, or the same call, then removes it from the store's files",
    );
  }
}

/** A block of frames is one row. */
const framesPerRow = 120;

/** Erases all that is marked, and says how far it is. */
function eraseRows(call: CommandCall, database: Database, frames: number): Promise<Erased> {
  let done = 0;
  const total = frames / framesPerRow;
  return eraseMarked(database, paceOf(call), (rows) => {
    done += rows;
    call.terminal.progress("erasing", Math.min(done, total), total);
  });
}

/** PostgreSQL lets others write meanwhile. */
function paceOf(call: CommandCall): WorkPace {
  const { store } = call.settings();
  return store.engine === "postgres" ? foreground : new BesideServer(() => isServed(store.directory));
}

/** Asks once before something that cannot be undone. A script says `--yes`. */
async function confirm({ options, terminal }: CommandCall, question: string): Promise<void> {
  if (options.yes === true) return;
  if (!process.stdin.isTTY) throw new Failure("WRONG_CALL", "this cannot be undone: a script must say --yes");
  terminal.note(question);
  const input = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await input.question("Type yes to go on: ");
    if (answer.trim().toLowerCase() !== "yes") throw new Failure("REFUSED", "nothing was erased");
  } finally {
    input.close();
  }
}
