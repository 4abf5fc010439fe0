import { z } from "zod";
import { trackerKey } from "../../../domain/text/identifiers.ts";
import { trackerKeys } from "../../../domain/tracker-identity.ts";
import type { RecordEdit } from "../../../fleet/edit/edit.ts";
import { takenNames } from "../../../store/fleet/tracker-names.ts";
import type { RowProblem } from "../../both-sides/contract/vehicles.ts";
import { isPreview, makeEdit, trackersOfOthers } from "../../fleet-edit.ts";
import { readCheckedBody } from "../../read-body.ts";
import { invalidFields } from "../../refusals.ts";
import { portalRoute } from "../../route.ts";
import { isTooLong, readVehicleRows } from "../../vehicle-import/vehicle-rows.ts";

/** More would take longer than a person waits. */
const maxAtOnce = 1_000;
/** What is wrong with more rows nobody reads. */
const maxProblems = 50;
/** Enough to see whether the columns are understood. */
const maxShown = 5;

const takenProblem = { imei: "taken", tracker_id: "tracker_id_taken" } as const;

const body = z.object({ csv: z.string({ error: "expected the rows of a spreadsheet as CSV" }) });

/** Adds many devices from a spreadsheet: all of them or none. A preview says what is wrong with which row. */
export const importFleetDevices = portalRoute("POST /fleet/devices/import", "owner", async (call) => {
  const { csv } = readCheckedBody(call, body);
  if (isTooLong(csv)) throw invalidFields({ csv: `expected at most ${maxAtOnce} rows` });
  const { rows, problems, columns, ignored } = readVehicleRows(csv);
  if (rows.length > maxAtOnce) throw invalidFields({ csv: `expected at most ${maxAtOnce} rows, got ${rows.length}` });
  const { takenTrackers } = call.parts.probeLimits;
  const { accountId } = call.session.visibility;
  const { database } = call.parts;
  const keys = rows.flatMap(trackerKeys);
  takenTrackers.check(accountId, await trackersOfOthers(database, accountId, keys), call.now);
  const taken = await takenNames(database, rows);
  const ofOthers = [...taken].filter(([, { holder }]) => holder.account_id !== accountId);
  const learnt = ofOthers.map(([, { value }]) => trackerKey(value));
  takenTrackers.count(accountId, learnt, call.now);
  const added = rows.filter((row) => !taken.has(row));
  const refused: RowProblem[] = [
    ...problems,
    ...Array.from(taken, ([{ line }, { name }]) => ({ line, problem: takenProblem[name] })),
  ].sort((one, other) => one.line - other.line);
  if (!isPreview(call) && (refused.length > 0 || added.length === 0)) {
    const [first] = refused;
    const problem = first === undefined ? "expected at least one row" : `line ${first.line}: ${first.problem}`;
    throw invalidFields({ csv: problem });
  }
  const changes = added.map(({ line: _, ...fields }): RecordEdit => {
    return { type: "device", id: crypto.randomUUID(), revision: null, fields };
  });
  const { effect } = await makeEdit(call, changes);
  if (!isPreview(call)) return { status: 201, body: { data: { added: changes.length }, effect } };
  const counts = { rows: added.length, refused: refused.length, problems: refused.slice(0, maxProblems) };
  const first = added.slice(0, maxShown).map(({ line: _, ...row }) => row);
  const data = { effect, ...counts, columns: [...new Set(columns)], ignored: ignored.slice(0, maxProblems), first };
  return { body: { data } };
});
