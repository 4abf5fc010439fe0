import type { Database } from "../../store/database.ts";
import { withStore } from "../store/open-store.ts";
import { type Action, type CommandCall, jsonOption } from "./command.ts";
import { uuidArgument } from "./options.ts";
import { shortInstant } from "./table.ts";

interface Revocable {
  readonly id: string;
  readonly name: string;
  readonly revoked_at: number | null;
}

/** The secret is all of standard output, so that a script can store it. */
export function printSecret(call: CommandCall, label: string, secret: string): void {
  call.terminal.note(`${label}. It is shown only once; save it now:`);
  call.terminal.out(secret);
}

export function revokeAction<Row extends Revocable>(
  noun: string,
  revoke: (database: Database, id: string, now: number) => Promise<{ readonly row: Row; readonly revokedNow: boolean }>,
  toJson: (row: Row) => object,
): Action {
  const run = async (call: CommandCall) => {
    const id = uuidArgument(call, "ID");
    const { row, revokedNow } = await withStore(call, (database) => revoke(database, id, Date.now()));
    if (call.options.json) return call.terminal.out(JSON.stringify(toJson(row)));
    const already = `${id} was revoked already, at ${shortInstant(row.revoked_at)}`;
    call.terminal.out(revokedNow ? `revoked ${id} (${row.name})` : already);
  };
  const summary = `revoke a ${noun} for good`;
  return { name: "revoke", arguments: ["ID"], summary, options: [jsonOption], settings: [], run };
}
