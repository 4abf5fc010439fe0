import { z } from "zod";
import type { Change } from "../../../fleet/edit/edit.ts";
import { directoryByImei } from "../../../store/fleet/device-writes.ts";
import { isPreview, makeEdit } from "../../fleet-edit.ts";
import { readBody } from "../../read-body.ts";
import { isTooLong, type RowProblem, readVehicleRows } from "../../records/vehicle-rows.ts";
import { invalidFields } from "../../refusals.ts";
import { portalRoute } from "../../route.ts";

/** More would take longer than a person waits. */
const maxAtOnce = 1_000;
/** What is wrong with more rows nobody reads. */
const maxProblems = 50;

const body = z.object({ csv: z.string({ error: "expected the rows of a spreadsheet as CSV" }) });

/** Adds many devices from a spreadsheet: all of them or none. A preview says what is wrong with which row. */
export const importFleetDevices = portalRoute("POST", "/fleet/devices/import", "owner", async (call) => {
  const { csv } = readBody(call, body);
  if (isTooLong(csv)) throw invalidFields({ csv: `expected at most ${maxAtOnce} rows` });
  const { rows, problems } = readVehicleRows(csv);
  if (rows.length > maxAtOnce) throw invalidFields({ csv: `expected at most ${maxAtOnce} rows, got ${rows.length}` });
  const { takenImeis } = call.parts.probeLimits;
  const { accountId } = call.session.visibility;
  const imeis = rows.map(({ imei }) => imei);
  const entries = await directoryByImei(call.parts.database, imeis);
  const taken = new Set(entries.map(({ imei }) => imei));
  const ofOthers = new Set(entries.filter(({ account_id }) => account_id !== accountId).map(({ imei }) => imei));
  takenImeis.check(accountId, new Set(imeis).difference(taken.difference(ofOthers)), call.now);
  takenImeis.count(accountId, ofOthers, call.now);
  const added = rows.filter(({ imei }) => !taken.has(imei));
  const refused: RowProblem[] = [
    ...problems,
    ...rows.filter(({ imei }) => taken.has(imei)).map(({ line }) => ({ line, problem: "taken" as const })),
  ].sort((one, other) => one.line - other.line);
  if (!isPreview(call) && (refused.length > 0 || added.length === 0)) {
    const [first] = refused;
    const problem = first === undefined ? "expected at least one row" : `line ${first.line}: ${first.problem}`;
    throw invalidFields({ csv: problem });
  }
  const changes = added.map(({ imei, name, plate }): Change => {
    return { type: "device", id: crypto.randomUUID(), revision: null, fields: { imei, name, plate } };
  });
  const { effect } = await makeEdit(call, changes);
  if (!isPreview(call)) return { status: 201, body: { data: { added: changes.length }, effect } };
  const data = { effect, rows: added.length, refused: refused.length, problems: refused.slice(0, maxProblems) };
  return { body: { data } };
});
